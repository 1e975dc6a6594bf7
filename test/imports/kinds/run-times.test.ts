import { expect, test } from 'bun:test'
import { createRunTimes } from '../../../src/imports/kinds/run-times.ts'

const runs = (...stretches: readonly (readonly [number, number])[]) =>
  createRunTimes(stretches.map(([startMs, endMs]) => ({ startMs, endMs })))

test('an interval is of each run that it touches', () => {
  const times = runs([0, 100], [50, 60], [200, 300])
  const at = (fromMs: number, toMs: number) => [...times(fromMs, toMs)].toSorted()
  expect(at(55, 55)).toEqual([0, 1])
  expect(at(70, 70)).toEqual([0])
  expect(at(-10, 0)).toEqual([0])
  expect(at(100, 200)).toEqual([0, 2])
  expect(at(101, 199)).toEqual([])
  expect(at(301, 400)).toEqual([])
  expect(at(Number.NaN, Number.NaN)).toEqual([])
})

test('a workout of more than a year is none of them', () => {
  expect([...runs([0, 400 * 86_400_000], [1000, 2000])(1500, 1500)]).toEqual([1])
})

test('of many runs at one time an interval is of the eight that began last', () => {
  const times = runs(...Array.from({ length: 20_000 }, (_, k) => [k, 1_000_000] as const))
  expect([...times(500_000, 500_000)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((k) => 19_999 - k))
})
