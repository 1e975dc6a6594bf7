import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { elevationOptions, runJob } from '../library/inputs.ts'
import { writeCut } from '../library/numbers.ts'
import { rederive } from '../library/rederive.ts'
import { splitUnitM, unitPreference } from '../library/settings.ts'
import { type Derived, derive } from '../workers/derive.ts'
import { routedIds } from './queries.ts'
import { recalculationAnswer } from './recalculation.ts'

/**
 * Cuts one workout anew in the unit that is preferred now; the same samples give the same splits as an import.
 * @throws AppError 404; 400 without route
 */
export function recalculateSplits(deps: Deps, id: string): { id: string; splitsCount: number } {
  const { db, events } = deps
  const splitsCount = db.transaction(
    (tx) => {
      const workout = tx.select({ preview: workouts.routePreview }).from(workouts).where(eq(workouts.id, id)).get()
      if (workout === undefined) throw notFound('Workout')
      if (workout.preview === null) throw invalid('The workout has no route, so its splits cannot be recalculated')
      const job = runJob(tx, id, elevationOptions(deps))
      const splitLengthM = splitUnitM(unitPreference(tx))
      if (job === null) throw notFound('Workout')
      return write(tx, id, { derived: derive({ ...job, splitLengthM, what: 'splits' }), splitLengthM })
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'workout.updated', data: { id } })
  return { id, splitsCount }
}

/** Cuts every workout with a route anew; a workout that cannot be read is an error of its own. */
export async function recalculateAllSplits(deps: Deps) {
  const { db, events } = deps
  const splitLengthM = splitUnitM(unitPreference(db))
  const report = await rederive(deps, routedIds(db), {
    what: 'splits',
    splitLengthM,
    write: (tx, id, derived) => write(tx, id, { derived, splitLengthM }),
  })
  if (report.done > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  const told = { name: 'splits', lost: 'its stored points could not be read' }
  return { totalWorkouts: report.total, ...recalculationAnswer(deps, report, told) }
}

/** @returns how many splits the workout has now */
function write(
  tx: Tx,
  id: string,
  { derived, splitLengthM }: { readonly derived: Derived; readonly splitLengthM: number },
): number {
  const splits = derived.what === 'splits' ? derived.splits : null
  if (splits === null) throw invalid('The workout has no recorded points, so its splits cannot be recalculated')
  return writeCut(tx, id, { splits, splitUnitM: splitLengthM })
}
