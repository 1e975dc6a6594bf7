import { describe, expect, test } from 'bun:test'
import { stops } from '../../../src/engine/run/moving.ts'
import { calibrator, isSuspect } from '../../../src/engine/training/calibration.ts'
import { type LoadInputs, libraryLoads } from '../../../src/engine/training/library-loads.ts'
import { type ProfileEntry, profileOn } from '../../../src/engine/training/profile.ts'
import { clocksOf } from '../../../src/engine/training/run/counted-time.ts'
import {
  decodedHistogram,
  decodedTenths,
  encodedHistogram,
  encodedTenths,
  type Histogram,
  speedHistogram,
} from '../../../src/engine/training/run/histograms.ts'
import { heartRateLoads, intensityPct, paceLoad, type Sex } from '../../../src/engine/training/training-load.ts'
import { thresholdMps, thresholdPaceS } from '../../../src/engine/training/vdot.ts'
import { knots, seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

const { load } = oracles

interface Heart {
  readonly maxHeartRateBpm: number
  readonly restingHeartRateBpm: number
  readonly lthrBpm: number
  readonly sex: string | null
}

function heartRateLoad(histogram: Histogram, movingS: number, { sex, ...heart }: Heart) {
  const [max, resting, lthr] = [heart.maxHeartRateBpm, heart.restingHeartRateBpm, heart.lthrBpm].map((value) => ({
    value,
  }))
  const profile = { maxHeartRateBpm: max!, restingHeartRateBpm: resting!, lthrBpm: lthr! }
  return heartRateLoads(profile, sex as Sex | null)(histogram, movingS)
}

function heartHistogram(seconds: Readonly<Record<string, number | undefined>>): Histogram {
  const known = Object.entries(seconds).filter(([, count]) => count !== undefined)
  const first = Math.min(...known.map(([bpm]) => Number(bpm)))
  const counts = new Array<number>(Math.max(...known.map(([bpm]) => Number(bpm))) - first + 1).fill(0)
  for (const [bpm, count] of known) counts[Number(bpm) - first] = 10 * count!
  return { first, counts }
}

const NO_PULSE = { equivalentM: null, heartRate: null }

function histogramOf(parts: readonly (readonly number[])[], dtS = 1): Histogram {
  const { tS, distanceM } = knots(parts, dtS)
  const found = stops(tS, distanceM, { off: [], elevM: null })
  return speedHistogram(clocksOf({ tS, off: [] }, { ...NO_PULSE, distanceM, found }).moving)
}

test('loads by heart rate are those of the vectors, also of a part of the run', () => {
  for (const { name, histogram, sex, load: expected, ...profile } of load.heartRate) {
    const hist = heartHistogram(histogram)
    const seconds = hist.counts.reduce((sum, count) => sum + count, 0) / 10
    expectNear(heartRateLoad(hist, seconds, { ...profile, sex }).load, expected, name)
  }
  for (const { name, histogram, movingS, ...expected } of load.coverage.cases)
    expectAllNear(heartRateLoad(heartHistogram(histogram), movingS, load.coverage.profile), expected, name)
})

describe('load by pace', () => {
  test('it is that of the vectors, and so is the speed of one hour', () => {
    for (const { name, parts, bins, histogramSumS, thresholdMps: limit, ...expected } of load.pace) {
      const histogram = histogramOf(parts)
      expect(histogram.counts.filter((count) => count > 0)).toHaveLength(bins)
      expect(histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(histogramSumS)
      const { loadMale, loadFemale, loadUnset } = expected
      for (const [sex, one] of [
        ['male', loadMale] as const,
        ['female', loadFemale] as const,
        [null, loadUnset] as const,
      ])
        expectNear(paceLoad(histogram, { thresholdMps: limit, sex }), one, `${name} ${sex}`)
    }
    for (const { vdot, ...expected } of load.thresholdFromVdot)
      expectAllNear({ thresholdMps: thresholdMps(vdot), thresholdPaceS: thresholdPaceS(vdot) }, expected)
  })
  test('stops and timer-off time are cut out with the distance in them', () => {
    const parts = pairs('600,3 90,0 600,3')
    expect(histogramOf(parts)).toEqual({ first: 300, counts: [1200] })
    const { tS, distanceM } = knots([[1290, 3]], 1)
    const off = [{ startS: 600.5, endS: 690.5 }]
    const { moving, steady } = clocksOf({ tS, off }, { ...NO_PULSE, distanceM, found: [] })
    expect(moving.distanceM.at(-1)).toBeCloseTo(3600, 9)
    expect(speedHistogram(moving)).toEqual({ first: 300, counts: [1200] })
    // ten minutes, then half a second until the stop, after which 120 s are left out
    expect(steady.atS.at(-1)).toBeCloseTo(1200 - 600 - 120, 9)
    expect([steady.elapsedAt(0, 'begin'), steady.elapsedAt(1, 'end'), steady.elapsedAt(1, 'begin')]).toEqual([
      600, 600.5, 810.5,
    ])
  })
})

test('a stored histogram is the same again', () => {
  const random = seededRandom(3)
  for (const length of [0, 1, 7, 300]) {
    const counts = Array.from({ length }, (_, i) => (i === 0 ? 1 : Math.floor(random() ** 6 * 200_000)))
    if (length > 0) counts[length - 1] = 36_000
    const histogram = { first: length === 0 ? 0 : 130, counts }
    expect(decodedHistogram(encodedHistogram(histogram))).toEqual(histogram)
    expect(decodedTenths(encodedTenths(histogram))).toEqual(histogram)
    const whole = { ...histogram, counts: counts.map((count) => 10 * (count % 60)) }
    expect(decodedTenths(encodedTenths(whole))).toEqual(whole)
    expect(encodedTenths(whole).length).toBeLessThanOrEqual(encodedHistogram(whole).length)
  }
  expect(() => decodedHistogram(Uint8Array.of(130))).toThrow(RangeError)
})

describe('calibration', () => {
  const pairs = load.calibration.pairs.map(([day, byHeart, byPace]) => ({ day: day!, load: byHeart!, raw: byPace! }))
  const factorOn = calibrator(pairs, [0.5, 2])
  test('factors are those of the vectors, and wrong heart rates are recognised', () => {
    for (const { day, n, factor, spread } of load.calibration.asOf) {
      const found = factorOn(day)
      if (factor === null) expect(found).toBeNull()
      else expectAllNear(found!, { n: n!, factor, spread: spread! }, `day ${day}`)
    }
    const days = pairs.filter((pair) => isSuspect(pair, factorOn(pair.day))).map(({ day }) => day)
    expect(days).toEqual(load.calibration.suspectDays)
  })
})

const NO_RUN: LoadInputs = {
  ...{ day: 0, movingS: 3600, heartRate: null, sampledCoverage: 0, pace: null, isPacePoor: false },
  ...{ isThresholdOwn: true, rpe: null, manual: null, chosen: 'auto' },
}

describe('which source', () => {
  test('fallbacks have the loads of the vectors', () => {
    const [, rpe, , duration] = load.fallbacks
    const [byRpe, byDuration] = libraryLoads([
      { ...NO_RUN, rpe: rpe!.rpe!, movingS: rpe!.movingS! },
      { ...NO_RUN, movingS: duration!.movingS! },
    ])
    expect(byRpe).toMatchObject({ load: rpe!.load, source: 'rpe', calibration: null })
    expect(byDuration).toMatchObject({ load: duration!.load, source: 'duration' })
    const near = (factor: number, run: Partial<LoadInputs>, raw: number) =>
      Array.from({ length: 9 }, (_, day) => ({ ...NO_RUN, ...run, day, heartRate: factor * raw, sampledCoverage: 1 }))
    const paced = libraryLoads([...near(1.15, { pace: 50 }, 50), { ...NO_RUN, pace: 60 }]).at(-1)!
    expect(paced).toMatchObject({ load: load.fallbacks[0]!.load, source: 'pace' })
    expectNear(paced.calibration?.factor, 1.15)
    const felt = libraryLoads([...near(0.23, { rpe: 5 }, 300), { ...NO_RUN, rpe: 7, movingS: 3000 }]).at(-1)!
    expect(felt).toMatchObject({ load: load.fallbacks[2]!.load, source: 'rpe' })
  })
  test('by hand, then what was chosen, then heart rate, pace, RPE, duration', () => {
    const run = { ...NO_RUN, heartRate: 50, sampledCoverage: 1, pace: 60, rpe: 4, manual: 70 }
    const sourceOf = (change: Partial<LoadInputs>) => libraryLoads([{ ...run, ...change }])[0]!.source
    const noPulse = { manual: null, heartRate: null }
    expect(
      [
        ...[{}, { manual: null }, { manual: null, chosen: 'rpe' as const }],
        ...[{ manual: null, chosen: 'rpe' as const, rpe: null }, noPulse, { ...noPulse, isPacePoor: true }],
        ...[
          { ...noPulse, isPacePoor: true, rpe: null },
          { ...noPulse, pace: null, rpe: null },
        ],
      ].map(sourceOf),
    ).toEqual(['manual', 'heartRate', 'rpe', 'heartRate', 'pace', 'rpe', 'pace', 'duration'])
    expect(libraryLoads([{ ...run, manual: null, movingS: 0 }])[0]).toMatchObject({ load: null, source: null })
  })
})

describe('the profile of a day', () => {
  const NO_ENTRY: ProfileEntry = {
    ...{ from: null, maxHeartRateBpm: null, restingHeartRateBpm: null, lthrBpm: null, thresholdPaceS: null },
    ...{ massKg: null, heightCm: null },
  }
  const zones = { maxHeartRateBpm: 185, isMaxSet: false, restingHeartRateBpm: null, lthrBpm: null }
  test('an entry holds from its day, field by field', () => {
    const entries = [
      { ...NO_ENTRY, from: 100, maxHeartRateBpm: 195 },
      { ...NO_ENTRY, maxHeartRateBpm: 190, restingHeartRateBpm: 48 },
    ]
    const before = profileOn(99, entries, zones)
    const after = profileOn(100, entries, zones)
    expect([before.maxHeartRateBpm.value, before.restingHeartRateBpm.value]).toEqual([190, 48])
    expect([after.maxHeartRateBpm.value, after.restingHeartRateBpm.value]).toEqual([195, 48])
    expect(after.lthrBpm).toEqual({ value: 176, source: 'default' })
  })
})

test('intensity of an hour at the limit is 100', () => {
  expect(intensityPct(100, 3600)).toBe(100)
  expect(intensityPct(25, 3600)).toBe(50)
  expect(intensityPct(25, 0)).toBeNull()
})
