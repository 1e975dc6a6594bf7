import type { Event } from '../../base/events.ts'
import type { Deps } from '../../library/deps.ts'

/** Events after which loads and ground may have changed. */
const CHANGING: readonly Event['event'][] = [
  'workout.created',
  'workout.updated',
  'workout.deleted',
  'settings.updated',
  'import.done',
]
/** They are computed once there was no such event for this long, or at a fixed interval while events continue. */
const QUIET_MS = 250
const LONGEST_WAIT_MS = 10_000

/**
 * Computes what follows from the runs after an import, an edit or a new profile, so that an event announces it without
 * a request.
 * @returns a function that ends it
 */
export function keepCurrent({ events, after, now }: Pick<Deps, 'events' | 'after' | 'now'>, work: () => unknown) {
  let waiting: { readonly sinceMs: number; readonly stop: () => void } | null = null
  const unsubscribe = events.subscribe(({ event }) => {
    if (!CHANGING.includes(event)) return
    waiting?.stop()
    const sinceMs = waiting?.sinceMs ?? now()
    const waitMs = Math.max(0, Math.min(QUIET_MS, sinceMs + LONGEST_WAIT_MS - now()))
    const stop = after(waitMs, () => {
      waiting = null
      void work()
    })
    waiting = { sinceMs, stop }
  })
  return () => {
    unsubscribe()
    waiting?.stop()
  }
}
