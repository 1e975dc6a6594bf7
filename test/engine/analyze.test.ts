import { describe, expect, test } from 'bun:test'
import type { Analysis } from '../../src/engine/analysis.ts'
import { NO_TOTALS } from '../../src/engine/numbers.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import type { RecordedSamples, Track } from '../../src/engine/track.ts'
import { analyze } from '../fixtures/derived.ts'
import { knots, seededRandom } from '../fixtures/knots.ts'
import { pairs } from '../fixtures/pairs.ts'
import { degreesAt, OPTIONS, randomRecording, recordingOf } from '../fixtures/recording.ts'

const { perEastM } = degreesAt(47)

function trackOf(recording: RecordedSamples): Track {
  const track = cleanRecording(recording)
  if (track === null) throw new Error('nothing left')
  return track
}

/** A FIT-like run: 1000 s at 3 m/s, 100 s standing, 500 s at 4 m/s; 5 km. */
function deviceRun(rest: Partial<RecordedSamples> = {}): Track {
  const { tS, distanceM } = knots(pairs('1000,3 100,0 500,4'), 1)
  const columns = {
    distanceM,
    heartRateBpm: tS.map((at) => (at < 1000 ? 140 : 160)),
    cadenceRpm: tS.map((at) => (at >= 1000 && at < 1100 ? 0 : 85.25)),
    powerW: tS.map((at) => (at < 1000 ? 200 : 300)),
    elevM: tS.map(() => 40),
  }
  return trackOf(recordingOf(tS, columns, { positionUnit: 'semicircle', ...rest }))
}

test('a run without totals has time-weighted means, extremes, both cadences, and minutes in zones', () => {
  expect(analyze(deviceRun(), OPTIONS)).toMatchObject({
    // 1000 s at 140 and 601 s at 160 (the last sample counts a second); 147.508
    ...{ avgHeartRateBpm: 148, maxHeartRateBpm: 160, minHeartRateBpm: 140, hrZoneSeconds: [0, 0, 1000, 601, 0] },
    // zeros take no part; twice the unrounded 85.25
    ...{ avgCadenceRpm: 85, maxCadenceRpm: 85, avgCadenceSpm: 171, maxCadenceSpm: 171 },
    ...{ avgPowerWatts: 238, maxPowerWatts: 300, calories: null },
    relativeEffort: Math.round((3 * 1000 + 4 * 601) / 60),
  })
})

describe('totals of the device', () => {
  const totals = {
    ...{ ...NO_TOTALS, distanceM: 5012.344, elapsedS: 1600.5, timerS: 1550.4, movingS: 1600, avgHeartRateBpm: 150 },
    ...{ avgCadenceRpm: 86.3, maxSpeedMps: 4.4444, caloriesKcal: 345.5, elevGainM: 99 },
  }

  test('come before the samples, except for the maximum speed, and moving time is never longer than the timer', () => {
    expect(analyze(deviceRun(), { ...OPTIONS, totals })).toMatchObject({
      ...{ distanceM: 5012.34, durationS: 1601, timerTimeS: 1550, movingTimeS: 1550, avgPaceS: 319.41 },
      ...{ avgSpeedMps: 3.131, maxSpeedMps: 4, calories: 346, avgHeartRateBpm: 150, maxHeartRateBpm: 160 },
      ...{ minHeartRateBpm: 140, avgCadenceRpm: 86, avgCadenceSpm: 173, maxCadenceSpm: 171 },
    })
  })
})

test('the maximum speed is a mean over five seconds that a runner can run, of the sensor or of the path', () => {
  const { tS, distanceM } = knots(pairs('100,3 10,6 100,3'), 1)
  const speedMps = tS.map((at) => (at === 50 ? 40 : at === 60 ? 7 : 3))
  expect(analyze(trackOf(recordingOf(tS, { distanceM, speedMps })), OPTIONS).maxSpeedMps).toBe(3.8)
  expect(analyze(trackOf(recordingOf(tS, { distanceM })), OPTIONS).maxSpeedMps).toBe(6)
})

test('pauses between GPX segments count in the duration, not as moving, and text formats have no timer', () => {
  const { tS } = knots([[1200, 3]], 1)
  const atS = tS.map((at) => (at <= 600 ? at : at + 300))
  const lonDeg = tS.map((at) => 8 + (3 * at + (at > 600 ? 500 : 0)) * perEastM)
  const segment = Int32Array.from(tS, (at) => (at <= 600 ? 0 : 1))
  const run = analyze(trackOf(recordingOf(atS, { latDeg: tS.map(() => 47), lonDeg }, { segment })), OPTIONS)
  expect(run).toMatchObject({ durationS: 1500, movingTimeS: 1199, timerTimeS: null })
  // Without the step over the pause: 1199 of 3 m.
  expect(Math.abs(run.distanceM - 3597)).toBeLessThan(0.1)
  expect(run.splits.reduce((sum, split) => sum + split.durationS, 0)).toBe(1500)
  expect(run.splits.reduce((sum, split) => sum + (split.movingTimeS ?? 0), 0)).toBe(1199)
})

test('a treadmill run has no climb, and without distance it moved while the timer ran', () => {
  const track = deviceRun({ indoor: true })
  const totals = { ...NO_TOTALS, elevGainM: 50, distanceM: 8000, timerS: 1500 }
  expect(analyze(track, { ...OPTIONS, totals })).toMatchObject({ elevGainM: null, minElevM: null, gapPaceS: null })
  const blind = trackOf(recordingOf([0, 1600], { heartRateBpm: [100, 100] }, { indoor: true }))
  expect(analyze(blind, { ...OPTIONS, totals })).toMatchObject({ movingTimeS: 1500, distanceM: 8000, splits: [] })
})

test('uphill the grade-adjusted pace is faster; GPS altitude gives none', () => {
  const { tS, distanceM } = knots([[2000, 2.5]], 1)
  const elevM = distanceM.map((metres) => 100 + 0.1 * metres)
  const climb = (elevationSource: 'baro' | 'gps') =>
    analyze(trackOf(recordingOf(tS, { distanceM, elevM }, { elevationSource })), OPTIONS)
  const uphill = climb('baro')
  // 400 s/km on 10 %: the table of docs/algorithms.md 8 has 1.4635.
  expect(Math.abs(uphill.gapPaceS! - 400 / 1.4635)).toBeLessThan(0.3)
  expect(Math.abs(uphill.splits[2]!.gapPaceS! - 400 / 1.4635)).toBeLessThan(0.3)
  expect(Math.abs(uphill.elevGainM! - 500)).toBeLessThanOrEqual(0.1)
  expect(climb('gps').gapPaceS).toBeNull()
})

test('a summary row is its totals', () => {
  const totals = {
    ...{ ...NO_TOTALS, distanceM: 10_000, elapsedS: 3700, movingS: 3600, avgHeartRateBpm: 140, maxHeartRateBpm: 171.4 },
    ...{ elevGainM: 120.25, minElevM: -3.2, maxElevM: 90, avgCadenceRpm: 84.6, caloriesKcal: 700 },
  }
  expect(analyze(null, { ...OPTIONS, totals })).toMatchObject({
    ...{ durationS: 3700, movingTimeS: 3600, timerTimeS: null, distanceM: 10_000, avgPaceS: 370, gapPaceS: null },
    ...{ elevGainM: 120.3, elevLossM: null, minElevM: -3.2, maxElevM: 90, splits: [], bestEfforts: [], preview: null },
    ...{ avgHeartRateBpm: 140, maxHeartRateBpm: 171, relativeEffort: 185, avgCadenceSpm: 169, maxPowerWatts: null },
    calories: 700,
  })
  expect(analyze(null, OPTIONS)).toMatchObject({ durationS: 0, distanceM: 0, avgPaceS: 0, avgSpeedMps: null })
})

test('any track gives finite numbers, parts that add up and times that fit into one another', () => {
  const random = seededRandom(2024)
  let runs = 0
  for (let round = 0; round < 300; round += 1) {
    const track = cleanRecording(randomRecording(random))
    if (track === null) continue
    const run = analyze(track, { ...OPTIONS, splitLengthM: random() < 0.5 ? 1000 : 1609.344 })
    runs += 1
    expectFinite(run)
    expect(run.movingTimeS ?? 0).toBeLessThanOrEqual(run.timerTimeS ?? run.durationS)
    expect(run.timerTimeS ?? 0).toBeLessThanOrEqual(run.durationS)
    if (run.splits.length === 0) continue
    const sum = (part: (split: Analysis['splits'][number]) => number | null) =>
      run.splits.reduce((total, split) => total + (part(split) ?? 0), 0)
    expect(sum((split) => split.durationS)).toBe(run.durationS)
    expect(sum((split) => split.distanceM)).toBeCloseTo(run.distanceM, 6)
    expect(sum((split) => split.elevGainM)).toBeCloseTo(run.elevGainM ?? 0, 6)
    expect(sum((split) => split.elevLossM)).toBeCloseTo(run.elevLossM ?? 0, 6)
  }
  expect(runs).toBeGreaterThan(250)
})

function expectFinite(value: unknown): void {
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
  // the only words are why an effort cannot be
  else if (typeof value === 'string') expect(['fasterThanRecord', 'notOnFoot', 'gap']).toContain(value)
  else if (value !== null && typeof value === 'object') for (const part of Object.values(value)) expectFinite(part)
  else expect(value).toBeNull()
}
