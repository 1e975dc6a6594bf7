import { describe, expect, test } from 'bun:test'
import { decodePreview, encodePreview } from '../../../src/engine/route/preview-code.ts'
import { roundHalfUp } from '../../../src/engine/units.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'

function walk(points: number, stepDeg: number, seed = 1): number[][] {
  const random = seededRandom(seed)
  let [lon, lat] = [(random() - 0.5) * 300, (random() - 0.5) * 150]
  return Array.from({ length: points }, () => {
    lon += (random() - 0.5) * stepDeg
    lat += (random() - 0.5) * stepDeg
    return [roundHalfUp(lon, 5), roundHalfUp(lat, 5)]
  })
}

describe('previews', () => {
  test('come back to the last bit, whatever their steps are like', () => {
    for (const stepDeg of [0, 1e-5, 0.002, 0.5, 20]) {
      for (const points of [0, 1, 2, 100, 3000]) {
        const preview = walk(points, stepDeg, points + 1)
        expect(decodePreview(encodePreview(preview)!)).toEqual(preview)
      }
    }
    const corners = pairs('-180,-90 180,90 0,0 -0.00001,0.00001 179.99999,-89.99999')
    expect(decodePreview(encodePreview(corners)!)).toEqual(corners)
  })

  test('of a hundred points take a few hundred bytes', () => {
    expect(encodePreview(walk(100, 0.003))!.length).toBeLessThan(250)
    expect(encodePreview(walk(100, 0))!.length).toBeLessThan(60)
    // two leaps do not make the other steps longer
    const leaps = walk(100, 0.003).map(([lon = 0, lat = 0], k) => [k > 50 ? roundHalfUp(lon / 3, 5) : lon, lat])
    expect(encodePreview(leaps)!.length).toBeLessThan(270)
  })
})

describe('damage', () => {
  const good = encodePreview(walk(60, 0.003))!

  test('cut anywhere it is refused, and so is a byte too many', () => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => decodePreview(good.subarray(0, length))).toThrow(RangeError)
    }
    expect(() => decodePreview(Uint8Array.of(...good, 0))).toThrow(RangeError)
  })

  test('random bytes give points or a RangeError, soon', () => {
    const random = seededRandom(3)
    for (let round = 0; round < 5000; round += 1) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256))
      if (round % 2 === 0) bytes.fill(255, 3)
      try {
        expect(decodePreview(bytes).length).toBeLessThanOrEqual(8 * bytes.length)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
    expect(() => decodePreview(Uint8Array.of(0xff, 0xff, 0x7f, 0, 0))).toThrow('too large')
  })
})
