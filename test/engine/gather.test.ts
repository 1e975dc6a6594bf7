import { expect, test } from 'bun:test'
import { gathered, rowNumbers } from '../../src/engine/gather.ts'

test('values come in the order of the rows, gaps and repeated rows included', () => {
  const values = Float64Array.of(1.5, Number.NaN, 3)
  expect([...gathered(values, Uint32Array.of(2, 0, 1, 2))]).toEqual([3, 1.5, Number.NaN, 3])
  expect([...gathered(values, [])]).toEqual([])
  expect(rowNumbers(3)).toEqual(Uint32Array.of(0, 1, 2))
})
