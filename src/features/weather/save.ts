import { eq } from 'drizzle-orm'
import { emitRunEvents } from '../../base/events.ts'
import { weatherJobs, workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { DAY_MS, HOUR_MS, roundedOrNull } from '../../engine/units.ts'
import { type HourlyWeather, type RunWeather, weatherDuring } from '../../engine/weather.ts'
import { writeObservation } from '../../library/commit.ts'
import type { Deps } from '../../library/deps.ts'
import { writeWeather } from '../../library/derive.ts'
import { recordingIds, runHead } from '../../library/documents/run.ts'
import { recordingsByIds } from '../../library/recordings.ts'
import { recordedWeather, weatherHour } from '../../library/run-rows.ts'
import { servedWeather, statedWeather, type Weather, type WeatherQuality, weatherOf } from '../../library/weather.ts'
import { type Lookup, wantsLookup } from './lookup.ts'

/** The archive has complete data of a day after five days. */
export const FINAL_AFTER_MS = 8 * DAY_MS

/**
 * Stores the weather of all runs of a lookup, and ends their jobs, or makes them wait for the archive.
 * @returns false when the hours contain nothing about the run that the lookup was made for
 */
export function saveWeather(
  { db, now, events }: Pick<Deps, 'db' | 'now' | 'events'>,
  { query, runs }: Lookup,
  hours: HourlyWeather,
): boolean {
  const isFinal = query.endpoint === 'archive'
  const nowMs = now()
  const known = runs.map((run) => ({ ...run, during: weatherDuring(hours, run.range) }))
  const stored = db.transaction((tx) =>
    known.filter(({ workoutId, range, during }) => {
      const { weather: before, startedAt } = workouts
      const row = tx.select({ before, startedAt }).from(workouts).where(eq(workouts.id, workoutId)).get()
      const head = runHead(tx, workoutId)
      // a run that was moved meanwhile has weather of another hour, a restored one may have its final one
      if (during === null || head === null || row?.startedAt !== range.startMs || !wantsLookup(row.before)) return false
      const found = lookupWeather(during, isFinal ? 'final' : 'preliminary', nowMs)
      // an archive may state what no recording of it does
      const stated = recordedWeather(recordingsByIds(tx, recordingIds(head.body.track))) ?? statedWeather(row.before)
      const weather = JSON.stringify(filledWeather(stated, found))
      writeObservation(tx, workoutId, { hour: weatherHour(tx, head.body), weather })
      writeWeather(tx, workoutId, weather)
      const ofRun = eq(weatherJobs.workoutId, workoutId)
      const dueAt = Math.max(range.startMs + FINAL_AFTER_MS, nowMs + HOUR_MS)
      if (isFinal) tx.delete(weatherJobs).where(ofRun).run()
      else tx.update(weatherJobs).set({ state: 'final', attempts: 0, dueAt }).where(ofRun).run()
      return true
    }),
  )
  emitRunEvents(events, new Map(stored.map(({ workoutId }) => [workoutId, 'updated'])))
  return known[0]?.during !== null
}

export function lookupWeather(run: RunWeather, quality: WeatherQuality, fetchedAtMs: number): Weather {
  const direction = roundedOrNull(run.windDirectionDeg, 1)
  return weatherOf({
    source: 'open_meteo',
    fetchedAt: isoTime(fetchedAtMs),
    temperature: roundedOrNull(run.temperatureC, 1),
    humidity: roundedOrNull(run.humidityPercent, 0),
    precipitation: roundedOrNull(run.precipitationMm, 2),
    weatherCode: run.weatherCode,
    windSpeed: roundedOrNull(run.windSpeedMps, 3),
    windDirection: direction === 360 ? 0 : direction,
    pressure: roundedOrNull(run.pressureHpa, 1),
    apparentTemperature: roundedOrNull(run.apparentTemperatureC, 1),
    dewPoint: roundedOrNull(run.dewPointC, 1),
    windGust: roundedOrNull(run.windGustMps, 3),
    quality,
  })
}

/**
 * What a run has after a lookup (docs/api.md 11.4): what its file states, and of the lookup what the file lacks. Nothing
 * of an earlier lookup stays.
 */
export function filledWeather(stated: string | null, lookup: Weather): Weather {
  const file = servedWeather(stated)
  if (file === null) return lookup
  const { quality, ...found } = lookup
  const { source, fetchedAt, quality: _ofArchive, ...rest } = file
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return { ...found, ...known, source, fetchedAt, ...(quality === 'preliminary' ? { quality } : {}) }
}
