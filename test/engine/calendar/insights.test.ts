import { describe, expect, test } from 'bun:test'
import {
  biggestWeek,
  calendarWeeks,
  favoriteTimeOfDay,
  favoriteWeekday,
  greatest,
  localRun,
  percentage,
  streaks,
} from '../../../src/engine/calendar/insights.ts'
import { isoDate, parseDay } from '../../../src/engine/calendar/weeks.ts'

function run(start: string, distanceM = 1000, offsetMinutes = 0) {
  return localRun(Date.parse(start), offsetMinutes, distanceM)
}

function day(date: string): number {
  return parseDay(date)!
}

describe('greatest', () => {
  test('the earliest of equals, and only what takes part', () => {
    const runs = [{ v: null }, { v: 3 }, { v: 7 }, { v: 7 }, { v: Number.NaN }]
    expect(greatest(runs, ({ v }) => v)).toBe(runs[2]!)
    expect(greatest(runs, () => null)).toBeNull()
    expect(greatest([], () => 1)).toBeNull()
  })
})

test('a share has one decimal', () => {
  expect([percentage(31, 120), percentage(1, 3), percentage(2, 2), percentage(0, 0)]).toEqual([25.8, 33.3, 100, 0])
})

describe('streaks', () => {
  test('two runs of a day are one day, the earliest of equals counts, and the order of instants is not that of days', () => {
    const found = streaks(
      [
        run('2025-01-01T08:00:00Z'),
        run('2025-01-01T18:00:00Z'),
        run('2025-01-02T08:00:00Z'),
        // 4 January in Kiritimati begins before 3 January in Honolulu ends
        run('2025-01-05T11:00:00Z', 1, 840),
        run('2025-01-05T12:00:00Z', 1, -600),
      ],
      day('2025-01-30'),
    )
    expect(found).toMatchObject({ longestDays: 2, longestFirstDay: day('2025-01-01'), currentDays: 0 })
  })

  test('weeks in a row over the turn of the year; nothing without runs', () => {
    const weeks = ['2024-12-22', '2024-12-23', '2025-01-05', '2025-01-06', '2025-01-20'].map((date) =>
      run(`${date}T12:00:00Z`),
    )
    expect(streaks(weeks, day('2025-01-20'))!.longestWeeks).toBe(4)
    expect(streaks([], 0)).toBeNull()
  })
})

describe('favourites', () => {
  test('the weekday is the local one; of equals the first of the week', () => {
    // 2025-06-15 is a Sunday; 23:30 UTC of it is Monday at +60
    expect(favoriteWeekday([run('2025-06-15T23:30:00Z')])).toEqual({ kind: 6, runs: 1, percentage: 100 })
    expect(favoriteWeekday([run('2025-06-15T23:30:00Z', 1, 60)])!.kind).toBe(0)
    expect(favoriteWeekday([run('2025-06-15T12:00:00Z'), run('2025-06-18T12:00:00Z')])).toEqual({
      kind: 2,
      runs: 1,
      percentage: 50,
    })
    expect(favoriteWeekday([])).toBeNull()
  })

  test.each([
    ['04:59:59', 'night'],
    ['05:00:00', 'morning'],
    ['11:59:59', 'morning'],
    ['12:00:00', 'afternoon'],
    ['16:59:59', 'afternoon'],
    ['17:00:00', 'evening'],
    ['20:59:59', 'evening'],
    ['21:00:00', 'night'],
    ['00:00:00', 'night'],
  ])('a start at %s is %s', (time, kind) => {
    expect(favoriteTimeOfDay([run(`2025-06-15T${time}Z`)])!.kind as string).toBe(kind)
    expect(favoriteTimeOfDay([run(`1969-06-15T${time}Z`)])!.kind as string).toBe(kind)
    const inKathmandu = Date.parse(`2025-06-15T${time}Z`) - 345 * 60_000
    expect(favoriteTimeOfDay([localRun(inKathmandu, 345, 1)])!.kind as string).toBe(kind)
  })
})

describe('weeks', () => {
  test('the biggest week is the one with most metres; the earliest of equals', () => {
    const runs = [
      run('2025-06-08T23:59:59.999Z', 0.3),
      run('2025-06-09T00:00:00Z', 0.1),
      run('2025-06-10T00:00:00Z', 0.1),
      run('2025-06-15T23:00:00Z', 0.1),
      run('2025-06-16T00:00:00Z', 0.2),
    ]
    // 0.1 + 0.1 + 0.1 is a little more than 0.3 in binary: still a tie
    const found = biggestWeek(runs)!
    expect([isoDate(found.firstDay), found.distanceM, found.runs]).toEqual(['2025-06-02', 0.3, 1])
    expect(biggestWeek([])).toBeNull()
  })

  test('calendar weeks from the first run to now, both counted', () => {
    expect(calendarWeeks(day('2025-06-15'), day('2025-06-16'))).toBe(2)
    expect(calendarWeeks(day('2025-06-09'), day('2025-06-15'))).toBe(1)
    expect(calendarWeeks(day('2025-07-15'), day('2025-06-15'))).toBe(1)
  })
})
