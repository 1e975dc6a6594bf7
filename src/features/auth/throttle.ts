import { createHmac } from 'node:crypto'
import { and, count, eq, gt, lte, min } from 'drizzle-orm'
import { AppError } from '../../base/errors.ts'
import { unlessDiskFull } from '../../db/disk-full.ts'
import { loginFailures } from '../../db/schema-account.ts'
import type { Deps } from '../../library/deps.ts'

const MAX_FAILURES = 10
const WINDOW_MS = 15 * 60_000

/** Keyed hash of client address and user name, so that neither can be read from the table. */
export function loginPair({ jwtSecret }: Deps, address: string, username: string): string {
  return createHmac('sha256', jwtSecret).update(`${address}\n${username}`).digest('hex')
}

/**
 * Counts an attempt as failed before the password is checked, so that parallel attempts cannot exceed the limit.
 * Failures with a future time are ignored, since a wrong clock would block for as long. On a full disk none is counted,
 * so that the runner can still log in.
 * @returns number of failures of the pair within the window, including this one
 * @throws AppError 429 when the pair is blocked; nothing is counted then
 */
export function countAttempt({ db, now }: Deps, pair: string): number {
  const nowMs = now()
  const known = db
    .select({ failures: count(), oldestMs: min(loginFailures.failedAt) })
    .from(loginFailures)
    .where(
      and(
        eq(loginFailures.pairHash, pair),
        gt(loginFailures.failedAt, nowMs - WINDOW_MS),
        lte(loginFailures.failedAt, nowMs),
      ),
    )
    .get()
  const failures = known?.failures ?? 0
  if (failures >= MAX_FAILURES) throw throttled((known?.oldestMs ?? nowMs) + WINDOW_MS - nowMs)
  unlessDiskFull(() => db.insert(loginFailures).values({ pairHash: pair, failedAt: nowMs }).run())
  return failures + 1
}

export function forgetFailures({ db }: Deps, pair: string): void {
  unlessDiskFull(() => db.delete(loginFailures).where(eq(loginFailures.pairHash, pair)).run())
}

/** Used in place of a user name; user names contain no line break. */
const WRONG_KEYS = '\nkeys'

/**
 * Counts a wrong key of an address. Valid keys are not blocked, so that a phone with a revoked key cannot lock out
 * others behind the same address.
 * @throws AppError 429 after the tenth in the window
 */
export function countWrongKey(deps: Deps, address: string): void {
  const failures = countAttempt(deps, loginPair(deps, address, WRONG_KEYS))
  if (failures === MAX_FAILURES) {
    deps.log.warn(`After ${MAX_FAILURES} wrong keys one address has to wait; it may use a revoked key`)
  }
}

/** Called after a failure; logs one line when it is the one that blocks. */
export function logBlock({ log }: Deps, failures: number): void {
  if (failures === MAX_FAILURES) {
    log.warn(`After ${MAX_FAILURES} failed logins one address is blocked for one user name for up to 15 minutes`)
  }
}

function throttled(remainingMs: number, what = 'failed logins'): AppError {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000))
  return new AppError('throttled', `Too many ${what}, try again in ${seconds} seconds`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Of pages with all their photos, in a minute. */
const MOST_VISITS = 60
const MINUTE_MS = 60_000

/** Limits how many pages and photos of shared runs one address may ask for: anybody can. */
export function createVisits({ now }: Pick<Deps, 'now'>) {
  let minute = 0
  const visits = new Map<string, number>()
  return {
    /** @throws AppError 429 after 60 in a minute */
    count: (address: string): void => {
      const nowMs = now()
      const current = Math.floor(nowMs / MINUTE_MS)
      if (current !== minute) visits.clear()
      minute = current
      const before = visits.get(address) ?? 0
      if (before >= MOST_VISITS) throw throttled((current + 1) * MINUTE_MS - nowMs, 'visits')
      visits.set(address, before + 1)
    },
  }
}

const MOST = 16
const MOST_OF_ADDRESS = 8
const RETRY_S = '2'

/**
 * Limits the logins that wait for the hash of their password, so that a flood of them holds up nobody else.
 * @returns takes a turn, which ends when it is disposed @throws AppError 429 when too many wait, of all or of one address
 */
export function createHashTurns() {
  const taken: string[] = []
  return (address: string): Disposable => {
    if (taken.length >= MOST || taken.filter((one) => one === address).length >= MOST_OF_ADDRESS)
      throw new AppError('throttled', `Too many logins at once, try again in ${RETRY_S} seconds`, {
        headers: { 'Retry-After': RETRY_S },
      })
    taken.push(address)
    return { [Symbol.dispose]: () => void taken.splice(taken.indexOf(address), 1) }
  }
}
