import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { invalid } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { type DateWindow, isoDate, MAX_OFFSET_MINUTES, parseDay } from '../../engine/calendar/weeks.ts'
import { MOST_DAYS } from '../../engine/limits.ts'
import type { Deps } from '../../library/deps.ts'

/** Dependencies of the statistics: database and clock. */
export type StatsDeps = Pick<Deps, 'db' | 'now'>

/** Runs that the runner has not left out of statistics. */
export const COUNTED = eq(workouts.leftOut, false)

/** Days answered when no window is given: the year up to and including today. */
const USUAL_DAYS = 366

/** The frame in which days are asked for. */
export interface Frame {
  readonly timezoneOffsetMinutes?: number
  /** A run counts on the date that it had where it was run, where that is known. */
  readonly days?: 'local'
}

/** No two places' local times are further apart. */
export const MOST_APART_MS = 2 * MAX_OFFSET_MINUTES * 60_000

/**
 * Unix milliseconds at which the asker's clock shows what the clock of the run showed at its start; its true start
 * without `days=local`.
 */
export function framedStart({ days, timezoneOffsetMinutes = 0 }: Frame) {
  const { startedAt, utcOffsetMinutes } = workouts
  if (days === undefined) return sql`${startedAt}`.mapWith(Number)
  const own = sql`coalesce(${utcOffsetMinutes}, ${timezoneOffsetMinutes})`
  return sql`${startedAt} + (${own} - ${timezoneOffsetMinutes}) * 60000`.mapWith(Number)
}

/**
 * The counted runs of a window, oldest first: start in the frame and the requested columns.
 * @param window from `startMs` up to, not including, `endMs`
 */
export function runsBetween<T extends Readonly<Record<string, SQLiteColumn | SQL>>>(
  tx: Tx,
  columns: T,
  { startMs, endMs, ...frame }: Pick<DateWindow, 'startMs' | 'endMs'> & Frame,
) {
  const { startedAt } = workouts
  const startedAtMs = framedStart(frame)
  // the index is of the true start
  const slackMs = frame.days === undefined ? 0 : MOST_APART_MS
  const isNear = and(gte(startedAt, startMs - slackMs), lt(startedAt, endMs + slackMs))
  return tx
    .select({ startedAtMs, ...columns })
    .from(workouts)
    .where(and(COUNTED, isNear, slackMs > 0 ? and(gte(startedAtMs, startMs), lt(startedAtMs, endMs)) : undefined))
    .orderBy(asc(startedAt))
    .all()
}

/** The local day that a request names, a date by its schema, or what stands for an absent one. */
export function dayAsked<T>(text: string | undefined, absent: T): number | T {
  return text === undefined ? absent : parseDay(text)!
}

/**
 * The local days that a query names, `to` exclusive.
 * @throws AppError 400 for a window that is empty or longer than MOST_DAYS
 */
export function daysAsked(asked: { readonly from?: string; readonly to?: string }, today: number) {
  const to = dayAsked(asked.to, today + 1)
  const from = dayAsked(asked.from, to - USUAL_DAYS)
  if (from >= to) throw invalid(`from must be before to, which is ${isoDate(to)}`, { field: 'from' })
  if (to - from > MOST_DAYS) throw invalid(`from and to must be at most ${MOST_DAYS} days apart, they are ${to - from}`)
  return { from, to }
}
