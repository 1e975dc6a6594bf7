import { useEffect, useState } from 'preact/hooks'

/** A value that components watch; small enough not to need a library. */
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
 * Deletes the least recently used entries that no component watches, beyond the `most` last of them. Those watched do
 * not count: a component watches only after it was rendered, and until then its entry is among the last.
 * @param entries in order of last use
 */
export function forgetUnwatched<T>(entries: Map<string, Store<T>>, most: number): void {
  const unwatched = [...entries].filter(([, store]) => !store.isWatched())
  for (const [key] of unwatched.slice(0, -most)) entries.delete(key)
}

/** The value of a store; renders again whenever it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({})
  const value = store.get()
  useEffect(() => {
    // the value may have changed between rendering and this effect
    if (!Object.is(store.get(), value)) render({})
    return store.watch(() => render({}))
  }, [store])
  return value
}
