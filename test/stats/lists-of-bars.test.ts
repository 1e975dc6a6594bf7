import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { addWorkout } from '../library/feature-app.ts'
import { runId } from './library.ts'

// What a bar, a total or a day of the dashboard counts is what the list behind it has.

const FRAME = 'days=local&timezoneOffsetMinutes=60'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  const runs = [
    // 0:20 on the first day of a month, a week and a bucket of 52 weeks, at home and elsewhere
    ['2025-11-16T23:20:00Z', 60, 5000.1, false],
    ['2025-11-17T05:20:00Z', -300, 7000.2, false],
    ['2025-10-31T23:20:00Z', 60, 8000, false],
    ['2025-11-01T13:20:00Z', -840, 1000, false],
    ['2024-12-31T10:20:00Z', 840, 3000, false],
    ['2025-11-16T22:59:59Z', null, 4000, false],
    ['2025-11-16T23:00:00Z', null, 6000, false],
    ['2025-11-18T10:00:00Z', 60, 9000, true],
    ['2025-11-19T04:30:00Z', -300, 12_000, false],
  ] as const
  for (const [index, [start, utcOffsetMinutes, distanceM, leftOut]] of runs.entries())
    addWorkout(app.deps, { id: runId(index), startedAt: Date.parse(start), utcOffsetMinutes, distanceM, leftOut })
})
afterAll(() => app.close())

/** Count and metres of the list from one day to another, both included. */
async function listed(from: string, to: string): Promise<readonly [runs: number, distanceM: number]> {
  const query = `startDate=${from}&endDate=${to}&${FRAME}&leftOut=false&pageSize=100`
  const { totalCount, totals, items } = await app.ok('GET', `/workouts?${query}`)
  expect(items.length).toBe(totalCount)
  return [totalCount, totals.distanceM]
}

const lastOf = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)

test('a day has the runs and metres of its list', async () => {
  const { days } = await app.ok('GET', `/stats/daily?${FRAME}&from=2024-12-01&to=2025-12-01`)
  expect(days.map(({ date, runs }: { date: string; runs: number }) => [date, runs])).toEqual([
    ['2025-01-01', 1],
    ['2025-10-31', 1],
    ['2025-11-01', 1],
    ['2025-11-16', 1],
    ['2025-11-17', 3],
    ['2025-11-18', 1],
  ])
  for (const { date, runs, distanceM } of days)
    expect([date, ...(await listed(date, date))]).toEqual([date, runs, distanceM])
})

test('a day, a week and a month of the calendar have the runs and metres of their lists', async () => {
  const query = 'timezoneOffsetMinutes=60&from=2025-01-01&to=2026-01-01'
  const { days } = await app.ok('GET', `/training/calendar?${query}`)
  expect(days.map(({ date }: { date: string }) => date)).toEqual([
    ...['2025-01-01', '2025-10-31', '2025-11-01', '2025-11-16', '2025-11-17', '2025-11-18'],
  ])
  for (const [from, to] of [
    ...days.map(({ date }: { date: string }) => [date, date]),
    ['2025-10-27', '2025-11-02'],
    ['2025-11-17', '2025-11-23'],
    ['2025-11-01', '2025-11-30'],
  ]) {
    const within = days.filter(({ date }: { date: string }) => date >= from && date <= to)
    const sum = (name: 'runs' | 'distanceM') =>
      within.reduce((total: number, day: Record<typeof name, number>) => total + day[name], 0)
    expect([from, ...(await listed(from, to))]).toEqual([from, sum('runs'), sum('distanceM')])
  }
})

test('a period of a goal has the runs and metres of its list', async () => {
  const of = { from: '2025-11-01', to: '2025-11-17', period: 'dates' }
  for (const [metric, target] of [
    ['runs', 3],
    ['distanceM', 10_000],
  ] as const) {
    const { status } = await app.call('POST', '/training/goals', { json: { metric, target, ...of } })
    expect(status).toBe(201)
  }
  const goals = await app.ok('GET', '/training/goals?timezoneOffsetMinutes=60')
  const done = goals.flatMap(({ history }: { history: { from: string; to: string; done: number }[] }) =>
    history.map(({ from, to, done }) => [from, to, done]),
  )
  const [runs, metres] = await listed(of.from, of.to)
  expect(done.toSorted()).toEqual(
    [
      [of.from, of.to, metres],
      [of.from, of.to, runs],
    ].toSorted(),
  )
})

test('a month has the runs and metres of its list, and so has the whole log', async () => {
  const { months } = await app.ok('GET', `/stats/monthly?${FRAME}`)
  expect(months.map(({ month, runs }: { month: string; runs: number }) => [month, runs])).toEqual([
    ['2025-01', 1],
    ['2025-10', 1],
    ['2025-11', 6],
  ])
  let [all, metres] = [0, 0]
  for (const { month, runs, distanceM } of months) {
    expect([month, ...(await listed(`${month}-01`, lastOf(month)))]).toEqual([month, runs, distanceM])
    all += runs
    metres += distanceM
  }
  const { totalCount, totals } = await app.ok('GET', '/workouts?leftOut=false')
  expect([totalCount, totals.distanceM]).toEqual([all, metres])
})

test('a bar of 52 has the metres of its list, and a week the runs', async () => {
  const { weeks } = await app.ok('GET', `/stats/yearly-weekly?${FRAME}&periodEndDate=2025-11-30`)
  for (const { weekStart, weekEnd, distanceM } of weeks)
    expect([weekStart, (await listed(weekStart, weekEnd))[1]]).toEqual([weekStart, distanceM])
  const { weekStart, weekEnd, metrics } = await app.ok('GET', `/stats/weekly-recap?${FRAME}&referenceDate=2025-11-19`)
  expect(await listed(weekStart, weekEnd)).toEqual([metrics.runs.current, metrics.distanceM.current])
  expect(metrics.runs.current).toBe(4)
})
