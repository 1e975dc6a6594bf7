import { expect, test } from 'bun:test'
import { unwrapped } from '../../../src/web/charts/route-thumb.tsx'
import { shiftedDay } from '../../../src/web/days.ts'
import {
  isPaused,
  lastDayOf,
  monthsUntil,
  runsAWeek,
  sumsOfDays,
  sumsOfMonths,
} from '../../../src/web/screens/dashboard/log-sums.ts'

const day = (date: string, relativeEffort: number | null = 40, more = {}) => ({
  ...{ date, distanceM: 5000, durationS: 1500, movingTimeS: 1400, elevGainM: 10, runs: 1, relativeEffort },
  ...{ runsWithoutEffort: relativeEffort === null ? 1 : 0, load: null },
  ...more,
})
const month = (name: string, runs = 2) => {
  const sums = { distanceM: 5000 * runs, durationS: 60, movingTimeS: 50, elevGainM: 1 }
  return { month: name, runs, ...sums }
}

test('sums of days have both ends, and count the runs whose effort is unknown', () => {
  const last = day('2025-11-12', 60, { runs: 2, distanceM: 9000, load: 31.5 })
  const days = [day('2025-11-09'), day('2025-11-10', null), last]
  expect(sumsOfDays(days, '2025-11-10', '2025-11-12')).toEqual({
    ...{ runs: 3, distanceM: 14_000, durationS: 3000, elevGainM: 20 },
    ...{ effort: 60, runsWithoutEffort: 1, load: 31.5 },
  })
  // of runs without heart rate, or of none, there is no effort
  expect(sumsOfDays(days, '2025-11-10', '2025-11-11')).toMatchObject({ runs: 1, effort: null, runsWithoutEffort: 1 })
  expect(sumsOfDays(days, '2025-11-13', '2025-11-16')).toMatchObject({ runs: 0, effort: null, runsWithoutEffort: 0 })
})

test('days and months go over the ends of months and years, and months are added up by year, one by one, or all', () => {
  expect([shiftedDay('2025-03-01', -1), shiftedDay('2024-12-31', 1)]).toEqual(['2025-02-28', '2025-01-01'])
  const back = monthsUntil('2024-02', 4)
  expect(back).toEqual(['2023-11', '2023-12', '2024-01', '2024-02'])
  expect(back.map(lastDayOf)).toEqual(['2023-11-30', '2023-12-31', '2024-01-31', '2024-02-29'])
  const months = [month('2024-12'), month('2025-01', 3), month('2025-11')]
  expect(['2025', '2025-11', '2023', ''].map((prefix) => sumsOfMonths(months, prefix).runs)).toEqual([5, 2, 0, 7])
})

test.each([
  [['2025-10-24'], ['2025-10'], '2025-11-20', false],
  [['2025-10-23'], ['2025-10'], '2025-11-20', true],
  [[], ['2025-10'], '2026-11-20', true],
  [[], [], '2026-11-20', false],
] as const)('of days %j and months %j it is on %s %p that somebody paused', (days, months, today, expected) => {
  const [ran, sums] = [days.map((date) => day(date)), months.map((name) => month(name))]
  expect(isPaused(ran, sums, today)).toBe(expected)
})

test('runs a week are those of the last twelve months with their rests, of a young log those since its first run', () => {
  const daily = Array.from({ length: 400 }, (_, index) => day(shiftedDay('2025-11-20', -index)))
  const since = (first: string, count: number) => runsAWeek(daily.slice(0, count), first, '2025-11-20')
  expect(since('2020-01-01', 400)).toBeCloseTo(7, 9)
  expect(since('2020-01-01', 182)).toBeCloseTo(3.49, 2)
  expect(since('2025-11-07', 14)).toBeCloseTo(7, 9)
  expect(since('2025-11-19', 2)).toBe(2)
})

test('a route over the date line stays in one piece, there and back', () => {
  expect(unwrapped([179.98, 179.99, -179.99, -179.98, 179.99])).toEqual([179.98, 179.99, 180.01, 180.02, 179.99])
  expect(unwrapped([-179.99, 179.99])).toEqual([-179.99, -180.01])
  expect(unwrapped([8, 8.01])).toEqual([8, 8.01])
})
