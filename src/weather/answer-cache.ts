import type { WeatherQuery } from './client.ts'
import { HOUR_MS, type HourlyWeather } from './hours.ts'

interface Entry {
  readonly query: WeatherQuery
  readonly hours: HourlyWeather
  readonly atMs: number
}

/** A fortnight takes about 30 KB. */
const MAX_ENTRIES = 32
/** Forecasts of the current day change, so they expire; archive data does not. */
const FORECAST_LIFETIME_MS = HOUR_MS
/** Runs whose median elevations differ by up to this share an answer: 50 m mean 0.3 °C. */
const SAME_ELEVATION_M = 50

export type AnswerCache = ReturnType<typeof createAnswerCache>

/** Caches the answers of the last lookups in memory, so that runs of one place and day share a request. */
export function createAnswerCache() {
  const entries: Entry[] = []
  return {
    find: (query: WeatherQuery, nowMs: number): HourlyWeather | null => {
      const at = entries.findIndex((entry) => answers(entry, query, nowMs))
      const [entry] = at === -1 ? [] : entries.splice(at, 1)
      if (entry === undefined) return null
      entries.push(entry)
      return entry.hours
    },
    add: (query: WeatherQuery, hours: HourlyWeather, nowMs: number): void => {
      entries.push({ query, hours, atMs: nowMs })
      if (entries.length > MAX_ENTRIES) entries.shift()
    },
  }
}

function answers({ query: asked, atMs }: Entry, query: WeatherQuery, nowMs: number): boolean {
  return (
    asked.endpoint === query.endpoint &&
    asked.latDeg === query.latDeg &&
    asked.lonDeg === query.lonDeg &&
    asked.startDate <= query.startDate &&
    asked.endDate >= query.endDate &&
    isSameElevation(asked.elevationM, query.elevationM) &&
    (query.endpoint === 'archive' || nowMs - atMs < FORECAST_LIFETIME_MS)
  )
}

function isSameElevation(askedM: number | null, elevM: number | null): boolean {
  if (askedM === null || elevM === null) return askedM === elevM
  return Math.abs(askedM - elevM) <= SAME_ELEVATION_M
}
