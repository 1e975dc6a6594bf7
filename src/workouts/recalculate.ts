import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import { invalid, notFound } from '../errors.ts'
import { elevationOptions, type RunJob, runJob } from '../library/inputs.ts'
import { effortWriter, writeCut } from '../library/numbers.ts'
import { type LibraryReport, rederive } from '../library/rederive.ts'
import { splitUnitM, storedZones, unitPreference, zonesVersion } from '../library/settings.ts'
import { type Derived, derive } from '../workers/derive.ts'
import { countWhere, idsWhere, ROUTED, SCORABLE } from './queries.ts'

/** Errors that an answer lists; more are only counted. */
const MOST_ERRORS = 100

/**
 * Scores one workout with the stored zones, and stores null when it has no heart rate.
 * @throws AppError 404; 400 when zones were never stored
 */
export function recalculateEffort(deps: Deps, id: string): { id: string; relativeEffort: number | null } {
  return recalculated(deps, id, (tx, job) => {
    const zones = neededZones(tx)
    const derived = derive({ ...job, zones, what: 'effort' })
    const effort = derived.what === 'effort' ? derived.effort : null
    effortWriter(deps.db)(id, effort, zones)
    return { id, relativeEffort: effort?.relativeEffort ?? null }
  })
}

/**
 * Scores every workout that has a heart rate with the stored zones. A workout that cannot be read is an error of its own.
 * Zones that are stored meanwhile begin it anew, so that no workout is left with the zones of before.
 * @throws AppError 400 when zones were never stored
 */
export async function recalculateAllEfforts(deps: Deps) {
  const { db } = deps
  for (;;) {
    const zones = neededZones(db)
    const version = zonesVersion(db)
    const ids = idsWhere(db, SCORABLE)
    const stale = new AbortController()
    const write = effortWriter(db)
    const report = await rederive(deps, ids, {
      what: 'effort',
      zones,
      signal: stale.signal,
      write: (tx, id, derived) => {
        if (zonesVersion(tx) !== version) stale.abort()
        else if (derived.what === 'effort') write(id, derived.effort, zones)
      },
    })
    if (stale.signal.aborted || zonesVersion(db) !== version) continue
    const told = { name: 'relative effort', lost: 'its stored heart rate could not be read' }
    return { totalQualifyingWorkouts: report.total, ...answer(deps, report, told) }
  }
}

/**
 * Cuts one workout anew in the unit that is preferred now; the same samples give the same splits as an import.
 * @throws AppError 404; 400 without route
 */
export function recalculateSplits(deps: Deps, id: string): { id: string; splitsCount: number } {
  return recalculated(deps, id, (tx, job) => {
    const isRouted = countWhere(tx, and(ROUTED, eq(workouts.id, id))) > 0
    if (!isRouted) throw invalid('The workout has no route, so its splits cannot be recalculated')
    const splitLengthM = splitUnitM(unitPreference(tx))
    const derived = derive({ ...job, splitLengthM, what: 'splits' })
    return { id, splitsCount: writeSplits(tx, id, { derived, splitLengthM }) }
  })
}

/** Cuts every workout with a route anew; a workout that cannot be read is an error of its own. */
export async function recalculateAllSplits(deps: Deps) {
  const splitLengthM = splitUnitM(unitPreference(deps.db))
  const report = await rederive(deps, idsWhere(deps.db, ROUTED), {
    what: 'splits',
    splitLengthM,
    write: (tx, id, derived) => writeSplits(tx, id, { derived, splitLengthM }),
  })
  const told = { name: 'splits', lost: 'its stored points could not be read' }
  return { totalWorkouts: report.total, ...answer(deps, report, told) }
}

/** Derives one workout anew and writes it in one transaction. @throws AppError 404 */
function recalculated<T>({ db, config, events }: Deps, id: string, write: (tx: Tx, job: RunJob) => T): T {
  const result = db.transaction(
    (tx) => {
      const job = runJob(tx, id, elevationOptions({ config }))
      if (job === null) throw notFound('Workout')
      return write(tx, job)
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'workout.updated', data: { id } })
  return result
}

/** @throws AppError 400 */
function neededZones(tx: Tx): Zones {
  const stored = storedZones(tx)
  if (stored === null) throw invalid('Heart-rate zones must be stored before relative effort can be recalculated')
  return stored.zones
}

/** @returns how many splits the workout has now */
function writeSplits(
  tx: Tx,
  id: string,
  { derived, splitLengthM }: { readonly derived: Derived; readonly splitLengthM: number },
): number {
  const splits = derived.what === 'splits' ? derived.splits : null
  if (splits === null) throw invalid('The workout has no recorded points, so its splits cannot be recalculated')
  return writeCut(tx, id, { splits, splitUnitM: splitLengthM })
}

/** Tells what became of the whole library, to listeners and in the part that the answers have in common. */
function answer(
  { events, log }: Deps,
  { total, done, unreadable }: LibraryReport,
  { name, lost }: { readonly name: string; readonly lost: string },
) {
  if (done > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  for (const { id, error } of unreadable) log.error(`Recalculating the ${name} of workout ${id} failed`, error)
  const errors = unreadable.slice(0, MOST_ERRORS).map(({ id }) => `Workout ${id}: ${lost}`)
  return {
    updatedCount: done,
    errorCount: unreadable.length,
    errors: errors.length === 0 ? null : errors,
    message: `Recalculated the ${name} of ${done} of ${total} workouts`,
  }
}
