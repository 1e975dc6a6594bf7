import type { Static } from '@sinclair/typebox'
import { and, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { workouts } from '../../db/schema.ts'
import { runsWithin, sumOf } from '../../engine/calendar/rollup.ts'
import {
  type DateWindow,
  isoDate,
  localDay,
  periodLabel,
  availablePeriods as periodsBackFrom,
  windowOf,
  yearBucketOf,
  yearBuckets,
  yearOf,
  yearPeriod,
  yearWindow,
} from '../../engine/calendar/weeks.ts'
import { METRES_PER_MILE } from '../../engine/units.ts'
import { COUNTED, dayAsked, framedStart, MOST_APART_MS, runsBetween, type StatsDeps } from './queries.ts'
import type { FrameQuery, OffsetQuery, PeriodQuery } from './schemas.ts'

type Asked = Static<typeof FrameQuery>

/** Miles of the current and the previous calendar year. */
export function yearly({ db, now }: StatsDeps, asked: Asked) {
  const { timezoneOffsetMinutes: offsetMinutes = 0 } = asked
  const year = yearOf(localDay(now(), offsetMinutes))
  const current = yearWindow(year, offsetMinutes)
  const previous = yearWindow(year - 1, offsetMinutes)
  const { distanceM } = workouts
  const runs = runsBetween(db, { distanceM }, { ...asked, startMs: previous.startMs, endMs: current.endMs })

  const miles = (window: DateWindow) => sumOf(runsWithin(runs, window), (run) => run.distanceM) / METRES_PER_MILE
  return {
    currentYear: miles(current),
    previousYear: miles(previous),
    currentYearLabel: String(year),
    previousYearLabel: String(year - 1),
  }
}

/**
 * Metres of the 52 buckets of the year that ends on the given day.
 * @throws AppError 400 for an invalid periodEndDate
 */
export function yearlyWeekly({ db, now }: StatsDeps, asked: Static<typeof PeriodQuery>) {
  const offsetMinutes = asked.timezoneOffsetMinutes ?? 0
  const period = yearPeriod(dayAsked(asked.periodEndDate, localDay(now(), offsetMinutes)))
  const runs = runsBetween(db, { distanceM: workouts.distanceM }, { ...asked, ...windowOf(period, offsetMinutes) })

  const byBucket = Map.groupBy(runs, ({ startedAtMs }) => yearBucketOf(localDay(startedAtMs, offsetMinutes), period))
  return {
    weeks: yearBuckets(period).map(({ firstDay, lastDay }, k) => ({
      weekNumber: k + 1,
      weekStart: isoDate(firstDay),
      weekEnd: isoDate(lastDay),
      distanceM: sumOf(byBucket.get(k) ?? [], ({ distanceM }) => distanceM),
    })),
    dateRangeStart: isoDate(period.firstDay),
    dateRangeEnd: isoDate(period.lastDay),
  }
}

/** The one-year periods from today back to the first run, newest first. */
export function availablePeriods({ db, now }: StatsDeps, asked: Asked) {
  const { timezoneOffsetMinutes: offsetMinutes = 0, days } = asked
  const { startedAt } = workouts
  const first = (start: SQL | SQLiteColumn, where?: SQL) => {
    const ms = sql<number | null>`min(${start})`
    return db.select({ ms }).from(workouts).where(and(COUNTED, where)).get()?.ms ?? null
  }
  const earliestMs = first(startedAt)
  const isOwn = days !== undefined && earliestMs !== null
  // the first on its own date is not always the first to begin
  const firstMs = isOwn ? first(framedStart(asked), lt(startedAt, earliestMs + MOST_APART_MS)) : earliestMs
  const firstDay = firstMs === null ? null : localDay(firstMs, offsetMinutes)
  return periodsBackFrom(localDay(now(), offsetMinutes), firstDay).map((period) => ({
    periodEndDate: isoDate(period.lastDay),
    dateRangeStart: isoDate(period.firstDay),
    dateRangeEnd: isoDate(period.lastDay),
    dateRangeLabel: periodLabel(period),
  }))
}

export function yearsWithRuns(
  { db: { $client: client } }: StatsDeps,
  { timezoneOffsetMinutes = 0 }: Static<typeof OffsetQuery>,
): number[] {
  const years = client.query(
    `SELECT DISTINCT CAST(strftime('%Y', (started_at + 60000 * ?) / 1000.0, 'unixepoch') AS INTEGER) AS year
     FROM workout WHERE left_out = 0 ORDER BY year DESC`,
  )
  return years.values(timezoneOffsetMinutes).flat() as number[]
}
