import type { Tx } from '../db/open.ts'
import type { BestEffort } from '../engine/analysis.ts'
import type { Derivable, DerivedRun } from '../workers/derive.ts'
import type { Answer } from '../workers/jobs.ts'
import { timedEfforts } from './change-run.ts'
import { repackSamples, writeAsked } from './commit.ts'
import type { Deps } from './deps.ts'
import { writeRows, writeRunEfforts } from './derive.ts'
import { type Asked, affected, type RunHead, runHead, withOurs } from './documents/run.ts'
import { deriveJob, durationOf, elevationOptions } from './inputs.ts'
import { runRows } from './run-rows.ts'
import { zonesVersion } from './settings.ts'

export type RederiveDeps = Pick<Deps, 'db' | 'config' | 'now' | 'log' | 'worker'>

export interface Rederivation<W extends Derivable> {
  readonly what: W
  /** Used instead of what the runs were computed with. */
  readonly asked?: Partial<Asked>
  /** Aborting ends the work before the next run. */
  readonly signal?: AbortSignal
}

/** Writes what was derived of a run, in the transaction that shows it to be current. */
type Write<W extends Derivable> = (tx: Tx, head: RunHead, derived: Answer<W>) => void

interface Unread {
  readonly error: unknown
}

/** One run and its derived numbers; unread when its samples cannot be read. */
interface Derivation<W extends Derivable> {
  readonly head: RunHead
  readonly outcome: { readonly derived: Answer<W> } | Unread
  /** Version of the stored zones, which a run is scored with whose own are not known. */
  readonly withZones: number
}

export interface LibraryReport {
  readonly total: number
  /** Number of runs that were derived and written, or were unchanged. */
  readonly done: number
  /** Runs that cannot be read; they keep their numbers. */
  readonly unreadable: readonly { readonly id: string; readonly error: unknown }[]
}

/** Runs that are sent to the Worker while one before them is written. */
const AHEAD = 3

/**
 * The one loop that derives many runs again: it reads each, lets the Worker compute, and writes the result in a short
 * transaction; other requests are served in between. A run that is gone is skipped, one that changed meanwhile is derived
 * again, and one that cannot be read does not end the loop.
 * @throws errors of the database itself, such as a full disk, since the next run would fail as well
 */
export async function rederive<W extends Derivable>(
  deps: RederiveDeps,
  ids: readonly string[],
  { write, signal, ...work }: Rederivation<W> & { readonly write: Write<W> },
): Promise<LibraryReport> {
  const unreadable: { id: string; error: unknown }[] = []
  let done = 0
  const begin = (id: string) => {
    const asked = derivationOf(deps, id, work)
    // a failure is received when it is awaited; until then it must not count as unhandled
    asked.catch(() => {})
    return asked
  }
  const ahead: ReturnType<typeof begin>[] = []
  for (const [at, id] of ids.entries()) {
    for (let k = at + ahead.length; k < ids.length && k <= at + AHEAD; k += 1) ahead.push(begin(ids[k]!))
    for (let next = ahead.shift(); next !== undefined; ) {
      if (signal?.aborted) return { total: ids.length, done, unreadable }
      const derivation = await unlessStopped(next, signal)
      const written = derivation && ('error' in derivation ? derivation : saved(deps, derivation, write))
      next = written === 'outdated' ? begin(id) : undefined
      if (written === 'written') done += 1
      else if (written !== null && written !== 'outdated') unreadable.push({ id, error: written.error })
    }
  }
  return { total: ids.length, done, unreadable }
}

/** @throws errors of the database itself */
function saved<W extends Derivable>(
  { db }: RederiveDeps,
  { head, outcome, withZones }: Derivation<W>,
  write: Write<W>,
): 'written' | 'outdated' | Unread {
  try {
    return db.transaction((tx) => {
      const now = currentHead(tx, head)
      const isOther = head.asked.zones === null && zonesVersion(tx) !== withZones
      if (now === null || isOther) return 'outdated'
      if ('error' in outcome) return outcome
      write(tx, now, outcome.derived)
      return 'written'
    })
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    return { error }
  }
}

/** The run as it is now; null when its numbers would be others than when it was read. */
export function currentHead(tx: Tx, { id, body, asked }: RunHead): RunHead | null {
  const now = runHead(tx, id)
  const isSame = now !== null && affected(body, now.body) !== 'everything' && Bun.deepEquals(now.asked, asked)
  return isSame ? now : null
}

/** @returns null for a run that is gone @throws errors of the database itself */
async function derivationOf<W extends Derivable>(
  deps: RederiveDeps,
  id: string,
  { what, asked }: Omit<Rederivation<W>, 'signal'>,
): Promise<Derivation<W> | Unread | null> {
  const withZones = zonesVersion(deps.db)
  let head: RunHead | null = null
  try {
    head = runHead(deps.db, id)
    if (head === null) return null
    const from = { body: head.body, asked: { ...head.asked, ...asked }, durationS: durationOf(deps.db, id) }
    const job = deriveJob(deps.db, from, deps)
    const derived = await deps.worker.ask(what, job)
    return { head, withZones, outcome: { derived } }
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    return head === null ? { error } : { head, withZones, outcome: { error } }
  }
}

/**
 * Writes everything that was derived again for a run whose document stays, where it differs.
 * @returns number of rows that were written
 */
export function rewriteRun(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'now'>,
  { id, body, asked }: RunHead,
  derived: DerivedRun,
): number {
  const timed = timedEfforts(tx, id, { asked, ...derived.analysis, nowMs: deps.now() })
  repackSamples(tx, derived.remade)
  const rows = writeRows(tx, { body }, runRows(tx, { id, body, asked: timed }, derived))
  // numbers that are the same say nothing about what they are computed with
  const now = rows === 0 ? timed : { ...timed, elevation: elevationOptions(deps) }
  if (Bun.deepEquals(now, asked)) return rows
  writeAsked(tx, id, now)
  return rows + 1
}

/** Writes best efforts that were computed again; an archive's no longer count beside them. */
export function rewriteEfforts(
  tx: Tx,
  { id, body, asked }: RunHead,
  bestEfforts: readonly BestEffort[],
  nowMs: number,
): void {
  const ours = (body.carried?.efforts?.length ?? 0) > 0 ? withOurs(asked, 'bestEfforts') : asked
  const timed = timedEfforts(tx, id, { asked: ours, bestEfforts, nowMs })
  writeRunEfforts(tx, { id, body, asked: timed }, bestEfforts)
  writeAsked(tx, id, timed)
}

/** Whether the error concerns the database itself, not the values written. */
export function isDatabaseTrouble(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')) return true
  }
  return false
}

/** Does not wait for the Worker when the process is about to end, since it may be working on a long file. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
