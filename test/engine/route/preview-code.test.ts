import { expect, test } from 'bun:test'
import { decodePreview, encodePreview } from '../../../src/engine/route/preview-code.ts'
import { roundHalfUp } from '../../../src/engine/units.ts'
import { seededRandom } from '../../fixtures/knots.ts'

function walk(points: number, stepDeg: number): number[][] {
  const random = seededRandom(points + 1)
  let [lon, lat] = [(random() - 0.5) * 300, (random() - 0.5) * 150]
  return Array.from({ length: points }, () => {
    lon += (random() - 0.5) * stepDeg
    lat += (random() - 0.5) * stepDeg
    return [roundHalfUp(lon, 5), roundHalfUp(lat, 5)]
  })
}

test('previews come back to the last bit, whatever their steps are like; cut anywhere they are refused', () => {
  for (const stepDeg of [0, 1e-5, 0.002, 0.5, 20]) {
    for (const points of [0, 1, 2, 100]) {
      const bytes = encodePreview(walk(points, stepDeg))!
      expect(decodePreview(bytes)).toEqual(walk(points, stepDeg))
      expect(() => decodePreview(Uint8Array.of(...bytes, 0))).toThrow(RangeError)
      for (let length = 0; length < bytes.length; length += 1)
        expect(() => decodePreview(bytes.subarray(0, length))).toThrow(RangeError)
    }
  }
})
