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

/** An answer that views share. */
export interface Entry {
  readonly data: unknown
  readonly error: Error | null
  readonly isLoading: boolean
  readonly isStale: boolean
  /** When it was last requested, by `performance.now()`. */
  readonly askedMs: number
}

const NOTHING: Entry = { data: null, error: null, isLoading: false, isStale: true, askedMs: 0 }
/** By the path of the call, in order of last use. */
const answers = new Map<string, Store<Entry>>()
/** Answers kept for going back, beside those shown; the run page has eight, the samples being the largest. */
const MOST_KEPT = 20

export function answerOf(path: string): Store<Entry> {
  const store = answers.get(path) ?? createStore(NOTHING)
  answers.delete(path)
  answers.set(path, store)
  return store
}

/**
 * Has views load answers again; the old data stays visible meanwhile. Those that no view shows are loaded when one does.
 * @param isMeant whether an answer is outdated
 */
export function outdate(isMeant: (entry: Entry, path: string) => boolean): void {
  for (const [path, store] of answers) {
    const entry = store.get()
    if (isMeant(entry, path)) store.set({ ...entry, isStale: true })
  }
}

/** Has views load again what could not be loaded; what was not there is not asked for twice. */
export function retryFailed(): void {
  outdate(({ error }) => error !== null && !isMissing(error))
}

function isMissing(error: Error): boolean {
  return 'status' in error && error.status === 404
}

/** Has views load everything again. */
export function reloadAll(): void {
  outdate(() => true)
}

/** Why an answer in view is an older one: it could not be loaded again; null: all are current. */
export const reloadFailure = createStore<string | null>(null)

/** To be called when an answer came or failed, and when another view is shown; views say themselves what is missing. */
export function noteReloads(): void {
  const failed = [...answers.values()].find((store) => {
    const { data, error, isStale } = store.get()
    return data !== null && error !== null && !isMissing(error) && !isStale && store.isWatched()
  })
  reloadFailure.set(failed?.get().error?.message ?? null)
}

export function forgetUnused(): void {
  forgetUnwatched(answers, MOST_KEPT)
}

export function forgetAnswers(): void {
  answers.clear()
}

/** Whether two answers say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isRecord(one) || !isRecord(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
}

/** An object or a list of JSON. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return Array.isArray(value) || (typeof value === 'object' && value?.constructor === Object)
}
