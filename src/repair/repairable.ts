import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { notFound } from '../errors.ts'

/** Data that a repair depends on beside the samples. @throws AppError 404 */
export function repairable(tx: Tx, id: string) {
  const run = tx
    .select({
      revision: workouts.inputsRevision,
      durationS: workouts.durationS,
      distanceM: workouts.distanceM,
      elevGainM: workouts.elevGainM,
      elevLossM: workouts.elevLossM,
      calories: workouts.calories,
      hasRoute: sql<0 | 1>`${workouts.routePreview} IS NOT NULL`,
    })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (run === undefined) throw notFound('Workout')
  return run
}
