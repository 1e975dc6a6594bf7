import { describe, expect, test } from 'bun:test'
import { cumulativeClimb, elevationProfile, zigzagPivots } from '../../../src/engine/run/elevation.ts'
import { withoutShortLegs } from '../../../src/engine/run/short-legs.ts'
import type { ElevationSource } from '../../../src/engine/track.ts'
import { knots, seededRandom } from '../../fixtures/knots.ts'
import oracles from '../../oracles.json'

const NOISE_FREE = { thresholdM: 2, minDistanceM: 10 }

function climb(elevM: ArrayLike<number>, thresholdM: number): { gainM: Float64Array; lossM: Float64Array } {
  const series = Float64Array.from(elevM)
  return cumulativeClimb(series, zigzagPivots(series, thresholdM))
}

/** Gain of an altitude over the path, one record a second at this speed, on FIT's grid of 0.2 m. */
function profileOf(
  speedMps: number,
  seconds: number,
  { source, altitudeM }: { source: ElevationSource; altitudeM: (pathM: number) => number },
) {
  const { tS, distanceM } = knots([[seconds, speedMps]], 1)
  const elevM = distanceM.map((pathM) => Math.round(altitudeM(pathM) * 5) / 5)
  const profile = elevationProfile(tS, elevM, { ...NOISE_FREE, source, distanceM })!
  return { source: profile.source, gainM: profile.gainM.at(-1)! }
}

describe('zigzag', () => {
  test('gain and loss are those of the oracles, also of a climb in noise of 0.3 m', () => {
    const noisy = Float64Array.from({ length: 1001 }, (_, i) => 100 + 0.1 * i + (i % 2 === 1 ? 0.3 : 0))
    for (const { e, h, gain, loss } of [
      ...oracles.elevation,
      { ...oracles.elevationNoisyClimb, e: noisy, loss: null },
    ]) {
      const { gainM, lossM } = climb(e, h)
      expect(gainM.at(-1)!).toBeCloseTo(gain, loss === null ? 6 : 9)
      if (loss !== null) expect(lossM.at(-1)!).toBeCloseTo(loss, 9)
    }
  })

  test('it is the deletion of all smaller swings in order of size', () => {
    const random = seededRandom(11)
    for (let round = 0; round < 500; round += 1) {
      const series = Array.from({ length: 1 + Math.floor(random() * 30) }, () => Math.floor(random() * 40) / 2)
      const thresholdM = 0.5 + Math.floor(random() * 12) / 2
      const { gainM, lossM } = climb(series, thresholdM)
      const [gain, loss] = byDeletion(series, thresholdM)
      expect([gainM.at(-1)!, lossM.at(-1)!]).toEqual([gain, loss])
    }
  })
})

/** Brute force of the same definition: turning points, of which the smallest swing goes until none is too small. */
function byDeletion(series: readonly number[], thresholdM: number): [number, number] {
  const turns = [...series]
  const reduce = () => {
    for (let i = 1; i < turns.length; ) {
      const isTurn = i + 1 < turns.length && (turns[i]! - turns[i - 1]!) * (turns[i + 1]! - turns[i]!) < 0
      if (turns[i] === turns[i - 1] || (i + 1 < turns.length && !isTurn)) turns.splice(i, 1)
      else i += 1
    }
  }
  for (;;) {
    reduce()
    let least = -1
    for (let i = 0; i + 1 < turns.length; i += 1) {
      const swing = Math.abs(turns[i + 1]! - turns[i]!)
      if (swing < thresholdM && (least < 0 || swing < Math.abs(turns[least + 1]! - turns[least]!))) least = i
    }
    if (least < 0) break
    const isOuter = least === 0 || least === turns.length - 2
    if (!isOuter) turns.splice(least, 2)
    else turns.splice(least === 0 ? 0 : turns.length - 1, 1)
  }
  let [gain, loss] = [0, 0]
  for (let i = 0; i + 1 < turns.length; i += 1) {
    const step = turns[i + 1]! - turns[i]!
    if (step > 0) gain += step
    else loss -= step
  }
  return [gain, loss]
}

test.each<[legs: string, path: number[], leastM: number, left: number[]]>([
  ['a short one inside of a climb goes, and the climb is one', [0, 200, 204, 504], 10, [0, 3]],
  ['outer ones go', [0, 5, 300, 304], 10, [1, 2]],
  ['until none is left', [0, 5, 9], 10, []],
  // 100, 8, 9, 3, 100: without the one of 3 its neighbours become 9 + 3 + 100, and 8 goes next
  ['the shortest goes first', [0, 100, 108, 117, 120, 220], 10, [0, 5]],
  ['those of exactly the least length stay', [0, 10, 20], 10, [0, 1, 2]],
  ['a length of 0 removes none', [0, 0, 20], 0, [0, 1, 2]],
])('of legs shorter than a runner can climb %s', (_, path, leastM, left) => {
  expect(withoutShortLegs([...path.keys()], Float64Array.from(path), leastM)).toEqual(left)
})

describe('profiles', () => {
  test('unknown altitude with a residual above 0.6 m is treated as GPS altitude, barometric is not', () => {
    const random = seededRandom(3)
    const noise = () => 50 + (random() - 0.5) * 8
    expect(profileOf(3, 3000, { source: 'unknown', altitudeM: noise })).toMatchObject({ source: 'gps', gainM: 0 })
    expect(profileOf(3, 3000, { source: 'baro', altitudeM: noise }).source).toBe('baro')
  })

  test('the threshold follows the source: 2, 3 and 10 m, and a larger setting holds for all', () => {
    // Four slow waves: three whole rises; half a rise at either end stays below the threshold. Smoothing and the grid of
    // 0.2 m take at most 0.3 m of each.
    const wave = (amplitudeM: number) => (pathM: number) =>
      100 + (amplitudeM / 2) * Math.sin((2 * Math.PI * pathM) / 2000)
    const gain = (source: ElevationSource, amplitudeM: number) =>
      profileOf(2.5, 3200, { source, altitudeM: wave(amplitudeM) }).gainM
    for (const [source, metres] of [
      ['baro', 2.6],
      ['unknown', 5],
      ['gps', 13],
    ] as const) {
      expect(gain(source, metres)).toBeLessThanOrEqual(3 * metres + 0.2)
      expect(gain(source, metres)).toBeGreaterThan(3 * (metres - 0.3))
    }
    expect(gain('unknown', 2.6)).toBe(0)
    expect(gain('gps', 9)).toBe(0)
    const { tS, distanceM } = knots([[3200, 2.5]], 1)
    const options = { source: 'gps', thresholdM: 20, minDistanceM: 10, distanceM } as const
    expect(elevationProfile(tS, distanceM.map(wave(13)), options)!.gainM.at(-1)).toBe(0)
  })

  test('gaps are filled along the path, and nothing is known before the first and after the last value', () => {
    const tS = Float64Array.from({ length: 101 }, (_, i) => i)
    const distanceM = tS.map((at) => 3 * at)
    const elevM = tS.map((at) => (at < 10 || at > 90 || (at > 30 && at < 60) ? Number.NaN : 100 + 0.5 * at))
    const profile = elevationProfile(tS, elevM, { ...NOISE_FREE, source: 'baro', distanceM })!
    expect(profile.gainM.at(-1)!).toBeCloseTo(40, 9)
    expect(profile.gainM[45]!).toBeCloseTo(17.5, 9)
    expect([profile.gainM[5], profile.smoothedM[5], profile.smoothedM[95]]).toEqual([0, Number.NaN, Number.NaN])
  })
})
