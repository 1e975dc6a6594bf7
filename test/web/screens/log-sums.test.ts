import { describe, expect, test } from 'bun:test'
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
  ...{ date, distanceM: 5000, durationS: 1500, elevGainM: 10, runs: 1, relativeEffort },
  ...{ runsWithoutEffort: relativeEffort === null ? 1 : 0, load: null },
  ...more,
})
const month = (name: string, runs = 2) => ({ month: name, runs, distanceM: 5000 * runs, durationS: 60, elevGainM: 1 })

describe('sums of days', () => {
  const days = [
    day('2025-11-09'),
    day('2025-11-10', null),
    day('2025-11-12', 60, { runs: 2, distanceM: 9000, load: 31.5 }),
  ]

  test('have both ends, and count the runs whose effort is unknown', () => {
    expect(sumsOfDays(days, '2025-11-10', '2025-11-12')).toEqual({
      ...{ runs: 3, distanceM: 14_000, durationS: 3000, elevGainM: 20 },
      ...{ effort: 60, runsWithoutEffort: 1, load: 31.5 },
    })
  })

  test('of runs without heart rate, or of none, have no effort', () => {
    expect(sumsOfDays(days, '2025-11-10', '2025-11-11')).toMatchObject({ runs: 1, effort: null, runsWithoutEffort: 1 })
    expect(sumsOfDays(days, '2025-11-13', '2025-11-16')).toMatchObject({ runs: 0, effort: null, runsWithoutEffort: 0 })
  })
})

test('days are shifted over the ends of months and years', () => {
  expect([shiftedDay('2025-03-01', -1), shiftedDay('2024-12-31', 1)]).toEqual(['2025-02-28', '2025-01-01'])
})

test('months are added up by year, one by one, or all', () => {
  const months = [month('2024-12'), month('2025-01', 3), month('2025-11')]
  const runs = (prefix: string) => sumsOfMonths(months, prefix).runs
  expect([runs('2025'), runs('2025-11'), runs('2023'), runs('')]).toEqual([5, 2, 0, 7])
})

test('months go back over the end of a year, each to its last day', () => {
  const months = monthsUntil('2024-02', 4)
  expect(months).toEqual(['2023-11', '2023-12', '2024-01', '2024-02'])
  expect(months.map(lastDayOf)).toEqual(['2023-11-30', '2023-12-31', '2024-01-31', '2024-02-29'])
})

test('who has not run for four weeks has paused; who never ran has not', () => {
  const months = [month('2025-10')]
  expect(isPaused([day('2025-10-24')], months, '2025-11-20')).toBe(false)
  expect(isPaused([day('2025-10-23')], months, '2025-11-20')).toBe(true)
  expect(isPaused([], months, '2026-11-20')).toBe(true)
  expect(isPaused([], [], '2026-11-20')).toBe(false)
})

describe('runs a week', () => {
  const daily = Array.from({ length: 400 }, (_, index) => day(shiftedDay('2025-11-20', -index)))

  test('are those of the last twelve months, even of a log that is older', () => {
    expect(runsAWeek(daily, '2020-01-01', '2025-11-20')).toBeCloseTo(7, 9)
    // half a year of rest belongs to it
    expect(runsAWeek(daily.slice(0, 182), '2020-01-01', '2025-11-20')).toBeCloseTo(3.49, 2)
  })

  test('of a young log are those since its first run, of its first days those of a week', () => {
    expect(runsAWeek(daily.slice(0, 14), '2025-11-07', '2025-11-20')).toBeCloseTo(7, 9)
    expect(runsAWeek(daily.slice(0, 2), '2025-11-19', '2025-11-20')).toBe(2)
  })
})

test('a route over the date line stays in one piece, there and back', () => {
  expect(unwrapped([179.98, 179.99, -179.99, -179.98, 179.99])).toEqual([179.98, 179.99, 180.01, 180.02, 179.99])
  expect(unwrapped([-179.99, 179.99])).toEqual([-179.99, -180.01])
  expect(unwrapped([8, 8.01])).toEqual([8, 8.01])
})
