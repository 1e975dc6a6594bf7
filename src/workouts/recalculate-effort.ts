import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import { invalid, notFound } from '../errors.ts'
import { elevationOptions, runJob } from '../library/inputs.ts'
import { effortWriter } from '../library/numbers.ts'
import { rederive } from '../library/rederive.ts'
import { storedZones, zonesVersion } from '../library/settings.ts'
import { derive } from '../workers/derive.ts'
import { scorableIds } from './queries.ts'
import { recalculationAnswer } from './recalculation.ts'

/**
 * Scores one workout with the stored zones, and stores null when it has no heart rate.
 * @throws AppError 404; 400 when zones were never stored
 */
export function recalculateEffort(deps: Deps, id: string): { id: string; relativeEffort: number | null } {
  const { db, events } = deps
  const effort = db.transaction(
    (tx) => {
      const job = runJob(tx, id, elevationOptions(deps))
      if (job === null) throw notFound('Workout')
      const zones = neededZones(deps)
      const derived = derive({ ...job, zones, what: 'effort' })
      const scored = derived.what === 'effort' ? derived.effort : null
      effortWriter(db)(id, scored, zones)
      return scored
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'workout.updated', data: { id } })
  return { id, relativeEffort: effort?.relativeEffort ?? null }
}

/**
 * Scores every workout that has a heart rate with the stored zones. A workout that cannot be read is an error of its own.
 * Zones that are stored meanwhile begin it anew, so that no workout is left with the zones of before.
 * @throws AppError 400 when zones were never stored
 */
export async function recalculateAllEfforts(deps: Deps) {
  const { db, events } = deps
  for (;;) {
    const zones = neededZones(deps)
    const version = zonesVersion(db)
    const ids = scorableIds(db)
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
    if (report.done > 0) events.emit({ event: 'workout.updated', data: { id: null } })
    const told = { name: 'relative effort', lost: 'its stored heart rate could not be read' }
    return { totalQualifyingWorkouts: report.total, ...recalculationAnswer(deps, report, told) }
  }
}

/** @throws AppError 400 */
function neededZones({ db }: Pick<Deps, 'db'>): Zones {
  const stored = storedZones(db)
  if (stored === null) throw invalid('Heart-rate zones must be stored before relative effort can be recalculated')
  return stored.zones
}
