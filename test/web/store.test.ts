import { expect, test } from 'bun:test'
import { createStore, forgetUnwatched, type Store } from '../../src/web/store.ts'

test('a store notifies its watchers of other values, and no one who has left', () => {
  const store = createStore(1)
  let told = 0
  const stop = store.watch(() => {
    told += 1
  })
  store.set(1)
  store.set(2)
  expect([told, store.isWatched()]).toEqual([1, true])
  stop()
  store.set(3)
  expect([told, store.get(), store.isWatched()]).toEqual([1, 3, false])
})

test('the entries used first are forgotten, never one that a view watches', () => {
  const entries = new Map<string, Store<number>>()
  for (const key of ['a', 'b', 'c', 'd', 'e']) entries.set(key, createStore(0))
  entries.get('a')?.watch(() => {})
  forgetUnwatched(entries, 3)
  expect([...entries.keys()]).toEqual(['a', 'd', 'e'])
  for (const store of entries.values()) store.watch(() => {})
  forgetUnwatched(entries, 1)
  expect(entries.size).toBe(3)
})
