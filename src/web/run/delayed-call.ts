import { useEffect, useRef } from 'preact/hooks'

/** Time to think again. */
export const UNDO_MS = 6000

export interface DelayedCall {
  /** Runs `call` after the time to undo; at once when the view or the page is left before. */
  start(call: () => void): void
  cancel(): void
}

/** One call that can be taken back for a while. */
export function useDelayedCall(): DelayedCall {
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly call: () => void } | null>(null)
  const delayed = useRef<DelayedCall>({
    start: (call) => {
      finish()
      waiting.current = { call, timer: setTimeout(finish, UNDO_MS) }
    },
    cancel: () => {
      if (waiting.current !== null) clearTimeout(waiting.current.timer)
      waiting.current = null
    },
  })
  function finish(): void {
    const now = waiting.current
    delayed.current.cancel()
    now?.call()
  }
  useEffect(() => {
    const onLeave = () => {
      const now = waiting.current
      delayed.current.cancel()
      now?.call()
    }
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])
  return delayed.current
}
