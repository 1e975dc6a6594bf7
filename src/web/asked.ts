import { useEffect, useState } from 'preact/hooks'
import { attempt } from './actions.ts'
import { api, failureText } from './api.ts'
import { counted, localDay } from './format.ts'
import { useResource } from './state.ts'
import { createStore, useStore } from './store.ts'
import type { Answer, Body, Share } from './types.ts'
import { TERMS } from './words.ts'

interface Asked<T> {
  /** null: not known yet. */
  readonly answer: T | null
  readonly failure: string | null
  /** Both are of the question before, so nothing may be confirmed. */
  readonly isOutdated: boolean
}

type Found<T> = Omit<Asked<T>, 'isOutdated'> & { readonly key: string | null }

const NOTHING = { key: null, answer: null, failure: null }

/**
 * The answer to a question that is asked again whenever its key changes; the last one stays until the next is there.
 * @param key null: nothing is asked
 * @param pauseMs for which the key must stay, so that typing does not ask letter by letter
 */
export function useAsked<T>(key: string | null, ask: () => Promise<T>, pauseMs = 0): Asked<T> {
  const [found, setFound] = useState<Found<T>>(NOTHING)
  useEffect(() => {
    if (key === null) return setFound(NOTHING)
    let isWanted = true
    const find = (next: Found<T>) => isWanted && setFound(next)
    const timer = setTimeout(() => {
      ask().then(
        (answer) => find({ key, answer, failure: null }),
        (error: unknown) => find({ key, answer: null, failure: failureText(error) }),
      )
    }, pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key])
  return { ...found, isOutdated: found.key !== key }
}

type Path = '/settings/map' | '/settings/weather' | '/settings/second-recording' | '/settings/privacy'

/**
 * A setting that takes effect at once; when it could not be stored, an error is shown and the value reverts.
 * @param path of the setting's calls
 */
export function useSetting<P extends Path>(
  path: P,
): { readonly data: Answer<P> | null; readonly save: (change: NonNullable<Body<'PUT', P>>) => Promise<void> } {
  const { data } = useResource<Path>(path)
  const save = (change: NonNullable<Body<'PUT', P>>) =>
    attempt(() => api.send<'PUT', Path>('PUT', path, change), TERMS.notSaved)
  return { data: data as Answer<P> | null, save }
}

/** The years in which runs may be, the latest first. */
export function useYears(): readonly string[] {
  const { data } = useResource('/workouts?sortOrder=asc&pageSize=1')
  const oldest = data?.items[0]
  const thisYear = new Date().getFullYear()
  const first =
    oldest === undefined ? thisYear : Number(localDay(oldest.startedAt, oldest.utcOffsetMinutes).slice(0, 4))
  return Array.from({ length: Math.max(1, thisYear - first + 1) }, (_, back) => String(thisYear - back))
}

/** Whether trimmed files leave anything out. @param isAsked false: it is not needed yet */
export function useIsHiding(isAsked: boolean): boolean {
  const places = useResource(isAsked ? '/places' : null).data?.places ?? []
  const { trimEndsM = 0 } = useResource(isAsked ? '/settings/privacy' : null).data ?? {}
  return trimEndsM > 0 || places.some(({ hideM }) => hideM !== null)
}

/** The address at which others see a run; null: none, or not known yet. */
export function useShare(workoutId: string): Share | null {
  return useResource('/shares').data?.find((share) => share.workoutId === workoutId) ?? null
}

/** A sentence on whether deleted data can be brought back; loaded when needed. */
export function useTrashWords(isWanted: boolean): string {
  const { data } = useResource(isWanted ? '/trash?pageSize=1' : null)
  if (data === null) return ''
  if (data.keptDays === 0) return TERMS.cannotUndo
  return `You can restore them from the trash for ${counted(data.keptDays, 'day')}.`
}

export const WATCH_FOLDER = '/watch-folder'
/** Storage key of the time of the last watch folder error that was seen. */
const SEEN_KEY = 'harrier.watch-seen'

const seen = createStore(localStorage.getItem(SEEN_KEY))

window.addEventListener('storage', ({ key }) => {
  if (key === SEEN_KEY) seen.set(localStorage.getItem(SEEN_KEY))
})

/** Whether a file of the watch folder failed since the runner last looked. */
export function useWatchNews(): boolean {
  const last = useResource(WATCH_FOLDER).data?.lastErrorAt ?? null
  const known = useStore(seen)
  return last !== null && (known === null || Date.parse(last) > Date.parse(known))
}

/** Notes that all errors were seen. */
export function noteWatchSeen(lastErrorAt: string): void {
  localStorage.setItem(SEEN_KEY, lastErrorAt)
  seen.set(lastErrorAt)
}
