import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import { computed } from '../workers/compute.ts'
import type { Derivable, Derived } from '../workers/derive.ts'
import { elevationOptions, jobReader, type RunJob, runJob, workoutInputs } from './inputs.ts'

export type RederiveDeps = Pick<Deps, 'db' | 'config' | 'now' | 'log' | 'analyzer'>

/** Parameters of deriving many workouts again. */
export interface Rederivation {
  readonly what: Derivable
  /** Used instead of the zones that the workouts were scored with. */
  readonly zones?: Zones
  /** Used instead of the split length of the workouts, metres. */
  readonly splitLengthM?: number
  /** Aborting ends the work before the next workout. */
  readonly signal?: AbortSignal
}

/** One workout and its derived numbers; `error` when it could not be read. */
export interface Derivation {
  readonly id: string
  /** As stored; null: not even the inputs can be read. */
  readonly inputs: Inputs | null
  readonly outcome: { readonly job: RunJob; readonly derived: Derived } | { readonly error: unknown }
}

/** By these it is checked whether the inputs of a workout are unchanged. */
type Inputs = Pick<RunJob, 'revision' | 'zones' | 'splitLengthM' | 'ours'>

/** The result of work on many workouts. */
export interface LibraryReport {
  /** Number of workouts in the request. */
  readonly total: number
  /** Number of workouts that were derived and written, or were unchanged. */
  readonly done: number
  /** Workouts that cannot be read; they keep their numbers. */
  readonly unreadable: readonly { readonly id: string; readonly error: unknown }[]
}

/** Workouts that are sent to the Worker while one before them is written. */
const AHEAD = 3

/**
 * The one loop that derives many workouts again: it reads the inputs of each, lets the Worker compute, and yields the
 * result; other requests are served in between. A workout that is gone is skipped; one that cannot be read is yielded
 * as an error and does not end the loop.
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
    // the consumer is told of a failure when it awaits the promise; until then it must not count as unhandled
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
 * Derives each workout and writes it in a short transaction of its own. A workout that changed meanwhile is derived
 * again, also when it could not be read.
 * @throws errors of the database itself, such as a full disk, since the next workout would fail as well
 */
export async function rederive(
  deps: RederiveDeps,
  ids: readonly string[],
  {
    write,
    signal,
    ...work
  }: Rederivation & { readonly write: (tx: Tx, id: string, derived: Derived, job: RunJob) => void },
): Promise<LibraryReport> {
  const unreadable: { id: string; error: unknown }[] = []
  let done = 0
  const stoppable = signal === undefined ? work : { ...work, signal }
  for await (const derivation of derivations(deps, ids, stoppable)) {
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

/** @throws errors of the database itself */
function saved(
  { db }: RederiveDeps,
  { id, inputs, outcome }: Derivation,
  write: (tx: Tx, id: string, derived: Derived, job: RunJob) => void,
): 'written' | 'outdated' | { readonly error: unknown } {
  try {
    return db.transaction((tx) => {
      if (inputs !== null && !isCurrent(tx, id, inputs)) return 'outdated'
      if ('error' in outcome) return outcome
      write(tx, id, outcome.derived, outcome.job)
      return 'written'
    })
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    return { error }
  }
}

/** Whether the inputs are unchanged since they were read, and the workout still exists. */
function isCurrent(tx: Tx, id: string, inputs: Inputs): boolean {
  const now = workoutInputs(tx, id)
  return now !== null && Bun.deepEquals(inputsOf(now), inputs)
}

function inputsOf({ revision, zones, splitLengthM, ours }: Inputs): Inputs {
  return { revision, zones, splitLengthM, ours }
}

/** @returns null for a workout that is gone @throws errors of the database itself */
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

/** Whether the error concerns the database itself, not the values written. */
function isDatabaseTrouble(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')) return true
  }
  return false
}

/** Does not wait for the Worker when the process is about to end, since it may be working on a long file. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
