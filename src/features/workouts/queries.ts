import { and, count, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { gently } from '../../base/pace.ts'
import type { Db, Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'

/** Rows of the table of workouts that are read in one go. */
const ROWS_AT_ONCE = 512

/** Workouts with a heart rate in the samples, in the raw FIT data, or as an average (docs/api.md 7.10). */
export const SCORABLE = or(
  eq(workouts.hasTimeSeriesHr, true),
  eq(workouts.hasRawHr, true),
  isNotNull(workouts.avgHeartRateBpm),
)

/** Workouts with a route. */
export const ROUTED = isNotNull(workouts.routePreview)

export function countWhere(tx: Tx, condition: SQL | undefined): number {
  return tx.select({ n: count() }).from(workouts).where(condition).get()?.n ?? 0
}

export function idsWhere(tx: Tx, condition: SQL | undefined): string[] {
  const rows = tx.select({ id: workouts.id }).from(workouts).where(condition).all()
  return rows.map(({ id }) => id)
}

/** Ordered by start, oldest first. Found in slices, since reading 10,000 wide rows may take tenths of a second. */
export async function allIdsWhere(db: Db, condition: SQL | undefined): Promise<string[]> {
  const { id, startedAt } = workouts
  const found = await foundInSlices(db, (among) =>
    db.select({ id, startedAt }).from(workouts).where(and(condition, among)).all(),
  )
  return found.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)).map((run) => run.id)
}

/**
 * What a search finds among all workouts, a few hundred of them at a time; other requests are served in between, so that
 * the result may miss what is written meanwhile.
 */
export async function foundInSlices<T>(db: Db, search: (among: SQL | undefined) => T[]): Promise<T[]> {
  const found: T[] = []
  const row = sql`${workouts}.rowid`
  const last = db
    .select({ n: sql<number | null>`max(${row})` })
    .from(workouts)
    .get()
  for (let after = 0; after < (last?.n ?? 0); after += ROWS_AT_ONCE) {
    found.push(...search(and(sql`${row} > ${after}`, sql`${row} <= ${after + ROWS_AT_ONCE}`)))
    await gently()
  }
  return found
}
