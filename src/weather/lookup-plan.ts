import { and, between, eq, lte } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { weatherJobs, workouts } from '../db/schema.ts'
import { type DaySpan, isoDate, localDay } from '../engine/calendar/weeks.ts'
import { workoutTrack } from '../library/recordings.ts'
import { coarseDegrees, type WeatherEndpoint, type WeatherQuery } from './client.ts'
import { HOUR_MS, type TimeRange } from './hours.ts'
import { wantsLookup } from './merge.ts'

/** The request for one run. */
export interface LookupPlan {
  readonly run: TimeRange
  readonly query: WeatherQuery
}

export const DAY_MS = 24 * HOUR_MS

/** The archive lags by five days; two more give its days time to become complete. */
const ARCHIVE_AGE_MS = 7 * DAY_MS
/** More days count as a second call. */
const MAX_DAYS = 14
/** Resolution of the elevation; 100 m change the temperature by 0.65 °C at the standard lapse rate. */
const ELEVATION_STEP_M = 10
/** Most waiting runs of the same place that are considered; more would repeat the same days. */
const MAX_NEIGHBOURS = 200

/**
 * The request for one run, or null when it has no position or needs no weather; then no lookup is ever needed.
 * @param isFinal uses the archive whatever the run's age
 * @param isOther uses the other endpoint
 */
export function lookupPlan(
  tx: Tx,
  workoutId: string,
  { nowMs, isFinal, isOther }: { nowMs: number; isFinal: boolean; isOther: boolean },
): LookupPlan | null {
  const row = tx
    .select({
      startedAt: workouts.startedAt,
      durationS: workouts.durationS,
      route: workouts.routePreview,
      minElevM: workouts.minElevM,
      maxElevM: workouts.maxElevM,
      weather: workouts.weather,
    })
    .from(workouts)
    .where(eq(workouts.id, workoutId))
    .get()
  const [lonDeg, latDeg] = row?.route?.[0] ?? []
  if (row === undefined || lonDeg === undefined || latDeg === undefined || !wantsLookup(row.weather)) return null
  const run = timeRange(row.startedAt, row.durationS)
  const isOld = isFinal || nowMs - row.startedAt > ARCHIVE_AGE_MS
  const endpoint: WeatherEndpoint = isOld !== isOther ? 'archive' : 'forecast'
  const days = daysOf(run)
  return {
    run,
    query: {
      endpoint,
      latDeg: coarseDegrees(latDeg),
      lonDeg: coarseDegrees(lonDeg),
      elevationM: roundedElevation(medianElevation(tx, workoutId) ?? middle(row.minElevM, row.maxElevM)),
      startDate: isoDate(days.firstDay),
      endDate: isoDate(days.lastDay),
    },
  }
}

/**
 * The same request, extended to the days of other waiting runs of the same place, as far as one call allows, so that
 * runs of a fortnight at home share one request. Earlier days first, since the queue works backwards.
 */
export function sharedQuery(tx: Tx, { run, query }: LookupPlan, nowMs: number): WeatherQuery {
  if (query.endpoint === 'forecast') return query
  const reachMs = MAX_DAYS * DAY_MS
  const neighbours = tx
    .select({ startedAt: workouts.startedAt, durationS: workouts.durationS, route: workouts.routePreview })
    .from(workouts)
    .innerJoin(weatherJobs, eq(weatherJobs.workoutId, workouts.id))
    .where(
      and(
        between(workouts.startedAt, run.startMs - reachMs, Math.min(run.endMs + reachMs, nowMs - ARCHIVE_AGE_MS)),
        lte(weatherJobs.dueAt, nowMs),
      ),
    )
    .limit(MAX_NEIGHBOURS)
    .all()
    .filter(({ route }) => isCell(query, route?.[0]))
    .map(({ startedAt, durationS }) => daysOf(timeRange(startedAt, durationS)))
  const own = daysOf(run)
  const earlier = neighbours
    .map((days) => days.firstDay)
    .filter((day) => day < own.firstDay && day > own.lastDay - MAX_DAYS)
  const first = Math.min(own.firstDay, ...earlier)
  const later = neighbours.map((days) => days.lastDay).filter((day) => day > own.lastDay && day < first + MAX_DAYS)
  return { ...query, startDate: isoDate(first), endDate: isoDate(Math.max(own.lastDay, ...later)) }
}

/** @param point [lon, lat] */
function isCell(query: WeatherQuery, [lonDeg, latDeg]: readonly number[] = []): boolean {
  if (lonDeg === undefined || latDeg === undefined) return false
  return coarseDegrees(latDeg) === query.latDeg && coarseDegrees(lonDeg) === query.lonDeg
}

/** Longer runs (from clocks that jumped) are looked up only for their first days. */
function timeRange(startMs: number, durationS: number): TimeRange {
  return { startMs, endMs: startMs + Math.min(durationS * 1000, (MAX_DAYS - 2) * DAY_MS) }
}

/**
 * Includes the hour after the run's end, whose record covers its last minutes: from 23:00 on that is in the next day.
 */
function daysOf({ startMs, endMs }: TimeRange): DaySpan {
  return { firstDay: localDay(startMs, 0), lastDay: localDay(Math.ceil(endMs / HOUR_MS) * HOUR_MS, 0) }
}

/** Median of the recorded elevations, metres; null without any. */
function medianElevation(tx: Tx, workoutId: string): number | null {
  const track = workoutTrack(tx, workoutId)
  if (track === null) return null
  const known = track.elevM.filter((elevM) => !Number.isNaN(elevM)).sort()
  return known[Math.floor(known.length / 2)] ?? null
}

function middle(minM: number | null, maxM: number | null): number | null {
  return minM === null || maxM === null ? minM : (minM + maxM) / 2
}

function roundedElevation(elevM: number | null): number | null {
  return elevM === null ? null : Math.round(elevM / ELEVATION_STEP_M) * ELEVATION_STEP_M || 0
}
