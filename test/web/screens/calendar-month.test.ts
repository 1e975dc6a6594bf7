import { expect, test } from 'bun:test'
import { monthOf, shiftedMonth, weeksOf } from '../../../src/web/screens/training/series.ts'

test('the month of an address is today’s where it names none', () => {
  for (const wrong of [null, '', '2026', '2026-13', '2026-1', 'x']) expect(monthOf(wrong, '2026-11-23')).toBe('2026-11')
  expect(monthOf('2024-02', '2026-11-23')).toBe('2024-02')
})

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['0001-01', -1, '0001-01'],
  ['9999-12', 1, '9999-12'],
])('%s and %d months are %s', (month, by, other) => {
  expect(shiftedMonth(month, by)).toBe(other)
})

test.each([
  // begins on a Sunday
  ['2026-11', 6, '2026-10-26', '2026-12-06'],
  // 28 days from a Monday on
  ['2027-02', 4, '2027-02-01', '2027-02-28'],
  ['2024-02', 5, '2024-01-29', '2024-03-03'],
])('%s has %d whole weeks', (month, count, first, last) => {
  const weeks = weeksOf(month)
  expect(weeks.map(({ length }) => length)).toEqual(Array.from({ length: count }, () => 7))
  expect([weeks[0]![0], weeks.at(-1)!.at(-1)]).toEqual([first, last])
})
