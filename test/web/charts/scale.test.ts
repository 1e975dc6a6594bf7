import { expect, test } from 'bun:test'
import { ticks } from '../../../src/web/charts/scale.ts'

test.each([
  [1, 3, [0, 1]],
  [2.2, 3, [0, 1, 2, 3]],
  [7, 3, [0, 5, 10]],
  [7, 2, [0, 5, 10]],
  [62, 3, [0, 25, 50, 75]],
])('grid lines of whole numbers up to %d in about %d steps are %p', (max, count, found) => {
  expect(ticks(max, count, true)).toEqual(found)
})

test('others may have decimals', () => {
  expect(ticks(1)).toEqual([0, 0.5, 1])
  expect(ticks(0)).toEqual([0, 1])
})
