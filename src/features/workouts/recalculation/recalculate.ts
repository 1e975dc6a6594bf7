import { and, eq } from 'drizzle-orm'
import { notApplicable, notFound } from '../../../base/errors.ts'
import type { Tx } from '../../../db/open.ts'
import { workouts } from '../../../db/schema.ts'
import type { Zones } from '../../../engine/analysis.ts'
import type { RelativeEffort } from '../../../engine/run/effort.ts'
import { writeAsked } from '../../../library/commit.ts'
import type { Deps, DepsBy } from '../../../library/deps.ts'
import { writeCut, writeEffort } from '../../../library/derive.ts'
import { type RunHead, withOurs } from '../../../library/documents/run.ts'
import { workoutExists } from '../../../library/ids.ts'
import { boundsOfZones } from '../../../library/inputs.ts'
import { leaveRecalculation } from '../../../library/receipts/record.ts'
import { hasArchive } from '../../../library/recordings.ts'
import { type LibraryReport, type Rederivation, rederive } from '../../../library/rederive.ts'
import { splitUnitM, storedZones, unitPreference, zonesVersion } from '../../../library/settings.ts'
import type { Derivable } from '../../../workers/derive.ts'
import type { Answer } from '../../../workers/jobs.ts'
import { countWhere, idsWhere, ROUTED, SCORABLE } from '../queries.ts'

/** Most errors listed in an answer; all are counted. */
const MOST_ERRORS = 100

/**
 * Scores one workout with the stored zones; without a heart rate null is stored.
 * @throws AppError 404; 400 when zones were never stored
 */
export async function recalculateEffort(
  deps: DepsBy,
  id: string,
): Promise<{ id: string; relativeEffort: number | null }> {
  const { db } = deps
  expectWorkout(db, id)
  for (;;) {
    const zones = neededZones(db)
    const version = zonesVersion(db)
    let effort: RelativeEffort | null = null
    const isDone = await recalculated(deps, id, {
      what: 'effort',
      asked: { zones: boundsOfZones(zones) },
      write: (tx, head, derived) => {
        if (zonesVersion(tx) !== version) return false
        effort = derived.effort
        writeScore(tx, { head, effort }, zones)
        return true
      },
    })
    if (!isDone) continue
    leaveRecalculation(deps, { title: 'Recalculated the effort', changed: 1, workoutId: id })
    return { id, relativeEffort: (effort as RelativeEffort | null)?.relativeEffort ?? null }
  }
}

/**
 * Scores every workout with a heart rate with the stored zones. A workout that cannot be read is listed as an error.
 * When zones are changed meanwhile, it starts again, so that no workout keeps a score by outdated zones.
 * @throws AppError 400 when zones were never stored
 */
export async function recalculateAllEfforts(deps: DepsBy) {
  const { db } = deps
  for (;;) {
    const zones = neededZones(db)
    const version = zonesVersion(db)
    const ids = idsWhere(db, SCORABLE)
    const stale = new AbortController()
    const report = await rederive(deps, ids, {
      what: 'effort',
      asked: { zones: boundsOfZones(zones) },
      signal: stale.signal,
      write: (tx, head, derived) => {
        if (zonesVersion(tx) !== version) stale.abort()
        else writeScore(tx, { head, effort: derived.effort }, zones)
      },
    })
    if (stale.signal.aborted || zonesVersion(db) !== version) continue
    const stated = { name: 'relative effort', lost: 'its stored heart rate could not be read' }
    return { totalQualifyingWorkouts: report.total, ...answer(deps, report, stated) }
  }
}

/** Computes the splits of one workout in the preferred unit; as an import would. @throws AppError 404; 400 without route */
export async function recalculateSplits(deps: DepsBy, id: string): Promise<{ id: string; splitsCount: number }> {
  const { db } = deps
  expectWorkout(db, id)
  for (;;) {
    if (countWhere(db, and(ROUTED, eq(workouts.id, id))) === 0) {
      throw notApplicable('The workout has no route, so its splits cannot be recalculated')
    }
    const splitLengthM = splitUnitM(unitPreference(db))
    let splitsCount = 0
    const isDone = await recalculated(deps, id, {
      what: 'splits',
      asked: { splitUnitM: splitLengthM },
      write: (tx, head, derived) => {
        if (splitUnitM(unitPreference(tx)) !== splitLengthM) return false
        splitsCount = writeSplits(tx, head, { splits: derived.splits, splitLengthM })
        return true
      },
    })
    if (!isDone) continue
    leaveRecalculation(deps, { title: 'Recalculated the splits', changed: 1, workoutId: id })
    return { id, splitsCount }
  }
}

/** Computes the splits of every workout with a route; one that cannot be read is listed as an error. */
export async function recalculateAllSplits(deps: DepsBy) {
  const splitLengthM = splitUnitM(unitPreference(deps.db))
  const report = await rederive(deps, idsWhere(deps.db, ROUTED), {
    what: 'splits',
    asked: { splitUnitM: splitLengthM },
    write: (tx, head, derived) => writeSplits(tx, head, { splits: derived.splits, splitLengthM }),
  })
  const stated = { name: 'splits', lost: 'its stored points could not be read' }
  return { totalWorkouts: report.total, ...answer(deps, report, stated) }
}

/**
 * Derives one workout in the Worker and writes the result.
 * @param work.write returns false when the inputs have changed meanwhile
 * @returns false when nothing was written for that reason
 * @throws AppError 404, and errors of `write`; Error when it cannot be read
 */
async function recalculated<W extends Derivable>(
  deps: Deps,
  id: string,
  { write, ...work }: Rederivation<W> & { readonly write: (tx: Tx, head: RunHead, derived: Answer<W>) => boolean },
): Promise<boolean> {
  let isWritten = false
  const { done, unreadable } = await rederive(deps, [id], {
    ...work,
    write: (tx, head, derived) => {
      isWritten = write(tx, head, derived)
    },
  })
  if (unreadable[0] !== undefined) throw unreadable[0].error
  if (done === 0) throw notFound('Workout')
  if (isWritten) deps.events.emit({ event: 'workout.updated', data: { id } })
  return isWritten
}

/** @throws AppError 404 */
function expectWorkout(tx: Tx, id: string): void {
  if (!workoutExists(tx, id)) throw notFound('Workout')
}

/** @throws AppError 400 */
function neededZones(tx: Tx): Zones {
  const stored = storedZones(tx)
  if (stored === null) throw notApplicable('Heart-rate zones must be stored before relative effort can be recalculated')
  return stored.zones
}

/** The relative effort of a run, which was scored as it is now. */
export interface Score {
  readonly head: RunHead
  readonly effort: RelativeEffort | null
}

/** Writes a score; an archive's effort no longer counts. */
export function writeScore(tx: Tx, { head: { id, asked }, effort }: Score, zones: Zones): void {
  writeEffort(tx, id, effort)
  const ours = hasArchive(tx, id) ? withOurs(asked, 'effort') : asked
  writeAsked(tx, id, { ...ours, zones: boundsOfZones(zones) })
}

/** Cuts a run; an archive's splits no longer count. @returns number of splits of the workout */
function writeSplits(
  tx: Tx,
  { id, body, asked: before }: RunHead,
  { splits, splitLengthM }: { readonly splits: Answer<'splits'>['splits']; readonly splitLengthM: number },
): number {
  if (splits === null) throw notApplicable('The workout has no recorded points, so its splits cannot be recalculated')
  const asked = { ...(hasArchive(tx, id) ? withOurs(before, 'splits') : before), splitUnitM: splitLengthM }
  writeAsked(tx, id, asked)
  return writeCut(tx, { id, body, asked }, splits)
}

/** Announces the result for the whole library, and returns the members that these answers share. */
function answer(
  deps: DepsBy,
  { total, done, unreadable }: LibraryReport,
  { name, lost }: { readonly name: string; readonly lost: string },
) {
  const { events, log } = deps
  if (done > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  leaveRecalculation(deps, { title: `Recomputed the ${name} of all runs`, changed: done })
  for (const { id, error } of unreadable) log.error(`Recalculating the ${name} of workout ${id} failed`, error)
  const errors = unreadable.slice(0, MOST_ERRORS).map(({ id }) => `Workout ${id}: ${lost}`)
  return {
    updatedCount: done,
    errorCount: unreadable.length,
    errors: errors.length === 0 ? null : errors,
    message: `Recalculated the ${name} of ${done} of ${total} ${total === 1 ? 'workout' : 'workouts'}`,
  }
}
