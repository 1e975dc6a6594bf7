import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import { invalid, notFound } from '../errors.ts'
import { allEffortInputs, effortInputs, saveEffort, storedEffort } from '../library/effort.ts'
import { storedZones, zonesVersion } from '../library/settings.ts'
import { createPace } from '../pace.ts'

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
 * answered. A workout that cannot be read is an error of its own. Zones that are stored meanwhile begin it anew, so that
 * no workout is left with the zones of before.
 * @throws AppError 400 when zones were never stored
 */
export async function recalculateAllEfforts(deps: Deps) {
  let pass = await scoredAll(deps)
  while (pass === null) pass = await scoredAll(deps)
  const { total, updatedCount, errors } = pass
  if (updatedCount > 0) deps.events.emit({ event: 'workout.updated', data: { id: null } })
  return {
    updatedCount,
    totalQualifyingWorkouts: total,
    errorCount: errors.length,
    errors: errors.length === 0 ? null : errors.slice(0, MOST_ERRORS),
    message: `Recalculated the relative effort of ${updatedCount} of ${total} workouts`,
  }
}

/** @returns null when other zones were stored meanwhile */
async function scoredAll({ db, log }: Deps) {
  const zones = neededZones(db)
  const version = zonesVersion(db)
  const all = allEffortInputs(db)
  const errors: string[] = []
  let updatedCount = 0
  const pace = createPace()
  for (const { id } of all) {
    try {
      const inputs = effortInputs(db, id)
      // deleted meanwhile
      if (inputs === null) continue
      saveEffort(db, id, storedEffort(db, inputs, zones))
      updatedCount += 1
    } catch (error) {
      log.error(`Recalculating the effort of workout ${id} failed`, error)
      errors.push(`Workout ${id}: its stored heart rate could not be read`)
    }
    if (!pace.needsRest()) continue
    await pace.rest()
    if (zonesVersion(db) !== version) return null
  }
  return { total: all.length, updatedCount, errors }
}

/** @throws AppError 400 */
function neededZones(db: Deps['db']): Zones {
  const stored = storedZones(db)
  if (stored === null) throw invalid('Heart-rate zones must be stored before relative effort can be recalculated')
  return stored.zones
}
