import { expect, test } from 'bun:test'
import { unwrapped } from '../../../src/engine/route/box.ts'
import { shiftedDay } from '../../../src/web/format.ts'
import {
  isPaused,
  lastDayOf,
  monthsUntil,
  runsAWeek,
  sumsOfDays,
  sumsOfMonths,
  timed,
  yearUntil,
} from '../../../src/web/screens/sums.ts'

const day = (date: string, more = {}) => {
  return { date, distanceM: 5000, timeS: 1500, elevGainM: 10, runs: 1, load: 0, ...more }
}
const month = (name: string, runs = 2) => ({
  month: name,
  runs,
  distanceM: 5000 * runs,
  timeS: 60,
  elevGainM: 1,
  load: 12.5,
})

test('sums of days have both ends, in the time that the runner chose', () => {
  const days = [day('2025-11-09'), day('2025-11-10'), day('2025-11-12', { runs: 2, distanceM: 9000, load: 31.5 })]
  expect(sumsOfDays(days, '2025-11-10', '2025-11-12')).toEqual({
    ...{ runs: 3, distanceM: 14_000, timeS: 3000, elevGainM: 20, load: 31.5 },
  })
  expect(sumsOfDays(days, '2025-11-13', '2025-11-16')).toMatchObject({ runs: 0, load: 0 })
  const both = [{ durationS: 60, movingTimeS: 50, load: null }]
  expect((['moving', 'elapsed'] as const).map((clock) => timed(both, clock)[0])).toMatchObject([
    { timeS: 50, load: 0 },
    { timeS: 60, load: 0 },
  ])
})

test('a year until a day has its whole months and the days of the last one', () => {
  const months = [month('2024-11'), month('2024-12'), month('2025-01', 3), month('2025-02')]
  const days = [day('2025-02-03'), day('2025-02-04'), day('2025-02-05')]
  expect(yearUntil(months, days, '2025-02-04')).toBe(25_000)
  expect(yearUntil(months, days, '2025-01-31')).toBe(0)
  expect(yearUntil(months, [day('2024-12-01')], '2024-12-31')).toBe(15_000)
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
