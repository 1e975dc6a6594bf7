import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps, DepsBy } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { eachNumber, type NumberName } from '../engine/numbers.ts'
import type { Repair } from '../engine/repair/repairs.ts'
import { invalid, notFound } from '../errors.ts'
import { changeRun, type RunChanging, triedRows } from '../library/change-run.ts'
import type { RunRows } from '../library/derive.ts'
import type { RunHead } from '../library/documents/run.ts'
import { elevationOptions } from '../library/inputs.ts'
import { packedTrack } from '../library/recordings.ts'
import { type Planned, withRepair } from '../library/repairs.ts'
import { computed } from '../workers/compute.ts'
import type { Change } from '../workers/plans.ts'
import { detailResponse, jsonResponse } from '../workouts/detail-response.ts'
import { repairable } from './repairable.ts'
import type { RunNumbers, TriedChange } from './schemas.ts'

/** The answer of a dry run. */
export type Trial = Static<typeof TriedChange>

interface Repairing extends RunChanging {
  readonly dryRun: boolean | undefined
}

/**
 * Applies a change to one run and derives its numbers.
 * @returns for a dry run the numbers before and after; null: applied
 * @throws AppError 404, and errors of the plan
 */
export async function repairRun(deps: DepsBy, id: string, { dryRun, ...changing }: Repairing): Promise<Trial | null> {
  if (dryRun !== true) {
    if (!(await changeRun(deps, id, changing))) throw notFound('Workout')
    return null
  }
  const before = runNumbers(deps.db, id)
  const tried = await triedRows(deps, id, changing)
  if (tried === null) throw notFound('Workout')
  return { before, after: numbersOf(tried.row) }
}

/**
 * Plans a repair of the samples, which the Worker computes.
 * @param refused why a run without samples cannot be changed so
 * @throws AppError 404; 400 when the change is refused
 */
export async function plannedRepair(
  deps: Pick<Deps, 'db' | 'config' | 'now' | 'analyzer'>,
  head: RunHead,
  { change, refused }: { readonly change: Change; readonly refused: string },
): Promise<Planned> {
  const [repair] = await foundRepairs(deps, head, { change, refused })
  return withRepair(deps.db, deps, head, repair!)
}

/** The repairs that make a change, of a split one for each part. @throws as `plannedRepair` */
export async function foundRepairs(
  deps: Pick<Deps, 'db' | 'config' | 'analyzer'>,
  { id, body }: RunHead,
  { change, refused }: { readonly change: Change; readonly refused: string },
): Promise<readonly Repair[]> {
  const run = repairable(deps.db, id)
  const stored = packedTrack(deps.db, body.track)
  if (stored === null) throw invalid(refused)
  const elevation = elevationOptions(deps)
  const { found } = await computed(deps.analyzer, { what: 'repair', ...stored, run, change, elevation })
  if ('refusal' in found) throw invalid(found.refusal)
  return found.repairs
}

/** The answer of calls that change a run: the numbers of a dry run, else the run's detail without raw data. */
export async function repairAnswer(deps: Deps, id: string, trial: Trial | null): Promise<Response> {
  return trial === null ? await detailResponse(deps, id, { includeRaw: false }) : jsonResponse(JSON.stringify(trial))
}

/** Numbers of the workout object. @throws AppError 404 */
export function runNumbers(tx: Tx, id: string): Static<typeof RunNumbers> {
  const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (row === undefined) throw notFound('Workout')
  return numbersOf(row)
}

type NumberRow = Pick<RunRows['row'], 'startedAt' | 'utcOffsetMinutes' | 'splitsCount' | 'hrZoneSeconds' | NumberName>

/** As `runNumbers`, of a row that need not be stored. */
export function numbersOf(row: NumberRow): Static<typeof RunNumbers> {
  const { startedAt, utcOffsetMinutes = null, hrZoneSeconds = null, splitsCount } = row
  const numbers = eachNumber((name) => row[name] ?? null) as Pick<Static<typeof RunNumbers>, 'durationS'>
  return { startedAt: isoTime(startedAt), utcOffsetMinutes, ...numbers, hrZoneSeconds, splitsCount } as Static<
    typeof RunNumbers
  >
}
