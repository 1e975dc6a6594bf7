import { useEffect, useState } from 'preact/hooks'
import { startSession } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Logo } from './logo.tsx'

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15_000
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
    <main class="alone away">
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

/**
 * Retries at growing intervals, and at once when the network or the runner is back. @returns a function that ends it
 */
export function untilReached(onReached: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_WAIT_MS
  let isOver = false
  const ask = async () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible' && (await isReached())) {
      if (!isOver) onReached()
    }
    if (isOver) return
    clearTimeout(timer)
    timer = setTimeout(ask, waitMs)
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 1.5)
  }
  const askSoon = () => {
    waitMs = FIRST_WAIT_MS
    void ask()
  }
  timer = setTimeout(ask, waitMs)
  window.addEventListener('online', askSoon)
  document.addEventListener('visibilitychange', askSoon)
  return () => {
    isOver = true
    clearTimeout(timer)
    window.removeEventListener('online', askSoon)
    document.removeEventListener('visibilitychange', askSoon)
  }
}
