import { expect, test } from 'bun:test'
import { shiftedDay } from '../../../src/web/format.ts'
import { runsOfAllYears } from '../../../src/web/screens/training/series.ts'
import type { Efficiency } from '../../../src/web/types.ts'

const LAST = '2026-03-01'
const TREND = { slopeSPerKmPerWeek: -0.4, interval: [-0.6, -0.2], p: 0.01, n: 40, supported: true }

/** The service's answers for runs on these days; every window has a trend. */
function service(days: readonly string[]) {
  const asked: [from: string, to: string][] = []
  const ask = async (from: string, to: string) => {
    asked.push([from, to])
    const runs = days.filter((date) => date >= from && date < to).map((date) => ({ date, workoutId: date }))
    return { referenceHeartRateBpm: 140, runs, trend: TREND } as unknown as Efficiency
  }
  return { asked, ask }
}

test('the efficiency of all years is asked in windows that the service answers, each run once', async () => {
  const days = Array.from({ length: 500 }, (_, k) => shiftedDay(LAST, -11 * k)).toReversed()
  const { asked, ask } = service(days)
  const firstYear = Number(days[0]!.slice(0, 4))
  const { runs, trend, referenceHeartRateBpm } = await runsOfAllYears(LAST, firstYear, ask)
  expect(runs.map(({ date }) => date)).toEqual(days)
  expect([trend, referenceHeartRateBpm]).toEqual([null, 140])
  for (const [from, to] of asked) expect(shiftedDay(from, 1100) >= to).toBe(true)
  // not one more than reach the first year
  expect(asked.at(-1)![1] > `${firstYear}-01-01`).toBe(true)
})
