import { count, eq, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workoutSamples, workoutSplits, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { AnalyzeOptions, Split } from '../engine/analysis.ts'
import { invalid, notFound } from '../errors.ts'
import { splitUnitM, unitPreference } from '../library/settings.ts'
import { splitObjects } from '../library/splits.ts'
import { insertSplits } from '../library/store.ts'
import { cutSplits } from '../workers/cut-splits.ts'
import { MOST_ERRORS } from './recalculate-effort.ts'

type SplitOptions = Pick<AnalyzeOptions, 'splitLengthM' | 'elevation'>

/** How many workouts have a route. */
export function splitsCount(db: Db): number {
  return db.select({ n: count() }).from(workouts).where(isNotNull(workouts.routePreview)).get()?.n ?? 0
}

/**
 * Cuts one workout anew in the unit that is preferred now; the same samples give the same splits as an import.
 * @throws AppError 404; 400 without route
 */
export function recalculateSplits(deps: Deps, id: string): { id: string; splitsCount: number } {
  const { db, events } = deps
  const length = db.transaction((tx) => splitAnew(tx, id, splitOptions(tx, deps)), { behavior: 'immediate' })
  events.emit({ event: 'workout.updated', data: { id } })
  return { id, splitsCount: length }
}

/**
 * Cuts every workout with a route anew, each in a transaction of its own; the Worker computes, so that others are
 * answered meanwhile. A workout that cannot be read is an error of its own.
 */
export async function recalculateAllSplits(deps: Deps) {
  const { db, log, events } = deps
  const options = splitOptions(db, deps)
  const rows = db
    .select({ id: workouts.id })
    .from(workouts)
    .where(isNotNull(workouts.routePreview))
    .orderBy(workouts.startedAt, workouts.id)
    .all()
  const errors: string[] = []
  let updatedCount = 0
  for (const { id } of rows) {
    try {
      if (await splitInWorker(deps, id, options)) updatedCount += 1
    } catch (error) {
      log.error(`Recalculating the splits of workout ${id} failed`, error)
      errors.push(`Workout ${id}: its stored points could not be read`)
    }
  }
  if (updatedCount > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  return {
    updatedCount,
    totalWorkouts: rows.length,
    errorCount: errors.length,
    errors: errors.length === 0 ? null : errors.slice(0, MOST_ERRORS),
    message: `Recalculated the splits of ${updatedCount} of ${rows.length} workouts`,
  }
}

/**
 * Samples that were replaced while their splits were computed are cut once more.
 * @returns false for a workout deleted meanwhile
 */
async function splitInWorker({ db, analyzer }: Deps, id: string, options: SplitOptions): Promise<boolean> {
  for (;;) {
    const samples = storedSamples(db, id)
    if (samples === undefined) {
      if (storedUnit(db, id) === undefined) return false
      throw noPoints()
    }
    const { revision } = samples
    const splits = await analyzer.cut({ samples, ...options })
    const isSaved = db.transaction(
      (tx) => {
        const isCurrent = revisionOf(tx, id) === revision
        if (isCurrent) saveSplits(tx, id, splits, options.splitLengthM)
        return isCurrent
      },
      { behavior: 'immediate' },
    )
    if (isSaved) return true
  }
}

function splitOptions(tx: Tx, { config }: Pick<Deps, 'config'>): SplitOptions {
  return {
    splitLengthM: splitUnitM(unitPreference(tx)),
    elevation: { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM },
  }
}

/** @returns how many splits the workout has now */
function splitAnew(tx: Tx, id: string, options: SplitOptions): number {
  const workout = storedUnit(tx, id)
  if (workout === undefined) throw notFound('Workout')
  if (workout.routePreview === null) throw invalid('The workout has no route, so its splits cannot be recalculated')
  const samples = storedSamples(tx, id)
  if (samples === undefined) throw noPoints()
  const splits = cutSplits({ samples, ...options })
  saveSplits(tx, id, splits, options.splitLengthM)
  return splits.length
}

/** Rows that stay the same keep their ids. */
function saveSplits(tx: Tx, id: string, splits: readonly Split[], splitLengthM: number): void {
  if (Bun.deepEquals(splits, splitObjects(tx, id)) && storedUnit(tx, id)?.splitUnitM === splitLengthM) return
  tx.delete(workoutSplits).where(eq(workoutSplits.workoutId, id)).run()
  insertSplits(tx, id, splits)
  tx.update(workouts).set({ splitsCount: splits.length, splitUnitM: splitLengthM }).where(eq(workouts.id, id)).run()
}

function storedUnit(tx: Tx, id: string) {
  return tx
    .select({ routePreview: workouts.routePreview, splitUnitM: workouts.splitUnitM })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
}

function storedSamples(tx: Tx, id: string) {
  return tx.select().from(workoutSamples).where(eq(workoutSamples.workoutId, id)).get()
}

function revisionOf(tx: Tx, id: string): number | undefined {
  return tx
    .select({ revision: workoutSamples.revision })
    .from(workoutSamples)
    .where(eq(workoutSamples.workoutId, id))
    .get()?.revision
}

function noPoints() {
  return invalid('The workout has no recorded points, so its splits cannot be recalculated')
}
