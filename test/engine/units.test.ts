import { expect, test } from 'bun:test'
import { roundHalfUp } from '../../src/engine/units.ts'

test.each([
  [72.5, 0, 73],
  [-72.5, 0, -72],
  [-0.5, 0, 0],
  [-0.2, 0, 0],
  [-0, 0, 0],
  [1.005, 2, 1.01],
  [-1.005, 2, -1],
  // the noise of so large a number is more than one
  [3_000_000_000_000_001, 0, 3_000_000_000_000_001],
  [123_456_789, 7, 123_456_789],
  [2 ** 53 - 1, 0, 2 ** 53 - 1],
  [Number.NaN, 1, Number.NaN],
  [Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY],
])('%p to %p decimals is %p', (value, decimals, rounded) => {
  expect(roundHalfUp(value, decimals)).toBe(rounded)
})
