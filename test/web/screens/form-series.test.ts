import { expect, test } from 'bun:test'
import { weekLoad } from '../../../src/web/screens/training/form-series.ts'

// Saturday, 1 November 2025, and twelve days more
const days = Array.from({ length: 13 }, (_, day) => ({
  date: `2025-11-${String(day + 1).padStart(2, '0')}`,
  load: 10 ** Math.min(1, day % 2) * (day + 1),
}))

test('the load of a week is from Monday to Sunday, and not told where the series begins within it', () => {
  expect([weekLoad(days, 0), weekLoad(days, 1)]).toEqual([null, null])
  // 3 to 9 November, from any of its days
  const whole = days.slice(2, 9).reduce((sum, { load }) => sum + load, 0)
  expect([2, 5, 8].map((index) => weekLoad(days, index))).toEqual([whole, whole, whole])
  // as far as it went
  expect(weekLoad(days, 12)).toBe(days.slice(9).reduce((sum, { load }) => sum + load, 0))
})
