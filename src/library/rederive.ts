import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import type { Derivable, Derived } from '../workers/derive.ts'
import { elevationOptions, jobReader, type RunJob, runJob } from './inputs.ts'

export type RederiveDeps = Pick<Deps, 'db' | 'config' | 'now' | 'log' | 'analyzer'>

/** What is to be derived anew of many workouts. */
export interface Rederivation {
  readonly what: Derivable
  /** Takes the place of what the workouts were scored with. */
  readonly zones?: Zones
  /** Takes the place of what the workouts were cut into, metres. */
  readonly splitLengthM?: number
  /** Ends it before the next workout. */
  readonly signal?: AbortSignal
}

/** One workout, and what the Worker made of it; `error` when it could not be read. */
export interface Derivation {
  readonly id: string
  readonly job: RunJob
  readonly outcome: { readonly derived: Derived } | { readonly error: unknown }
}

/** What became of long work on many workouts. */
export interface LibraryReport {
  /** Workouts that were asked for. */
  readonly total: number
  /** Of these, how many were derived and written, or were the same already. */
  readonly done: number
  /** Workouts that cannot be read; they keep what they have. */
  readonly unreadable: readonly { readonly id: string; readonly error: unknown }[]
}

/** Workouts that lie with the Worker while one before them is written. */
const AHEAD = 3

/**
 * The one loop that derives anew: reads what the numbers of each workout are made of, lets the Worker compute, and hands
 * the result over; between workouts others are answered. A workout that is gone is left out; one that cannot be read is
 * an outcome, not an end.
 */
export async function* derivations(
  deps: RederiveDeps,
  ids: readonly string[],
  { signal, ...work }: Rederivation,
): AsyncGenerator<Derivation> {
  const read = jobReader(deps.db)
  const ahead: Promise<Derivation | null>[] = []
  const isStopped = () => signal?.aborted === true
  for (const id of ids) {
    if (isStopped()) break
    ahead.push(derivationOf(deps, () => read(id, elevationOptions(deps)), { id, ...work }))
    const first = ahead.length > AHEAD ? await unlessStopped(ahead.shift()!, signal) : null
    if (first !== null) yield first
  }
  for (const waiting of ahead) {
    if (isStopped()) return
    const next = await unlessStopped(waiting, signal)
    if (next !== null) yield next
  }
}

/**
 * Derives each workout and writes it in a short transaction of its own. What changed while it was computed is computed once
 * more.
 * @throws what the database says of itself, such as a full disk: the next workout would fare no better
 */
export async function rederive(
  deps: RederiveDeps,
  ids: readonly string[],
  { write, ...work }: Rederivation & { readonly write: (tx: Tx, id: string, derived: Derived, job: RunJob) => void },
): Promise<LibraryReport> {
  const { db } = deps
  const unreadable: { id: string; error: unknown }[] = []
  let done = 0
  for await (const derivation of derivations(deps, ids, work)) {
    for (let current: Derivation | null = derivation; current !== null; ) {
      const { id, job, outcome }: Derivation = current
      if ('error' in outcome) {
        unreadable.push({ id, error: outcome.error })
        break
      }
      const isWritten: boolean = db.transaction(
        (tx) => {
          if (!isCurrent(tx, { id, job })) return false
          write(tx, id, outcome.derived, job)
          return true
        },
        { behavior: 'immediate' },
      )
      if (isWritten) done += 1
      current = isWritten ? null : await derivationOf(deps, () => runJob(db, id, job.elevation), { id, ...work })
    }
  }
  return { total: ids.length, done, unreadable }
}

/** False when what the numbers are made of was changed since, or the workout is gone. */
function isCurrent(tx: Tx, { id, job }: Pick<Derivation, 'id' | 'job'>): boolean {
  const now = tx.select({ revision: workouts.inputsRevision }).from(workouts).where(eq(workouts.id, id)).get()
  return now?.revision === job.revision
}

async function derivationOf(
  { analyzer }: RederiveDeps,
  read: () => RunJob | null,
  { id, what, ...other }: Omit<Rederivation, 'signal'> & { readonly id: string },
): Promise<Derivation | null> {
  const stored = read()
  if (stored === null) return null
  const job = { ...stored, ...other }
  try {
    return { id, job, outcome: { derived: await analyzer.derive({ ...job, what }) } }
  } catch (error) {
    return { id, job, outcome: { error } }
  }
}

/** Nobody waits for the Worker when the process is about to end: it may have a long file at work. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
