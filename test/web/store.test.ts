import { expect, test } from 'bun:test'
import { createStore, forgetUnwatched, type Store } from '../../src/web/store.ts'

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
