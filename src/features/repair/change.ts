import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notApplicable, notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber, type NumberName } from '../../engine/numbers.ts'
import type { Repair } from '../../engine/repair/repairs.ts'
import { changeRuns, triedRuns } from '../../library/change-run.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { neededHead, type RunHead } from '../../library/documents/run.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { packedTrack, storedTrack } from '../../library/recordings.ts'
import type { Planned } from '../../library/repairs.ts'
import type { RunRows } from '../../library/run-rows.ts'
import type { Change } from '../../workers/plans.ts'
import type { Oddities, RunNumbers, TriedRun } from './schemas.ts'

export type Trial = Static<typeof TriedRun>

/** What a call asks for: a change of one run. */
export interface Repairing {
  readonly dryRun: boolean | undefined
  readonly kind?: 'crop' | 'repair'
  /** Whether it asks for nothing: it is refused like any other, but neither made nor recorded. */
  readonly isIdle?: boolean
  /** Of the receipt. */
  readonly title: string
  /** The next document. @throws AppError to refuse */
  readonly plan: (deps: DepsBy, head: RunHead) => Planned | Promise<Planned>
}

/**
 * Changes one run and derives its numbers.
 * @returns for a dry run the numbers before and after; null: applied
 * @throws AppError 404, and errors of the plan
 */
export async function repairRun(
  deps: DepsBy,
  id: string,
  { dryRun, kind = 'repair', isIdle = false, title, plan }: Repairing,
): Promise<Trial | null> {
  const planned = async () => {
    const head = neededHead(deps.db, id)
    const next = await plan(deps, head)
    return { receipt: { kind, title, workoutId: id }, runs: [{ ...next, id, from: head.seq }] }
  }
  if (isIdle) await planned()
  else if (dryRun !== true) await changeRuns(deps, [id], planned)
  if (dryRun !== true) return null
  if (isIdle) return { before: numbersOf(runRow(deps.db, id)), after: numbersOf(runRow(deps.db, id)) }
  const { rows } = await triedRuns(deps, [id], planned)
  return { before: numbersOf(runRow(deps.db, id)), after: numbersOf(rows[0]!) }
}

/**
 * The repairs of the samples that make a change, of a split one for each part; the Worker computes them.
 * @param refused why a run without samples cannot be changed so
 * @throws AppError 404; 400 when the change is refused
 */
export async function foundRepairs(
  deps: Pick<Deps, 'db' | 'config' | 'worker'>,
  { id, body }: RunHead,
  change: Change,
  refused: string,
): Promise<readonly Repair[]> {
  const { durationS, elevGainM, elevLossM, calories } = runRow(deps.db, id)
  const stored = packedTrack(deps.db, body.track)
  if (stored === null) throw notApplicable(refused)
  const run = { durationS, elevGainM, elevLossM, calories }
  const elevation = elevationOptions(deps)
  const { found } = await deps.worker.ask('repair', { ...stored, run, change, elevation })
  if ('refusal' in found) throw notApplicable(found.refusal)
  return found.repairs
}

/** Stretches with implausible readings. @throws AppError 404 */
export async function odditiesOf(deps: Deps, id: string): Promise<Static<typeof Oddities>> {
  runRow(deps.db, id)
  const stored = storedTrack(deps.db, id)
  return stored === null ? [] : [...(await deps.worker.ask('oddities', { ...stored })).oddities]
}

/** The current numbers and words of a run. @throws AppError 404 */
export function runRow(tx: Tx, id: string): typeof workouts.$inferSelect {
  const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (row === undefined) throw notFound('Workout')
  return row
}

type NumberRow = Pick<RunRows['row'], 'startedAt' | 'utcOffsetMinutes' | 'splitsCount' | 'hrZoneSeconds' | NumberName>

/** Numbers of the workout object, of a row that need not be stored. */
export function numbersOf(row: NumberRow): Static<typeof RunNumbers> {
  const { startedAt, utcOffsetMinutes = null, hrZoneSeconds = null, splitsCount } = row
  const numbers = eachNumber((name) => row[name] ?? null) as Pick<Static<typeof RunNumbers>, 'durationS'>
  return { startedAt: isoTime(startedAt), utcOffsetMinutes, ...numbers, hrZoneSeconds, splitsCount } as Static<
    typeof RunNumbers
  >
}
