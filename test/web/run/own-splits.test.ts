import { expect, test } from 'bun:test'
import { runSeries } from '../../../src/web/run/charts/series.ts'
import { ownSplits, unitsOf } from '../../../src/web/run/tables/rows.ts'
import { samplesOf } from './samples.ts'

const MILE_M = 1609.344
const N = 1801

/** Half an hour on a treadmill: 4 m/s for ten minutes, then 2.5 m/s; a record a second. */
const SAMPLES = samplesOf({
  elapsedS: Array.from({ length: N }, (_, t) => t),
  distanceM: Array.from({ length: N }, (_, t) => (t <= 600 ? 4 * t : 2400 + 2.5 * (t - 600))),
  paceS: Array.from({ length: N }, (_, t) => (t <= 600 ? 250 : 400)),
  heartRateBpm: Array.from({ length: N }, (_, t) => (t < 600 ? 160 : 130)),
  cadenceRpm: Array.from({ length: N }, () => 85),
})

test('a run without a route is cut in the unit of the reader, from distance and time', () => {
  const series = runSeries(SAMPLES)!
  const miles = ownSplits(series, 'imperial')!
  // 5,400 m: three miles, and 571.968 m
  expect(miles.map(({ distanceM }) => distanceM)).toEqual([MILE_M, MILE_M, MILE_M, 571.968])
  expect(miles[0]).toMatchObject({
    ...{ idx: 0, startElapsedS: 0, durationS: 402, movingTimeS: 402, paceS: 250, avgHeartRateBpm: 160 },
    ...{ avgCadenceRpm: 85, elevGainM: null, gapPaceS: null },
  })
  // the slower part begins after 2,400 m
  const secondS = (2400 - MILE_M) / 4 + (2 * MILE_M - 2400) / 2.5
  expect(miles[1]!.paceS).toBeCloseTo((1000 * secondS) / MILE_M, 1)
  expect(miles.at(-1)).toMatchObject({ endElapsedS: 1800, paceS: 400, avgHeartRateBpm: 130 })
  expect(miles.reduce((sum, { durationS }) => sum + durationS, 0)).toBe(1800)
  expect(unitsOf(miles, 'metric')).toBe('imperial')
  const kilometres = ownSplits(series, 'metric')!
  expect(kilometres.map(({ distanceM }) => distanceM)).toEqual([1000, 1000, 1000, 1000, 1000, 400])
  expect(ownSplits({ ...series, distanceM: null }, 'metric')).toBeNull()
})
