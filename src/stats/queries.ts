import { and, asc, eq, gte, lt, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { type DateWindow, parseDay } from '../engine/calendar/weeks.ts'
import { invalid } from '../errors.ts'

/** Dependencies of the statistics: database and clock. */
export type StatsDeps = Pick<Deps, 'db' | 'now'>

/** Runs that the runner has not left out of statistics. */
export const COUNTED = eq(workouts.leftOut, false)

/**
 * The counted runs of a window, oldest first: start and the requested columns.
 * @param window from `startMs` up to, not including, `endMs`
 */
export function runsBetween<T extends Readonly<Record<string, SQLiteColumn | SQL>>>(
  tx: Tx,
  columns: T,
  { startMs, endMs }: Pick<DateWindow, 'startMs' | 'endMs'>,
) {
  return tx
    .select({ startedAtMs: workouts.startedAt, ...columns })
    .from(workouts)
    .where(and(COUNTED, gte(workouts.startedAt, startMs), lt(workouts.startedAt, endMs)))
    .orderBy(asc(workouts.startedAt))
    .all()
}

/**
 * The local day that a query names, or today.
 * @throws AppError 400 for a text that is not a real date of the form yyyy-MM-dd
 */
export function dayAsked(text: string | undefined, field: string, today: number): number {
  if (text === undefined) return today
  const day = parseDay(text)
  if (day === null) throw invalid(`${field} must be a real date of the form yyyy-MM-dd`)
  return day
}
