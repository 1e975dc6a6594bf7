import { useEffect, useState } from 'preact/hooks'

/** A value that views watch: small enough not to need a library. */
export interface Store<T> {
  get(): T
  set(value: T): void
  watch(listener: () => void): () => void
  isWatched(): boolean
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isWatched: () => listeners.size > 0,
  }
}

/**
 * Deletes the entries that were used first and that no view watches, until `most` are left.
 * @param entries in the order of their last use
 */
export function forgetUnwatched<T>(entries: Map<string, Store<T>>, most: number): void {
  for (const [key, store] of entries) {
    if (entries.size <= most) return
    if (!store.isWatched()) entries.delete(key)
  }
}

/** The value of a store, and a new rendering whenever it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({})
  const value = store.get()
  useEffect(() => {
    // what changed between rendering and now
    if (!Object.is(store.get(), value)) render({})
    return store.watch(() => render({}))
  }, [store])
  return value
}
