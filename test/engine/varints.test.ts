import { expect, test } from 'bun:test'
import { decodedNumbers, decodedRows, encodedNumbers, encodedRows } from '../../src/engine/varints.ts'

test('numbers and rows come back, and a number that ends early is refused', () => {
  const numbers = [0, 1, 127, 128, 300, 16_383, 16_384, 2 ** 31]
  expect([...encodedNumbers([300])]).toEqual([0xac, 0x02])
  expect(decodedNumbers(encodedNumbers(numbers))).toEqual(numbers)
  const rows = [
    [5, -7],
    [6, 1000],
    [6, -100_000],
  ]
  expect(decodedRows(encodedRows(rows), 2)).toEqual(rows)
  expect(() => decodedNumbers(encodedNumbers([1, 300]).slice(0, 2))).toThrow(RangeError)
})
