import { useEffect, useState } from 'preact/hooks'
import { date } from '../format.ts'
import { offlineSince } from '../kept.ts'
import { startSession } from '../state.ts'
import { reloadAll, useStore } from '../store.ts'
import { Button } from '../ui/button.tsx'

const EVERY_MS = 4_000
/** Timeout of one request; outside of the home network, its addresses do not answer. */
const PATIENCE_MS = 8_000

/** Shown while the service does not answer; continues automatically when it does. */
export function Away() {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => untilReached(() => void startSession()), [])
  const askNow = async () => {
    setAsking(true)
    if (await isReached()) await startSession()
    setAsking(false)
  }
  return (
    <main class="alone centred">
      <Logo />
      <h1>Can’t reach Harrier</h1>
      <p class="muted">
        This device can’t reach the machine that Harrier runs on. You may be away from home, or it may be switched off.
      </p>
      <p class="muted small" role="status">
        Reconnects automatically.
      </p>
      <Button isBusy={isAsking} onClick={() => void askNow()}>
        Try now
      </Button>
    </main>
  )
}

async function isReached(): Promise<boolean> {
  const asked = { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) } as const
  return await fetch('/health', asked).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Asks again and again, and at once when the network or the runner is back. @returns a function that ends it */
function untilReached(onReached: () => void): () => void {
  const end = new AbortController()
  const { signal } = end
  let isAsking = false
  const ask = async () => {
    if (isAsking || document.visibilityState !== 'visible') return
    isAsking = true
    if ((await isReached()) && !signal.aborted) onReached()
    isAsking = false
  }
  const timer = setInterval(ask, EVERY_MS)
  window.addEventListener('online', ask, { signal })
  document.addEventListener('visibilitychange', ask, { signal })
  signal.addEventListener('abort', () => clearInterval(timer))
  return () => end.abort()
}

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
    <p class="offline muted small centred" role="status">
      Offline · as of {date(at.toISOString(), isToday ? 'time' : 'dateTime')}
    </p>
  )
}

/** A harrier (the bird) over a moor: two wings, and a track below. */
export function Logo({ isSmall = false }: { readonly isSmall?: boolean }) {
  return (
    <span class={isSmall ? 'logo small' : 'logo'}>
      <svg viewBox="0 0 46 34" aria-hidden="true">
        <path d="M2 9c8-3 15 0 21 10C29 9 36 6 44 9" />
        <path class="track" d="M23 19v12" />
      </svg>
      <span>Harrier</span>
    </span>
  )
}
