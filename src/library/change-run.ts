import type { Tx } from '../db/open.ts'
import type { Deps, DepsBy } from '../deps.ts'
import { AppError } from '../errors.ts'
import { createPace } from '../pace.ts'
import { computed } from '../workers/compute.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { commit, Outdated, repackSamples } from './commit.ts'
import { type RunRows, runRows } from './derive.ts'
import { type Asked, isJoined, type RunDocument, type RunHead, runHead } from './documents/run.ts'
import { askedNow, deriveJob, durationOf, elevationOptions } from './inputs.ts'
import type { NewReceipt } from './receipts/record.ts'
import { tellReceipt } from './receipts/record.ts'
import type { Planned } from './repairs.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'analyzer' | 'now'>

export interface RunChanging {
  /** The next document; called again when the run was changed while its numbers were derived. @throws AppError to refuse */
  readonly plan: (head: RunHead) => Planned | Promise<Planned>
  readonly receipt: NewReceipt
}

/**
 * Changes one run: its next document is planned, its numbers are derived by the Worker, and both are written with a
 * receipt, in one transaction.
 * @returns false: there is no such run
 * @throws errors of the plan, and Error for samples that cannot be read
 */
export async function changeRun(deps: DepsBy, id: string, changing: RunChanging): Promise<boolean> {
  for (;;) {
    const tried = await triedRun(deps, id, changing)
    if (tried === null) return false
    // deriving and writing take tens of milliseconds each for a run of days, so others are let in between
    await createPace().rest()
    const { head, to, derived } = tried
    try {
      const receiptId = deps.db.transaction((tx) => {
        const asked = currentAsked(tx, deps, tried)
        const change = { kind: 'run', id, from: head.seq, to, asked, derived } as const
        const left = commit(tx, deps, deps.by, {
          receipt: { ...changing.receipt, workoutId: id },
          groups: [{ changes: [change], item: { outcome: 'changed', workoutId: id } }],
        })
        writeRemade(tx, to, derived)
        return left
      })
      deps.events.emit({ event: 'workout.updated', data: { id } })
      tellReceipt(deps, receiptId)
      await createPace().rest()
      return true
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    }
  }
}

/** The rows that a run would have after a change. null: there is no such run @throws as `changeRun` */
export async function triedRows(deps: Needs, id: string, { plan }: Pick<RunChanging, 'plan'>): Promise<RunRows | null> {
  const tried = await triedRun(deps, id, { plan })
  return tried && runRows(deps.db, { id, body: tried.to, asked: tried.asked }, tried.derived)
}

interface Tried extends Planned {
  readonly head: RunHead
  readonly derived: DerivedRun
}

async function triedRun(deps: Needs, id: string, { plan }: Pick<RunChanging, 'plan'>): Promise<Tried | null> {
  for (;;) {
    const head = runHead(deps.db, id)
    if (head === null) return null
    try {
      const planned = await plan(head)
      return { ...planned, head, derived: await derivedRun(deps, id, planned) }
    } catch (error) {
      // what was refused may be right for the run as it is now
      const isSame = runHead(deps.db, id)?.seq === head.seq
      if (isSame || !(error instanceof AppError)) throw error
    }
  }
}

/** Derives a run with a document in the Worker. */
export async function derivedRun(
  deps: Pick<Deps, 'db' | 'config' | 'analyzer'>,
  id: string,
  { to: body, asked }: Planned,
): Promise<DerivedRun> {
  const job = deriveJob(deps.db, { body, asked, durationS: durationOf(deps.db, id) }, deps)
  return await computed(deps.analyzer, { ...job, what: 'everything' })
}

/** What the numbers were derived with, with the times of new efforts. @throws Outdated when the settings have changed since */
function currentAsked(tx: Tx, deps: Needs, { head, asked, settings, derived, areReturned }: Tried): Asked {
  if (settings !== undefined && !Bun.deepEquals(askedNow(tx, deps), settings)) throw new Outdated()
  const made = { ...asked, elevation: elevationOptions(deps) }
  if (areReturned) return made
  return timedEfforts(tx, head.id, { asked: made, derived, nowMs: deps.now() })
}

interface Timing {
  readonly asked: Asked
  readonly derived: Pick<DerivedRun, 'analysis'>
  readonly nowMs: number
}

/** Notes that efforts which differ from the stored ones are computed now. */
export function timedEfforts(tx: Tx, id: string, { asked, derived, nowMs }: Timing): Asked {
  const stored = tx.$client
    .query<{ distanceIndex: number; timeMs: number; startMs: number }, [string]>(
      'SELECT distance_index AS distanceIndex, time_ms AS timeMs, start_ms AS startMs FROM workout_best_effort WHERE workout_id = ?',
    )
    .all(id)
  const isStored = (effort: { distanceIndex: number; timeMs: number; startMs: number }) =>
    stored.some(
      (one) =>
        one.distanceIndex === effort.distanceIndex && one.timeMs === effort.timeMs && one.startMs === effort.startMs,
    )
  const other = derived.analysis.bestEfforts.filter((effort) => !isStored(effort))
  if (other.length === 0) return asked
  const times = Object.fromEntries(other.map(({ distanceIndex }) => [distanceIndex, nowMs]))
  return { ...asked, effortTimes: { ...asked.effortTimes, ...times } }
}

/** Packs again what a newer engine measures in another way; its times and sensor values stay. */
export function writeRemade(tx: Tx, { track }: RunDocument, { remade }: Pick<DerivedRun, 'remade'>): void {
  if (isJoined(track)) return
  for (const [place, packed] of remade.entries()) {
    const id = track.recordings[place]
    if (id !== undefined && packed !== null) repackSamples(tx, id, packed.track)
  }
}
