import { expect, test } from 'bun:test'
import { answerOf, createStore, type Entry, forgetUnwatched, isSame, outdate, type Store } from '../../src/web/store.ts'

/** Entries in order of last use. */
function entries(watched: number, unwatched: number): Map<string, Store<number>> {
  const stores = new Map<string, Store<number>>()
  for (let n = 0; n < watched + unwatched; n += 1) stores.set(String(n), createStore(n))
  for (const store of [...stores.values()].slice(0, watched)) store.watch(() => {})
  return stores
}

test('an entry rendered just now, and so not watched yet, is kept however many others are watched', () => {
  const stores = entries(25, 1)
  forgetUnwatched(stores, 20)
  expect(stores.size).toBe(26)
})

test('what is outdated is asked again by its next view, and its data stays until then', () => {
  const current: Entry = { data: 1, error: null, isLoading: false, isStale: false, askedMs: 5 }
  for (const path of ['/workouts/a', '/workouts/a/laps', '/shoes']) answerOf(path).set(current)
  answerOf('/stats').set({ ...current, askedMs: 9 })
  outdate(({ askedMs }, path) => askedMs < 7 && !path.startsWith('/workouts/a'))
  const after = ['/workouts/a', '/workouts/a/laps', '/shoes', '/stats'].map((path) => answerOf(path).get())
  expect(after.map(({ isStale }) => isStale)).toEqual([false, false, true, false])
  expect(after.map(({ data }) => data)).toEqual([1, 1, 1, 1])
})

test.each([
  [true, { a: [1, null, { b: 'c' }] }, { a: [1, null, { b: 'c' }] }],
  [true, { a: 1, b: Number.NaN }, { b: Number.NaN, a: 1 }],
  [false, { a: 1 }, { a: 1, b: undefined }],
  [false, [1, 2], [1, 2, 3]],
  [false, [], {}],
  [false, { a: null }, { a: {} }],
  // what is not of JSON is not looked into
  [false, new Map([[1, 2]]), new Map()],
])('two answers say the same: %p, %p and %p', (same, one, other) => expect(isSame(one, other)).toBe(same))
