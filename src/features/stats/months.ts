import type { Static } from '@sinclair/typebox'
import { and, desc, isNotNull, lte } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { COUNTED, type StatsDeps } from './queries.ts'
import type { FrameQuery, MonthlyStats } from './schemas.ts'

/** Decimals that sums of metres are rounded to; smaller digits are noise of binary addition. */
const NOISE_DECIMALS = 6
/** Higher heart rates are errors of the sensor, beats per minute. */
const FASTEST_PULSE_BPM = 230

type Month = Static<typeof MonthlyStats>['months'][number]

/** @param offset minutes of local time ahead of UTC, as SQL; ?1 is that of the asker */
const monthsBy = (offset: string) => `
  SELECT strftime('%Y-%m', (started_at + 60000 * ${offset}) / 1000.0, 'unixepoch') AS month,
    count(*) AS runs, sum(distance_m) AS distanceM, sum(duration_s) AS durationS,
    coalesce(sum(elev_gain_m), 0) AS elevGainM
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
    elevGainM: roundHalfUp(row.elevGainM, NOISE_DECIMALS),
  }))
  return { months }
}

/** The highest heart rate of all counted runs, and the latest run that had it. */
export function highestHeartRate({ db }: Pick<StatsDeps, 'db'>) {
  const { id, name, startedAt, maxHeartRateBpm } = workouts
  const found = db
    .select({ workoutId: id, workoutName: name, startedAt, heartRateBpm: maxHeartRateBpm })
    .from(workouts)
    .where(and(COUNTED, isNotNull(maxHeartRateBpm), lte(maxHeartRateBpm, FASTEST_PULSE_BPM)))
    .orderBy(desc(maxHeartRateBpm), desc(startedAt))
    .limit(1)
    .get()
  if (found === undefined || found.heartRateBpm === null) return { highest: null }
  const { workoutId, workoutName, heartRateBpm } = found
  return { highest: { heartRateBpm, workoutId, workoutName, date: isoTime(found.startedAt) } }
}
