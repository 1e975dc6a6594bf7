import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { notFound } from '../errors.ts'

/** Data that a repair depends on beside the samples. @throws AppError 404 */
export function repairable(tx: Tx, id: string) {
  const { startedAt, durationS, distanceM, elevGainM, elevLossM, calories, routePreview } = workouts
  const hasRoute = sql<0 | 1>`${routePreview} IS NOT NULL`
  const run = tx
    .select({ startedAt, durationS, distanceM, elevGainM, elevLossM, calories, hasRoute })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (run === undefined) throw notFound('Workout')
  return run
}
