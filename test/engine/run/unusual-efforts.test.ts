import { expect, test } from 'bun:test'
import { isUnusuallyFast } from '../../../src/engine/run/unusual-efforts.ts'

/** Nine other runs, the fastest in so many milliseconds. */
const others = (bestMs: number, count = 9) => Array.from({ length: count }, (_, k) => bestMs + 1000 * k)
const MILE_M = 1609.344

test('an effort is unusually fast when it beats the second best of ten by more than 5%', () => {
  const is = (timeMs: number, bestMs: number) =>
    isUnusuallyFast({ distanceM: 400, timeMs, isRace: false }, others(bestMs))
  expect(is(57_000, 66_000)).toBe(true)
  // 5% of 66 s are 3.3 s
  expect(is(62_699, 66_000)).toBe(true)
  expect(is(62_700, 66_000)).toBe(false)
  expect(is(66_001, 66_000)).toBe(false)
})

test('races, distances beyond a mile, and fewer than ten efforts are never asked about', () => {
  const effort = { distanceM: MILE_M, timeMs: 240_000, isRace: false }
  expect(isUnusuallyFast(effort, others(300_000))).toBe(true)
  expect(isUnusuallyFast({ ...effort, isRace: true }, others(300_000))).toBe(false)
  expect(isUnusuallyFast({ ...effort, distanceM: 2 * MILE_M }, others(300_000))).toBe(false)
  expect(isUnusuallyFast(effort, others(300_000, 8))).toBe(false)
  expect(isUnusuallyFast(effort, [])).toBe(false)
})
