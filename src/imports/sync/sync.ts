import { notApplicable } from '../../base/errors.ts'
import type { Turns } from '../../base/turns.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { storedAccount } from './account.ts'
import type { Limits } from './client.ts'
import { type Round, runRound } from './round.ts'

const MINUTE_MS = 60_000
/** After failures in a row, when the service names no time. */
const PAUSES_MS = [1, 5, 30, 120].map((minutes) => minutes * MINUTE_MS)
/** The first look, after the start. */
const START_MS = 2000
const AUTOMATIC = { actor: 'sync', isAutomatic: true, left: () => {} } as const

export type Sync = ReturnType<typeof createSync>

/** Rounds, one at a time, by themselves and when asked for. */
export function createSync(deps: Deps, turns: Turns, limits: Limits = {}) {
  const { db, now, log } = deps
  let failures = 0
  let notBeforeMs = 0
  let running: Promise<Round | null> | null = null
  let stopWaiting: (() => void) | null = null
  const abort = new AbortController()
  const { signal } = abort
  const told = new Set<string>()
  const round = (by: DepsBy) => {
    running ??= turns
      .take(() => runRound(by, { ...limits, signal, told }))
      .then((made) => {
        failures = made?.message == null ? 0 : failures + 1
        const pauseMs = made?.retryAfterMs ?? PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0
        notBeforeMs = failures === 0 ? 0 : now() + pauseMs
        return made
      })
      .finally(() => {
        running = null
      })
    return running
  }
  /** Makes a round when one is due. @returns milliseconds until it is worth looking again */
  const step = async (): Promise<number> => {
    const account = storedAccount(db)
    if (account === null || account.state === 'refused') return MINUTE_MS
    const { lastRunAt, everyMinutes } = account
    const dueMs = Math.max(notBeforeMs, failures > 0 ? 0 : (lastRunAt ?? 0) + everyMinutes * MINUTE_MS)
    // a clock that was set back would make it wait for a time far in the future
    const waitMs = Math.min(dueMs - now(), everyMinutes * MINUTE_MS)
    if (waitMs > 0) return Math.min(waitMs, MINUTE_MS)
    const made = await round({ ...deps, by: AUTOMATIC }).catch((error: unknown) => {
      log.error('A round of intervals.icu failed', error)
      return null
    })
    if (made?.message != null) log.warn(`Sync with intervals.icu: ${made.message}`)
    return MINUTE_MS
  }
  const look = async () => {
    const waitMs = await step().catch((error: unknown) => {
      log.error('The connection to intervals.icu could not be read', error)
      return MINUTE_MS
    })
    if (!signal.aborted) stopWaiting = deps.after(waitMs, () => void look())
  }
  return {
    /** @throws AppError 400 when nothing is connected */
    run: async (by: DepsBy): Promise<Round> => {
      const made = await round(by)
      if (made === null) throw notApplicable('intervals.icu is not connected')
      return made
    },
    step,
    wake: () => {
      failures = 0
      notBeforeMs = 0
    },
    start: () => {
      stopWaiting = deps.after(START_MS, () => void look())
    },
    /** Ends a round in progress; no further one begins. */
    stop: async () => {
      abort.abort()
      stopWaiting?.()
      await running?.catch(() => {})
    },
  }
}
