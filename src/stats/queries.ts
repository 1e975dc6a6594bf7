import { and, asc, gte, lt, max, min } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { RunTotals } from '../engine/calendar/rollup.ts'
import { type DateWindow, localDay, parseDay, yearOf, yearWindow } from '../engine/calendar/weeks.ts'
import { invalid } from '../errors.ts'

/** Instants from `startMs` up to, not including, `endMs`. */
type Instants = Pick<DateWindow, 'startMs' | 'endMs'>

/** Start and length of the runs of a window. */
export function distancesBetween(tx: Tx, { startMs, endMs }: Instants): { startedAtMs: number; distanceM: number }[] {
  return tx
    .select({ startedAtMs: workouts.startedAt, distanceM: workouts.distanceM })
    .from(workouts)
    .where(and(gte(workouts.startedAt, startMs), lt(workouts.startedAt, endMs)))
    .orderBy(asc(workouts.startedAt))
    .all()
}

/** Start and effort of the runs of a window; an unknown effort is 0. */
export function effortsBetween(tx: Tx, { startMs, endMs }: Instants): { startedAtMs: number; effort: number }[] {
  const rows = tx
    .select({ startedAtMs: workouts.startedAt, effort: workouts.relativeEffort })
    .from(workouts)
    .where(and(gte(workouts.startedAt, startMs), lt(workouts.startedAt, endMs)))
    .orderBy(asc(workouts.startedAt))
    .all()
  return rows.map(({ startedAtMs, effort }) => ({ startedAtMs, effort: effort ?? 0 }))
}

/** What a recap adds up of the runs of a window. */
export function totalsBetween(tx: Tx, { startMs, endMs }: Instants): RunTotals[] {
  const rows = tx
    .select({
      startedAtMs: workouts.startedAt,
      distanceM: workouts.distanceM,
      durationS: workouts.durationS,
      elevGainM: workouts.elevGainM,
      relativeEffort: workouts.relativeEffort,
      avgHeartRateBpm: workouts.avgHeartRateBpm,
      runType: workouts.runType,
    })
    .from(workouts)
    .where(and(gte(workouts.startedAt, startMs), lt(workouts.startedAt, endMs)))
    .orderBy(asc(workouts.startedAt))
    .all()
  return rows.map(({ runType, ...totals }) => ({ ...totals, isEasy: runType === 'Easy Run' }))
}

/** Start of the oldest run; null without runs. */
export function firstStartMs(tx: Tx): number | null {
  return (
    tx
      .select({ ms: min(workouts.startedAt) })
      .from(workouts)
      .get()?.ms ?? null
  )
}

/** Years with a run, newest first: one look-up in the index a year instead of a walk through all runs. */
export function yearsWithRuns(tx: Tx, offsetMinutes: number): number[] {
  const years: number[] = []
  let beforeMs = Number.MAX_SAFE_INTEGER
  for (;;) {
    const latestMs = tx
      .select({ ms: max(workouts.startedAt) })
      .from(workouts)
      .where(lt(workouts.startedAt, beforeMs))
      .get()?.ms
    if (latestMs === null || latestMs === undefined) return years
    const year = yearOf(localDay(latestMs, offsetMinutes))
    years.push(year)
    beforeMs = yearWindow(year, offsetMinutes).startMs
  }
}

/**
 * The local day a query names, or today.
 * @throws AppError 400 for what is no real date of the form yyyy-MM-dd
 */
export function dayAsked(text: string | undefined, field: string, today: number): number {
  if (text === undefined) return today
  const day = parseDay(text)
  if (day === null) throw invalid(`${field} must be a real date of the form yyyy-MM-dd`)
  return day
}
