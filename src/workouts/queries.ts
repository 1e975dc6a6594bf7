import { asc, count, eq, isNotNull, or, type SQL } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'

/** CONTRACT 7.10: a heart rate in the samples, in the raw FIT data, or an average. */
function isScorable(): SQL | undefined {
  return or(eq(workouts.hasTimeSeriesHr, true), eq(workouts.hasRawHr, true), isNotNull(workouts.avgHeartRateBpm))
}

/** How many workouts have something to score. */
export function scorableCount(tx: Tx): number {
  return tx.select({ n: count() }).from(workouts).where(isScorable()).get()?.n ?? 0
}

/** Every workout that has something to score, the oldest first. */
export function scorableIds(tx: Tx): string[] {
  return idsWhere(tx, isScorable())
}

/** How many workouts have a route. */
export function routedCount(tx: Tx): number {
  return tx.select({ n: count() }).from(workouts).where(isNotNull(workouts.routePreview)).get()?.n ?? 0
}

/** Every workout with a route, the oldest first. */
export function routedIds(tx: Tx): string[] {
  return idsWhere(tx, isNotNull(workouts.routePreview))
}

function idsWhere(tx: Tx, condition: SQL | undefined): string[] {
  return tx
    .select({ id: workouts.id })
    .from(workouts)
    .where(condition)
    .orderBy(asc(workouts.startedAt), asc(workouts.id))
    .all()
    .map(({ id }) => id)
}
