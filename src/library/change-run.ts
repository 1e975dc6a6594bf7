import type { Tx } from '../db/open.ts'
import { pretended } from '../db/transactions.ts'
import type { BestEffort } from '../engine/analysis.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { type Change, type ChangeGroup, commit, commitUnit, insertRecording, Outdated } from './commit.ts'
import type { Deps, DepsBy } from './deps.ts'
import { storedEfforts } from './derive.ts'
import { type Asked, documentRow, type RunHead, withEffortTimes } from './documents/run.ts'
import { askedNow, deriveJob, durationOf, elevationOptions } from './inputs.ts'
import { announceReceipt, type NewReceipt, type OpenReceipt } from './receipts/record.ts'
import type { Planned } from './repairs.ts'
import { type RunRows, runRows } from './run-rows.ts'

/** What becomes of one run, or of several at once. */
interface RunPlan {
  /** About the run that stays. */
  readonly receipt: NewReceipt & { readonly workoutId: string }
  /** The receipt of the work that this is a part of; absent: it gets its own. */
  readonly open?: OpenReceipt | null
  /** Runs that go to the trash, before the others are changed. */
  readonly gone?: readonly Pick<RunHead, 'id' | 'seq'>[]
  readonly runs: readonly PlannedRun[]
  /** Photos and videos that come to another run. @param rows of `runs` as they will be */
  readonly movedMedia?: (tx: Tx, rows: readonly RunRows['row'][]) => readonly Change[]
}

interface PlannedRun extends Planned {
  readonly id: string
  /** `seq` of the document that it was planned from; null: the run is new. */
  readonly from: number | null
  /** Whether it comes out of the trash. */
  readonly isBack?: boolean
}

interface Derived extends PlannedRun {
  readonly derived: DerivedRun
}

/**
 * Changes runs: their next documents are planned, their numbers are derived by the Worker, and both are written with a
 * receipt, in one transaction; all of it again when one of them was changed meanwhile.
 * @param ids of the runs that the plan reads
 * @throws errors of the plan, and Error for samples that cannot be read
 */
export async function changeRuns<P extends RunPlan>(
  deps: DepsBy,
  ids: readonly string[],
  plan: () => Promise<P>,
): Promise<P> {
  const { planned, receiptId } = await whileCurrent(deps.db, ids, async () => {
    const planned = await plan()
    const runs = await derivedRuns(deps, planned)
    return { planned, receiptId: committed(deps, planned, runs) }
  })
  for (const { id } of planned.gone ?? []) deps.events.emit({ event: 'workout.deleted', data: { id } })
  for (const { id, from, isBack = false } of planned.runs) {
    const isNew = from === null || isBack
    deps.events.emit({ event: isNew ? 'workout.created' : 'workout.updated', data: { id } })
  }
  announceReceipt(deps, receiptId)
  return planned
}

/** What `changeRuns` would do, and the rows that the runs would have. @throws as `changeRuns` */
export async function triedRuns<P extends RunPlan>(
  deps: Pick<Deps, 'db' | 'config' | 'worker'>,
  ids: readonly string[],
  plan: () => Promise<P>,
): Promise<{ readonly planned: P; readonly rows: readonly RunRows['row'][] }> {
  return await whileCurrent(deps.db, ids, async () => {
    const planned = await plan()
    return { planned, rows: rowsOf(deps.db, await derivedRuns(deps, planned)) }
  })
}

/** Tries again when a run was changed meanwhile: what is refused or fails may be right for the runs as they are now. */
export async function whileCurrent<T>(tx: Tx, ids: readonly string[], attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    const seqs = ids.map((id) => documentRow(tx, id)?.seq)
    try {
      return await attempt()
    } catch (error) {
      const areSame = ids.every((id, place) => documentRow(tx, id)?.seq === seqs[place])
      if (areSame && !(error instanceof Outdated)) throw error
    }
  }
}

async function derivedRuns(
  deps: Pick<Deps, 'db' | 'config' | 'worker'>,
  { receipt, runs }: RunPlan,
): Promise<Derived[]> {
  const derived: Derived[] = []
  for (const run of runs) derived.push({ ...run, derived: await derivedRun(deps, receipt.workoutId, run) })
  return derived
}

function rowsOf(tx: Tx, runs: readonly Derived[]): RunRows['row'][] {
  return runs.map(({ id, to: body, asked, derived }) => runRows(tx, { id, body, asked }, derived).row)
}

/** @returns id of the receipt @throws Outdated */
function committed(
  deps: DepsBy,
  { receipt, open, gone = [], movedMedia }: RunPlan,
  runs: readonly Derived[],
): string | null {
  return deps.db.transaction((tx) => {
    const deleted = gone.map(({ id, seq }): ChangeGroup => {
      return { changes: [{ kind: 'run', id, from: seq, to: null }], item: { outcome: 'deleted', workoutId: id } }
    })
    for (const { recordings = [] } of runs) for (const recording of recordings) insertRecording(tx, recording)
    const changed = runs.map((run): ChangeGroup => {
      const { id, from, to, derived, isBack = false } = run
      const change = { kind: 'run', id, from, to, asked: currentAsked(tx, deps, run), derived } as const
      if (from === null || isBack) return { changes: [change], item: { outcome: 'created', workoutId: id } }
      const media = movedMedia?.(tx, rowsOf(tx, runs)) ?? []
      return { changes: [...media, change], item: { outcome: 'changed', workoutId: id } }
    })
    const groups = [...deleted, ...changed]
    if (open == null) return commit(tx, deps, deps.by, { receipt, groups })
    commitUnit(tx, deps, groups, open)
    return null
  })
}

export async function derivedRun(
  deps: Pick<Deps, 'db' | 'config' | 'worker'>,
  id: string,
  { to: body, asked, recordings = [] }: Planned,
): Promise<DerivedRun> {
  const job = pretended(deps.db, (tx) => {
    for (const recording of recordings) insertRecording(tx, recording)
    return deriveJob(tx, { body, asked, durationS: durationOf(tx, id) }, deps)
  })
  return await deps.worker.ask('everything', job)
}

/** What the numbers were derived with, with the times of new efforts. @throws Outdated when the settings have changed since */
function currentAsked(tx: Tx, deps: DepsBy, { id, from, asked, settings, derived, areReturned }: Derived): Asked {
  if (settings !== undefined && !Bun.deepEquals(askedNow(tx, deps), settings)) throw new Outdated()
  const made = { ...asked, elevation: elevationOptions(deps) }
  if (areReturned || from === null) return made
  return timedEfforts(tx, id, { asked: made, ...derived.analysis, nowMs: deps.now() })
}

interface Timing {
  readonly asked: Asked
  readonly bestEfforts: readonly BestEffort[]
  readonly nowMs: number
}

/** Notes that efforts which differ from the stored ones are computed now. */
export function timedEfforts(tx: Tx, id: string, { asked, bestEfforts, nowMs }: Timing): Asked {
  const same = storedEfforts(tx, id)
  const other = bestEfforts.filter(
    ({ distanceIndex, timeMs, startMs }) =>
      !same.some((one) => one.distanceIndex === distanceIndex && one.timeMs === timeMs && one.startMs === startMs),
  )
  return withEffortTimes(asked, other, nowMs)
}
