import { expect, test } from 'bun:test'
import { biggestWeek, favoriteTimeOfDay, greatest, localRun, streaks } from '../../../src/engine/calendar/insights.ts'
import { isoDate, localDay, parseDay, weekdayOf, weekWindow } from '../../../src/engine/calendar/weeks.ts'

const DAY_MS = 86_400_000
const day = (date: string) => parseDay(date)!

test('days agree with the calendar of the runtime from year 1 to 9999, every one of 1896 to 2104', () => {
  const check = (n: number) => {
    const date = new Date(n * DAY_MS)
    expect(isoDate(n)).toBe(date.toISOString().slice(0, 10))
    expect(parseDay(isoDate(n))).toBe(n)
    expect(weekdayOf(n)).toBe((date.getUTCDay() + 6) % 7)
  }
  for (let n = day('0001-01-01'); n <= day('9999-12-31'); n += 13) check(n)
  for (let n = day('1896-01-01'); n < day('2104-12-31'); n += 1) check(n)
})

test.each([
  ...['2025-02-29', '2100-02-29', '2025-04-31', '2025-13-01', '2025-00-10', '2025-01-00', '2025-1-1', '25-01-01', ''],
  ...['2025-01-01T00:00:00Z', ' 2025-01-01', '2025-01-01\n', '0000-01-01', '+2025-01-01', '２０２５-01-01'],
])('%j is no date', (text) => {
  expect(parseDay(text)).toBeNull()
})

test('a week before 1970 begins on its own Monday, and its window is half-open', () => {
  const week = weekWindow(localDay(Date.parse('1969-12-28T23:59:59.999Z'), 0), 0)
  expect(isoDate(week.firstDay)).toBe('1969-12-22')
  expect(new Date(week.endMs).toISOString()).toBe('1969-12-29T00:00:00.000Z')
})

function run(start: string, distanceM = 1000, offsetMinutes = 0) {
  return localRun(Date.parse(start), offsetMinutes, distanceM)
}

test('a value that is not a number takes no part', () => {
  const runs = [{ v: null }, { v: 3 }, { v: 7 }, { v: Number.NaN }]
  expect(greatest(runs, ({ v }) => v)).toBe(runs[2]!)
})

test('a streak is of local days: the order of instants is not that of days', () => {
  // 4 January in Kiritimati begins before 3 January in Honolulu ends
  const apart = [run('2025-01-05T11:00:00Z', 1, 840), run('2025-01-05T12:00:00Z', 1, -600)]
  const found = streaks([run('2025-01-01T08:00:00Z'), run('2025-01-02T08:00:00Z'), ...apart], parseDay('2025-01-30')!)
  expect(found).toMatchObject({ longestDays: 2, longestFirstDay: parseDay('2025-01-01'), currentDays: 0 })
})

test('weeks in a row go over the turn of the year', () => {
  const days = ['2024-12-22', '2024-12-23', '2025-01-05', '2025-01-06', '2025-01-20']
  const weeks = days.map((date) => run(`${date}T12:00:00Z`))
  expect(streaks(weeks, parseDay('2025-01-20')!)!.longestWeeks).toBe(4)
})

test.each([
  ['night', ['04:59:59', '21:00:00', '00:00:00']],
  ['morning', ['05:00:00', '11:59:59']],
  ['afternoon', ['12:00:00', '16:59:59']],
  ['evening', ['17:00:00', '20:59:59']],
])('it is %s at %j, before 1970 and in Kathmandu as well', (kind, times) => {
  for (const time of times) {
    const inKathmandu = localRun(Date.parse(`2025-06-15T${time}Z`) - 345 * 60_000, 345, 1)
    for (const one of [run(`2025-06-15T${time}Z`), run(`1969-06-15T${time}Z`), inKathmandu])
      expect(favoriteTimeOfDay([one])!.kind as string).toBe(kind)
  }
})

test('of weeks with as many metres the earliest is the biggest, whatever the noise of binary sums', () => {
  const days = ['2025-06-08T23:59:59.999Z', '2025-06-09T00:00:00Z', '2025-06-10T00:00:00Z', '2025-06-15T23:00:00Z']
  // 0.1 + 0.1 + 0.1 is a little more than 0.3 in binary: still a tie
  const found = biggestWeek(days.map((start, i) => run(start, i === 0 ? 0.3 : 0.1)))!
  expect([isoDate(found.firstDay), found.distanceM, found.runs]).toEqual(['2025-06-02', 0.3, 1])
})
