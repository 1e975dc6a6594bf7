import { useEffect } from 'preact/hooks'
import { reloadAll } from '../answers.ts'
import { date } from '../format.ts'
import { untilReached } from '../shell/away.tsx'
import { useStore } from '../store.ts'
import { offlineSince } from './kept.ts'

function reached(): void {
  offlineSince.set(null)
  reloadAll()
}

/** Says while the service is away that kept answers are shown, and from when; they go when it answers. */
export function OfflineBanner() {
  const atMs = useStore(offlineSince)
  const isOffline = atMs !== null
  useEffect(() => (isOffline ? untilReached(reached) : undefined), [isOffline])
  if (atMs === null) return null
  const at = new Date(atMs)
  const isToday = at.toDateString() === new Date().toDateString()
  return (
    <p class="offline muted small" role="status">
      Offline · as of {date(at.toISOString(), isToday ? 'time' : 'dateTime')}
    </p>
  )
}
