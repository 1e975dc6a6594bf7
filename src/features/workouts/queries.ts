import { count, eq, isNotNull, or, type SQL } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'

/** Workouts with a heart rate in the samples, in the raw FIT data, or as an average (docs/api.md 7.10). */
export const SCORABLE = or(
  eq(workouts.hasTimeSeriesHr, true),
  eq(workouts.hasRawHr, true),
  isNotNull(workouts.avgHeartRateBpm),
)

/** The moving time of a run as SQL, never longer than its elapsed time, which stands for an unknown one. */
export const MOVING_TIME_S = 'min(duration_s, coalesce(moving_time_s, timer_time_s, duration_s))'

/** Workouts with a route. */
export const ROUTED = isNotNull(workouts.routePreview)

export function countWhere(tx: Tx, condition: SQL | undefined): number {
  return tx.select({ n: count() }).from(workouts).where(condition).get()?.n ?? 0
}

/** Ordered by start, oldest first. */
export function idsWhere(tx: Tx, condition: SQL | undefined): string[] {
  const { id, startedAt } = workouts
  const rows = tx.select({ id }).from(workouts).where(condition).orderBy(startedAt, id).all()
  return rows.map((row) => row.id)
}
