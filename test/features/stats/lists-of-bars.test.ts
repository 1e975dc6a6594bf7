import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { addWorkout } from '../../library/feature-app.ts'
import { said } from '../../rows.ts'
import { runId } from './library.ts'

// What a bar, a total or a day of the dashboard counts is what the list behind it has.

const OFFSET = 'timezoneOffsetMinutes=60'
const FRAME = `days=local&${OFFSET}`

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
async function listed(from: string, to: string): Promise<[runs: number, distanceM: number]> {
  const query = `startDate=${from}&endDate=${to}&${FRAME}&leftOut=false&pageSize=100`
  const { totalCount, totals, items } = await app.ok('GET', `/workouts?${query}`)
  expect(items.length).toBe(totalCount)
  return [totalCount, totals.distanceM]
}

async function expectListed(from: string, to: string, numbers: readonly [runs: number, distanceM: number]) {
  expect([from, to, ...(await listed(from, to))]).toEqual([from, to, ...numbers])
}

const DAYS = ['2025-01-01', '2025-10-31', '2025-11-01', '2025-11-16', '2025-11-17', '2025-11-18']

test('a day, a week and a month of statistics and calendar have the runs and metres of their lists', async () => {
  for (const path of [`/stats/daily?${FRAME}`, `/training/calendar?${OFFSET}`]) {
    const { days } = await app.ok('GET', `${path}&from=2024-12-01&to=2025-12-01`)
    const numbers: [string, number, number][] = said(days, 'date', 'runs', 'distanceM') as never
    expect(numbers.map(([date, runs]) => [date, runs])).toEqual(DAYS.map((date, k) => [date, k === 4 ? 3 : 1]))
    for (const [from = '', to = ''] of [
      ...DAYS.map((date) => [date, date]),
      ['2025-10-27', '2025-11-02'],
      ['2025-11-17', '2025-11-23'],
      ['2025-11-01', '2025-11-30'],
    ]) {
      const within = numbers.filter(([date]) => date >= from && date <= to)
      const sum = (at: 1 | 2) => within.reduce((total, day) => total + day[at], 0)
      await expectListed(from, to, [sum(1), sum(2)])
    }
  }
})

test('a month has the runs and metres of its list, and so has the whole log', async () => {
  const { months } = await app.ok('GET', `/stats/monthly?${FRAME}`)
  const numbers: [string, number, number][] = said(months, 'month', 'runs', 'distanceM') as never
  expect(numbers.map(([month, runs]) => `${month}: ${runs}`)).toEqual(['2025-01: 1', '2025-10: 1', '2025-11: 6'])
  for (const [month, ...rest] of numbers) {
    const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
    await expectListed(`${month}-01`, last, rest)
  }
  const { totalCount, totals } = await app.ok('GET', '/workouts?leftOut=false')
  const sum = (at: 1 | 2) => numbers.reduce((all, month) => all + month[at], 0)
  expect([totalCount, totals.distanceM]).toEqual([sum(1), sum(2)])
})

test('moving time of days and months is that of the list, at 0:20 too; what is unknown or longer counts as elapsed', async () => {
  const own = await testApp()
  const runs = [
    ['2025-11-16T23:20:00Z', { movingTimeS: 1100, timerTimeS: 1150 }],
    ['2025-11-17T09:00:00Z', { timerTimeS: 1000 }],
    ['2025-11-18T09:00:00Z', {}],
    ['2025-11-19T09:00:00Z', { movingTimeS: 5000 }],
    ['2025-10-31T22:59:00Z', { movingTimeS: 1 }],
  ] as const
  for (const [index, [start, more]] of runs.entries())
    addWorkout(own.deps, {
      id: runId(index),
      startedAt: Date.parse(start),
      utcOffsetMinutes: 60,
      durationS: 1200,
      ...more,
    })
  const listedS = async (from: string, to: string) =>
    (await own.ok('GET', `/workouts?startDate=${from}&endDate=${to}&${FRAME}&leftOut=false`)).totals.movingTimeS
  const { days } = await own.ok('GET', `/stats/daily?${FRAME}&from=2025-11-01&to=2025-12-01`)
  expect(said(days, 'date', 'movingTimeS', 'durationS')).toEqual([
    ['2025-11-17', 2100, 2400],
    ['2025-11-18', 1200, 1200],
    ['2025-11-19', 1200, 1200],
  ])
  const calendar = await own.ok('GET', `/training/calendar?${OFFSET}&from=2025-11-01&to=2025-12-01`)
  expect(said(calendar.days, 'date', 'movingTimeS', 'durationS')).toEqual(
    said(days, 'date', 'movingTimeS', 'durationS'),
  )
  expect(await listedS('2025-11-17', '2025-11-17')).toBe(2100)
  const { months } = await own.ok('GET', `/stats/monthly?${FRAME}`)
  expect(said(months, 'month', 'movingTimeS')).toEqual([
    ['2025-10', 1],
    ['2025-11', 4500],
  ])
  expect(await listedS('2025-11-01', '2025-11-30')).toBe(4500)
  await own.close()
})
