import { expect, test } from 'bun:test'
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

test('years beyond four digits and before 0 still have a form', () => {
  const beyond = [day('9999-12-31') + 1, day('0001-01-01') - 1, day('0001-01-01') - 367]
  expect(beyond.map(isoDate)).toEqual(['10000-01-01', '0000-12-31', '-0001-12-31'])
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
