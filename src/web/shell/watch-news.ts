import { useResource } from '../state.ts'
import { createStore, useStore } from '../store.ts'

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
