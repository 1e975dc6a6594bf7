import { and, between, eq, lte, type SQL } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { weatherJobs, workouts } from '../../db/schema.ts'
import { isoDate, localDay } from '../../engine/calendar/weeks.ts'
import { DAY_MS, HOUR_MS } from '../../engine/units.ts'
import type { TimeRange } from '../../engine/weather.ts'
import type { WeatherQuery } from '../../library/deps.ts'
import { workoutTrack } from '../../library/recordings.ts'
import { servedWeather } from '../../library/weather.ts'
import { coarseDegrees } from './client.ts'

/** One request, and the waiting runs that its answer is for; the first is the one that it was made for. */
export interface Lookup {
  readonly query: WeatherQuery
  readonly runs: readonly WaitingRun[]
}

type WaitingRun = ReturnType<typeof waitingRuns>[number]

/** The archive lags by five days; two more give its days time to become complete. */
const ARCHIVE_AGE_MS = 7 * DAY_MS
/** More days count as a second call. */
const MAX_DAYS = 14
/** Resolution of the elevation; 100 m change the temperature by 0.65 °C at the standard lapse rate. */
const ELEVATION_STEP_M = 10
/** Runs whose elevations differ by up to this share an answer: 50 m mean 0.3 °C. */
const SAME_ELEVATION_M = 50
/** Most waiting runs of the same days that are considered. */
const MOST_WAITING = 100

/**
 * The request for a waiting run. Its days are extended to those of others at the same place, as far as one call allows,
 * so that runs of a fortnight at home share one; earlier days first, since the queue works backwards.
 * @param isOther uses the other endpoint
 * @returns null when the run has no position or needs no weather; then no lookup is ever needed
 */
export function lookupOf(
  tx: Tx,
  workoutId: string,
  { nowMs, isOther }: { readonly nowMs: number; readonly isOther: boolean },
): Lookup | null {
  const [own] = waitingRuns(tx, eq(weatherJobs.workoutId, workoutId), nowMs)
  if (own === undefined) return null
  const endpoint = own.isOld !== isOther ? 'archive' : 'forecast'
  const { startMs, endMs } = own.range
  const near = between(workouts.startedAt, startMs - MAX_DAYS * DAY_MS, endMs + MAX_DAYS * DAY_MS)
  const others = waitingRuns(tx, and(near, lte(weatherJobs.dueAt, nowMs)), nowMs).filter(
    (run) => run.workoutId !== workoutId && run.isOld === (endpoint === 'archive') && isSamePlace(run, own),
  )
  const firstDays = others.map(({ firstDay }) => firstDay).filter((day) => day > own.lastDay - MAX_DAYS)
  const firstDay = Math.min(own.firstDay, ...firstDays)
  const lastDays = others.map(({ lastDay }) => lastDay).filter((day) => day < firstDay + MAX_DAYS)
  const lastDay = Math.max(own.lastDay, ...lastDays)
  const { latDeg, lonDeg } = own
  return {
    query: {
      endpoint,
      latDeg,
      lonDeg,
      elevationM: roundedElevation(medianElevation(tx, workoutId) ?? own.elevM),
      startDate: isoDate(firstDay),
      endDate: isoDate(lastDay),
    },
    runs: [own, ...others.filter((run) => run.firstDay >= firstDay && run.lastDay <= lastDay)],
  }
}

/** The runs with such a job that have a position and need weather. */
function waitingRuns(tx: Tx, where: SQL | undefined, nowMs: number) {
  const rows = tx
    .select({
      workoutId: workouts.id,
      state: weatherJobs.state,
      startedAt: workouts.startedAt,
      durationS: workouts.durationS,
      route: workouts.routePreview,
      minElevM: workouts.minElevM,
      maxElevM: workouts.maxElevM,
      weather: workouts.weather,
    })
    .from(weatherJobs)
    .innerJoin(workouts, eq(workouts.id, weatherJobs.workoutId))
    .where(where)
    .limit(MOST_WAITING)
    .all()
  return rows.flatMap(({ workoutId, state, startedAt, durationS, route, minElevM, maxElevM, weather }) => {
    const [lonDeg, latDeg] = route?.[0] ?? []
    if (lonDeg === undefined || latDeg === undefined || !wantsLookup(weather)) return []
    const range = timeRange(startedAt, durationS)
    return {
      workoutId,
      range,
      ...daysOf(range),
      latDeg: coarseDegrees(latDeg),
      lonDeg: coarseDegrees(lonDeg),
      elevM: minElevM === null || maxElevM === null ? minElevM : (minElevM + maxElevM) / 2,
      isOld: state === 'final' || nowMs - startedAt > ARCHIVE_AGE_MS,
    }
  })
}

function isSamePlace(a: WaitingRun, b: WaitingRun): boolean {
  const isLevel =
    a.elevM === null || b.elevM === null ? a.elevM === b.elevM : Math.abs(a.elevM - b.elevM) <= SAME_ELEVATION_M
  return isLevel && a.latDeg === b.latDeg && a.lonDeg === b.lonDeg
}

/** Longer runs (from clocks that jumped) are looked up only for their first days. */
function timeRange(startMs: number, durationS: number): TimeRange {
  return { startMs, endMs: startMs + Math.min(durationS * 1000, (MAX_DAYS - 2) * DAY_MS) }
}

/** UTC days, with the hour after the run's end, whose record covers its last minutes (the next day from 23:00). */
function daysOf({ startMs, endMs }: TimeRange): { readonly firstDay: number; readonly lastDay: number } {
  return { firstDay: localDay(startMs, 0), lastDay: localDay(Math.ceil(endMs / HOUR_MS) * HOUR_MS, 0) }
}

/** Median of the recorded elevations, metres; null without any. */
function medianElevation(tx: Tx, workoutId: string): number | null {
  const track = workoutTrack(tx, workoutId)
  if (track === null) return null
  const known = track.elevM.filter((elevM) => !Number.isNaN(elevM)).sort()
  return known[Math.floor(known.length / 2)] ?? null
}

function roundedElevation(elevM: number | null): number | null {
  return elevM === null ? null : Math.round(elevM / ELEVATION_STEP_M) * ELEVATION_STEP_M || 0
}

/** Without one of these the weather of a file is looked up; the others alone are not worth a request. */
const WANTED_KEYS = [
  'temperature',
  'humidity',
  'precipitation',
  'weatherCode',
  'windSpeed',
  'windDirection',
  'pressure',
] as const

/** False when a lookup would add nothing: a final one was made, or the file has every key. */
export function wantsLookup(stored: string | null): boolean {
  const weather = servedWeather(stored)
  if (weather === null || weather.quality === 'preliminary') return true
  return weather.source !== 'open_meteo' && WANTED_KEYS.some((key) => weather[key] === null)
}
