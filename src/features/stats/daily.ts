import type { Static } from '@sinclair/typebox'
import { and, desc, isNotNull, lte } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isoDate, localDay, windowOf } from '../../engine/calendar/weeks.ts'
import { LOAD_PARTS } from '../../engine/training/library-loads.ts'
import { DAY_MS, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import { MOVING_TIME_S } from '../workouts/queries.ts'
import { COUNTED, daysAsked, MOST_APART_MS, type StatsDeps } from './queries.ts'
import type { DailyQuery, DailyStats, FrameQuery, MonthlyStats } from './schemas.ts'

/** Added before dividing, since SQLite's division truncates towards zero; day 0 is long before any run. */
const SHIFT_DAYS = 10_000_000
/** Decimals that sums of metres and seconds are rounded to; smaller digits are noise of binary addition. */
const NOISE_DECIMALS = 6

type Row = Omit<Static<typeof DailyStats>['days'][number], 'date'> & { readonly day: number }

/** Null when no run has one; an aggregate of the runs of a select. */
const LOAD = `sum((SELECT 1.0 * load / ${LOAD_PARTS} FROM workout_load WHERE workout_load.workout_id = workout.id)) AS load`

/** @param offset minutes of local time ahead of UTC, as SQL; ?1 is that of the asker */
const daysBy = (offset: string) => `
  SELECT (started_at + 60000 * ${offset} + ${SHIFT_DAYS * DAY_MS}) / ${DAY_MS} - ${SHIFT_DAYS} AS day,
    sum(distance_m) AS distanceM, sum(duration_s) AS durationS, sum(${MOVING_TIME_S}) AS movingTimeS, count(*) AS runs,
    sum(relative_effort) AS relativeEffort,
    count(*) - count(relative_effort) AS runsWithoutEffort, coalesce(sum(elev_gain_m), 0) AS elevGainM,
    ${LOAD}
  FROM workout WHERE started_at >= ?2 AND started_at < ?3 AND left_out = 0
  GROUP BY day HAVING day >= ?4 AND day < ?5 ORDER BY day`
const DAYS = daysBy('?1')
const OWN_DAYS = daysBy('coalesce(utc_offset_minutes, ?1)')

/**
 * The days of a window that have runs, oldest first, each with the totals of its runs.
 * @throws AppError 400 for invalid dates, and for a window that is empty or longer than MOST_DAYS
 */
export function daily({ db, now }: StatsDeps, asked: Static<typeof DailyQuery>) {
  const offsetMinutes = asked.timezoneOffsetMinutes ?? 0
  const { from, to } = daysAsked(asked, localDay(now(), offsetMinutes))

  const { startMs, endMs } = windowOf({ firstDay: from, lastDay: to - 1 }, offsetMinutes)
  const slackMs = asked.days === undefined ? 0 : MOST_APART_MS
  // summed by SQLite, since reading three years of rows one by one is slower
  const rows = db.$client
    .query<Row, number[]>(asked.days === undefined ? DAYS : OWN_DAYS)
    .all(offsetMinutes, startMs - slackMs, endMs + slackMs, from, to)
  const days = rows.map(({ day, distanceM, durationS, movingTimeS, elevGainM, load, ...counts }) => ({
    date: isoDate(day),
    distanceM: roundHalfUp(distanceM, NOISE_DECIMALS),
    durationS: roundHalfUp(durationS, NOISE_DECIMALS),
    movingTimeS: roundHalfUp(movingTimeS, NOISE_DECIMALS),
    elevGainM: roundHalfUp(elevGainM, NOISE_DECIMALS),
    load: roundedOrNull(load, 1),
    ...counts,
  }))
  return { from: isoDate(from), to: isoDate(to), days }
}

/** Higher heart rates are errors of the sensor, beats per minute. */
const FASTEST_PULSE_BPM = 230

type Month = Static<typeof MonthlyStats>['months'][number]

/** @param offset minutes of local time ahead of UTC, as SQL; ?1 is that of the asker */
const monthsBy = (offset: string) => `
  SELECT strftime('%Y-%m', (started_at + 60000 * ${offset}) / 1000.0, 'unixepoch') AS month,
    count(*) AS runs, sum(distance_m) AS distanceM, sum(duration_s) AS durationS,
    sum(${MOVING_TIME_S}) AS movingTimeS, coalesce(sum(elev_gain_m), 0) AS elevGainM,
    ${LOAD}
  FROM workout WHERE left_out = 0 GROUP BY month ORDER BY month`
const MONTHS = monthsBy('?1')
const OWN_MONTHS = monthsBy('coalesce(utc_offset_minutes, ?1)')

/** The months with runs, oldest first, each with the totals of its runs. */
export function monthly({ $client: client }: Db, { days, timezoneOffsetMinutes = 0 }: Static<typeof FrameQuery>) {
  // summed by SQLite from an index, since reading all rows one by one is slower
  const rows = client.query<Month, [number]>(days === undefined ? MONTHS : OWN_MONTHS).all(timezoneOffsetMinutes)
  const months = rows.map((row) => ({
    ...row,
    distanceM: roundHalfUp(row.distanceM, NOISE_DECIMALS),
    movingTimeS: roundHalfUp(row.movingTimeS, NOISE_DECIMALS),
    elevGainM: roundHalfUp(row.elevGainM, NOISE_DECIMALS),
    load: roundedOrNull(row.load, 1),
  }))
  return { months }
}

/** The highest heart rate of all counted runs, and the latest run that had it. */
export function highestHeartRate({ db }: Pick<StatsDeps, 'db'>) {
  const { id, name, startedAt, utcOffsetMinutes, maxHeartRateBpm } = workouts
  const found = db
    .select({ workoutId: id, workoutName: name, startedAt, utcOffsetMinutes, heartRateBpm: maxHeartRateBpm })
    .from(workouts)
    .where(and(COUNTED, isNotNull(maxHeartRateBpm), lte(maxHeartRateBpm, FASTEST_PULSE_BPM)))
    .orderBy(desc(maxHeartRateBpm), desc(startedAt))
    .limit(1)
    .get()
  if (found === undefined || found.heartRateBpm === null) return { highest: null }
  const { startedAt: startedAtMs, heartRateBpm, ...run } = found
  return { highest: { heartRateBpm, ...run, date: isoTime(startedAtMs) } }
}
