import { createStore, forgetUnwatched, type Store } from './store.ts'

/** An answer that views share. */
export interface Entry {
  readonly data: unknown
  readonly error: Error | null
  readonly isLoading: boolean
  readonly isStale: boolean
  /** When it was last requested, by `performance.now()`. */
  readonly askedMs: number
}

const ID = /[0-9a-f-]{36}/g
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
 * Has views load answers again; the old data stays visible meanwhile.
 * @param beginnings of their paths, in which :id is any id
 * @param isMeant whether one of these answers is outdated
 */
export function outdate(
  beginnings: readonly string[],
  isMeant: (entry: Entry, path: string) => boolean = () => true,
): void {
  for (const [path, store] of answers) {
    const entry = store.get()
    const shape = path.replaceAll(ID, ':id')
    const isAffected = beginnings.some((one) => path.startsWith(one) || shape.startsWith(one))
    if (isAffected && isMeant(entry, path)) store.set({ ...entry, isStale: true })
  }
}

/** Ids of what this window changes, and when each change ended, until its event arrives. */
const own = new Map<string, number>()
/** Later events are not those of the change. */
const OWN_MS = 2000

/**
 * Notes that this window changes something, whose event then reports nothing new.
 * @param path of the call
 * @returns called at its end, with whether it was done
 */
export function beginOwn(path: string): (isDone: boolean) => void {
  const id = path.match(ID)?.at(-1) ?? ''
  own.set(id, Number.POSITIVE_INFINITY)
  return (isDone) => {
    if (!isDone) own.delete(id)
    if (own.has(id)) own.set(id, performance.now())
    setTimeout(() => own.delete(id), OWN_MS)
  }
}

/** When what an event reports was known at the latest: at the end of this window's own change, or just now. */
export function knownMs(id: string): number {
  const endedMs = own.get(id) ?? Number.POSITIVE_INFINITY
  own.delete(id)
  return Math.min(endedMs, performance.now())
}

/** Has views load again what could not be loaded. */
export function retryFailed(): void {
  outdate(['/'], ({ error }) => error !== null)
}

/** Has views load everything again. */
export function reloadAll(): void {
  outdate(['/'])
}

/** Why an answer in view is an older one: it could not be loaded again; null: all are current. */
export const reloadFailure = createStore<string | null>(null)

/** To be called when an answer came or failed, and when another view is shown; views say themselves what is missing. */
export function noteReloads(): void {
  const failed = [...answers.values()].find((store) => {
    const { data, error, isStale } = store.get()
    const isMissing = error !== null && 'status' in error && error.status === 404
    return data !== null && error !== null && !isMissing && !isStale && store.isWatched()
  })
  reloadFailure.set(failed?.get().error?.message ?? null)
}

export function forgetUnused(): void {
  forgetUnwatched(answers, MOST_KEPT)
}

export function forgetAnswers(): void {
  answers.clear()
}
