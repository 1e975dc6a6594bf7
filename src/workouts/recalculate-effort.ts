import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analyze.ts'
import { invalid, notFound } from '../errors.ts'
import { storedZones } from '../settings/queries.ts'
import { allEffortInputs, effortInputs, saveEffort, storedEffort } from './effort.ts'
import { timeSlices } from './slices.ts'

/** Errors that an answer lists; more are only counted. */
export const MOST_ERRORS = 100

/**
 * Scores one workout with the stored zones, and stores null when it has no heart rate.
 * @throws AppError 404; 400 when zones were never stored
 */
export function recalculateEffort({ db, events }: Deps, id: string): { id: string; relativeEffort: number | null } {
  const effort = db.transaction(
    () => {
      const inputs = effortInputs(db, id)
      if (inputs === null) throw notFound('Workout')
      const scored = storedEffort(db, inputs, neededZones(db))
      saveEffort(db, id, scored)
      return scored
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'workout.updated', data: { id } })
  return { id, relativeEffort: effort?.relativeEffort ?? null }
}

/**
 * Scores every workout that has a heart rate with the stored zones, in slices between which other requests are
 * answered. A workout that cannot be read is an error of its own.
 * @throws AppError 400 when zones were never stored
 */
export async function recalculateAllEfforts({ db, log, events }: Deps) {
  const zones = neededZones(db)
  const ids = allEffortInputs(db).map((inputs) => inputs.id)
  const errors: string[] = []
  let updatedCount = 0
  const slices = timeSlices()
  for (const id of ids) {
    try {
      const inputs = effortInputs(db, id)
      if (inputs !== null) saveEffort(db, id, storedEffort(db, inputs, zones))
      updatedCount += 1
    } catch (error) {
      log.error(`Recalculating the effort of workout ${id} failed`, error)
      errors.push(`Workout ${id}: its stored heart rate could not be read`)
    }
    if (slices.isOver()) await slices.next()
  }
  if (updatedCount > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  return {
    updatedCount,
    totalQualifyingWorkouts: ids.length,
    errorCount: errors.length,
    errors: errors.length === 0 ? null : errors.slice(0, MOST_ERRORS),
    message: `Recalculated the relative effort of ${updatedCount} of ${ids.length} workouts`,
  }
}

/** @throws AppError 400 */
function neededZones(db: Deps['db']): Zones {
  const stored = storedZones(db)
  if (stored === null) throw invalid('Heart-rate zones must be stored before relative effort can be recalculated')
  return stored.zones
}
