import { describe, expect, test } from 'bun:test'
import {
  comparison,
  cumulative,
  dailySums,
  optionalComparison,
  type RunTotals,
  runsWithin,
  weekTotals,
} from '../../../src/engine/calendar/rollup.ts'
import { weekWindow } from '../../../src/engine/calendar/weeks.ts'

const RUN: RunTotals = {
  startedAtMs: 0,
  distanceM: 10_000,
  durationS: 3000,
  elevGainM: null,
  relativeEffort: null,
  avgHeartRateBpm: null,
  isEasy: false,
}

describe('a window', () => {
  test('holds its first millisecond and not its end', () => {
    const runs = [99, 100, 199, 200].map((startedAtMs) => ({ startedAtMs }))
    expect(runsWithin(runs, { startMs: 100, endMs: 200 })).toEqual([{ startedAtMs: 100 }, { startedAtMs: 199 }])
  })

  test('a run at 23:30 on Sunday in New York counts for that week', () => {
    // Monday 2026-03-09 03:30 UTC is Sunday 22:30 at -300 (docs/algorithms.md 13): day 20520 is that Sunday, 2026-03-08
    const sunday = 20_520
    const runs = [
      { startedAtMs: Date.parse('2026-03-09T04:30:00Z') },
      { startedAtMs: Date.parse('2026-03-09T05:00:00Z') },
    ]
    const days = dailySums(runs, weekWindow(sunday, -300), { offsetMinutes: -300, value: () => 1 })
    expect(days).toEqual([0, 0, 0, 0, 0, 0, 1])
  })

  test('sums end where the digits end', () => {
    const runs = [0.1, 0.2, 0.3].map((distanceM) => ({ startedAtMs: Date.parse('2026-03-09T12:00:00Z'), distanceM }))
    const days = dailySums(runs, weekWindow(20_521, 0), { offsetMinutes: 0, value: ({ distanceM }) => distanceM })
    expect(days).toEqual([0.6, 0, 0, 0, 0, 0, 0])
    expect(cumulative([40, 0, 55, 0])).toEqual([40, 40, 95, 95])
  })
})

describe('weekTotals', () => {
  test('an empty week is zeros and no heart rate', () => {
    expect(weekTotals([])).toEqual({
      runs: 0,
      distanceM: 0,
      durationS: 0,
      elevationGainM: 0,
      relativeEffortSum: 0,
      easyRunAvgHeartRateBpm: null,
    })
  })

  test('unknown climb and effort count nothing, and only easy runs with heart rate and duration have a heart rate', () => {
    const totals = weekTotals([
      { ...RUN, elevGainM: 12.3, relativeEffort: 40 },
      { ...RUN, isEasy: true, avgHeartRateBpm: 140, durationS: 1000 },
      { ...RUN, isEasy: true, avgHeartRateBpm: 150, durationS: 3000 },
      { ...RUN, isEasy: true, avgHeartRateBpm: 200, durationS: 0 },
      { ...RUN, isEasy: true },
      { ...RUN, avgHeartRateBpm: 180 },
    ])
    // (140 x 1000 + 150 x 3000) / 4000
    expect(totals).toEqual({
      runs: 6,
      distanceM: 60_000,
      durationS: 13_000,
      elevationGainM: 12.3,
      relativeEffortSum: 40,
      easyRunAvgHeartRateBpm: 147.5,
    })
  })
})

describe('comparison', () => {
  test('the mean of three weeks has two decimals, half up, and the difference no noise', () => {
    expect(comparison(3, [4, 4, 3])).toEqual({ current: 3, previous: 4, trailingAvg: 3.67, deltaVsPrevious: -1 })
    expect(comparison(0.3, [0.1, 0, 0.005])).toEqual({
      current: 0.3,
      previous: 0.1,
      trailingAvg: 0.04,
      deltaVsPrevious: 0.2,
    })
    expect(comparison(0, [0.375, 0, 0]).trailingAvg).toBe(0.13)
  })

  test('a value that a week may lack is averaged over the weeks that have it', () => {
    expect(optionalComparison(142.3, [144, null, 143])).toEqual({
      current: 142.3,
      previous: 144,
      trailingAvg: 143.5,
      deltaVsPrevious: -1.7,
    })
    expect(optionalComparison(142.3, [null, 141, null])).toEqual({
      current: 142.3,
      previous: null,
      trailingAvg: 141,
      deltaVsPrevious: null,
    })
    expect(optionalComparison(null, [null, null, null])).toEqual({
      current: null,
      previous: null,
      trailingAvg: null,
      deltaVsPrevious: null,
    })
  })
})
