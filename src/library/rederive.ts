import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import { computed } from '../workers/compute.ts'
import type { Derivable, Derived } from '../workers/derive.ts'
import { elevationOptions, jobReader, type RunJob, runJob, workoutInputs } from './inputs.ts'

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
  /** As they were stored; null: not even these can be read. */
  readonly inputs: Inputs | null
  readonly outcome: { readonly job: RunJob; readonly derived: Derived } | { readonly error: unknown }
}

/** What tells whether a workout is still made of the same. */
type Inputs = Pick<RunJob, 'revision' | 'zones' | 'splitLengthM' | 'ours'>

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
  const elevation = elevationOptions(deps)
  const ahead: Promise<Derivation | null>[] = []
  const isStopped = () => signal?.aborted === true
  for (const id of ids) {
    if (isStopped()) break
    const asked = derivationOf(deps, () => read(id, elevation), { id, ...work })
    // who waits for one that fails is told; those behind it have nobody to tell
    asked.catch(() => {})
    ahead.push(asked)
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
 * more, also when it could not be read.
 * @throws what the database says of itself, such as a full disk: the next workout would fare no better
 */
export async function rederive(
  deps: RederiveDeps,
  ids: readonly string[],
  { write, ...work }: Rederivation & { readonly write: (tx: Tx, id: string, derived: Derived, job: RunJob) => void },
): Promise<LibraryReport> {
  const unreadable: { id: string; error: unknown }[] = []
  let done = 0
  for await (const derivation of derivations(deps, ids, work)) {
    const { id } = derivation
    for (let current: Derivation | null = derivation; current !== null; ) {
      const written = saved(deps, current, write)
      if (written === 'written') done += 1
      if (written !== 'outdated') {
        if (typeof written === 'object') unreadable.push({ id, error: written.error })
        break
      }
      current = await derivationOf(deps, () => runJob(deps.db, id, elevationOptions(deps)), { id, ...work })
    }
  }
  return { total: ids.length, done, unreadable }
}

/** @throws what the database says of itself */
function saved(
  { db }: RederiveDeps,
  { id, inputs, outcome }: Derivation,
  write: (tx: Tx, id: string, derived: Derived, job: RunJob) => void,
): 'written' | 'outdated' | { readonly error: unknown } {
  try {
    return db.transaction(
      (tx) => {
        if (inputs !== null && !isCurrent(tx, id, inputs)) return 'outdated'
        if ('error' in outcome) return outcome
        write(tx, id, outcome.derived, outcome.job)
        return 'written'
      },
      { behavior: 'immediate' },
    )
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    return { error }
  }
}

/** False when what the numbers are made of was changed since, or the workout is gone. */
function isCurrent(tx: Tx, id: string, inputs: Inputs): boolean {
  const now = workoutInputs(tx, id)
  return now !== null && Bun.deepEquals(inputsOf(now), inputs)
}

function inputsOf({ revision, zones, splitLengthM, ours }: Inputs): Inputs {
  return { revision, zones, splitLengthM, ours }
}

/** @returns null for a workout that is gone @throws what the database says of itself */
async function derivationOf(
  { analyzer }: RederiveDeps,
  read: () => RunJob | null,
  { id, what, ...other }: Omit<Rederivation, 'signal'> & { readonly id: string },
): Promise<Derivation | null> {
  let inputs: Inputs | null = null
  try {
    const stored = read()
    if (stored === null) return null
    inputs = inputsOf(stored)
    const job = { ...stored, ...other }
    return { id, inputs, outcome: { job, derived: await computed<Derivable>(analyzer, { ...job, what }) } }
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    return { id, inputs, outcome: { error } }
  }
}

/** What SQLite says of itself and not of the values it is given. */
function isDatabaseTrouble(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')) return true
  }
  return false
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
