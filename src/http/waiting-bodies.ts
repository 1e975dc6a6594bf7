import { AppError } from '../base/errors.ts'

/** Limits the requests without credentials whose bodies have not arrived yet. */
export interface WaitingBodies {
  /** Registers one more. The caller ends it when the body has arrived or is no longer read. */
  enter(): WaitingBody
}

interface WaitingBody {
  /** Rejects with an AppError when the wait for this body is ended. */
  readonly cut: Promise<never>
  leave(): void
}

/** Longest wait for a whole body, however it arrives: a name and a password fit into one packet. */
const PATIENCE_S = 30
const MOST = 64

/** The connection must close, since the rest of the body would be taken for the next request. */
const CLOSING = { Connection: 'close' }

/**
 * Room for 64 bodies, 30 s each. When one more arrives, the one that has waited longest is cut off instead of the
 * newcomer, so that a request sent in one piece is always served, however many others hold theirs back.
 */
export function waitingBodies(after: (ms: number, ring: () => void) => () => void): WaitingBodies {
  // in order of arrival
  const waiting = new Set<(error: AppError) => void>()
  return {
    enter: () => {
      const [oldest] = waiting
      if (waiting.size >= MOST) oldest?.(crowded())
      const { promise, reject } = Promise.withResolvers<never>()
      // the promise may be unobserved, and its rejection must not count as unhandled
      promise.catch(() => {})
      const leave = () => {
        waiting.delete(cut)
        silence()
      }
      const cut = (error: AppError) => {
        leave()
        reject(error)
      }
      const silence = after(PATIENCE_S * 1000, () => cut(late()))
      waiting.add(cut)
      return { cut: promise, leave }
    },
  }
}

function late(): AppError {
  return new AppError('timedOut', `The request body did not arrive within ${PATIENCE_S} seconds`, { headers: CLOSING })
}

function crowded(): AppError {
  const headers = { ...CLOSING, 'Retry-After': '1' }
  return new AppError('unavailable', 'Too many requests wait for their bodies, try again', { headers })
}
