import { AppError } from '../errors.ts'

/** Requests of strangers whose bodies have not arrived yet. */
export interface WaitingBodies {
  /** Counts one more. The caller leaves when the body is there, or read no further. */
  enter(): WaitingBody
}

export interface WaitingBody {
  /** Rejects with an AppError when the body is waited for no longer. */
  readonly cut: Promise<never>
  leave(): void
}

/** Of a whole body, whatever arrives meanwhile: a name and a password are one packet. */
const PATIENCE_S = 30
const MOST = 64

/** What has not been read of the body would be taken for the next request. */
const CLOSING = { Connection: 'close' }

/**
 * Room for 64 bodies, 30 s each. When one more comes, the one that has waited longest is cut and not the newcomer:
 * whoever sends a whole body at once is served, however many others hold theirs back.
 */
export function waitingBodies(after: (ms: number, ring: () => void) => () => void): WaitingBodies {
  // oldest first
  const waiting = new Set<(error: AppError) => void>()
  return {
    enter: () => {
      const [oldest] = waiting
      if (waiting.size >= MOST) oldest?.(crowded())
      const { promise, reject } = Promise.withResolvers<never>()
      // nobody may be listening any more
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
