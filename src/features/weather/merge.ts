import { isoTime } from '../../engine/calendar/timestamp.ts'
import { roundedOrNull } from '../../engine/units.ts'
import type { RunWeather } from '../../engine/weather.ts'
import { servedWeather, storedObject, type Weather, type WeatherQuality, weatherOf } from '../../library/weather.ts'

const LOOKUP_KEYS = [
  'temperature',
  'humidity',
  'precipitation',
  'weatherCode',
  'condition',
  'windSpeed',
  'windDirection',
  'pressure',
  'apparentTemperature',
  'dewPoint',
  'windGust',
] as const
type LookupKey = (typeof LOOKUP_KEYS)[number]

/** Keys that alone are not worth a request. */
const FURTHER_KEYS: readonly LookupKey[] = ['condition', 'apparentTemperature', 'dewPoint', 'windGust']

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

/** False when a lookup would add nothing: a final one was made, or the file has every key. */
export function wantsLookup(stored: string | null): boolean {
  const weather = servedWeather(stored)
  if (weather === null || weather.quality === 'preliminary') return true
  return (
    weather.source !== 'open_meteo' && LOOKUP_KEYS.some((key) => !FURTHER_KEYS.includes(key) && weather[key] === null)
  )
}

/**
 * Adds a lookup to stored weather: it fills missing keys and replaces those that an earlier preliminary lookup filled
 * (docs/api.md 11.4), whose names are stored in `filled` until the final one.
 */
export function mergedWeather(stored: string | null, lookup: Weather): Weather & { readonly filled?: LookupKey[] } {
  const base = storedObject(stored)
  const present = servedWeather(stored)
  if (base === null || present === null) return lookup
  const isLookup = present.source === 'open_meteo'
  const wasPreliminary = present.quality === 'preliminary'
  const replaceable = wasPreliminary ? earlierKeys(isLookup, base.filled) : []
  const filled = LOOKUP_KEYS.filter(
    (key) => (lookup[key] ?? null) !== null && ((present[key] ?? null) === null || replaceable.includes(key)),
  )
  const { quality: _quality, ...kept } = present
  const isPreliminary = lookup.quality === 'preliminary' && filled.length > 0
  const quality = wasPreliminary ? lookup.quality : present.quality
  return {
    ...kept,
    ...Object.fromEntries(filled.map((key) => [key, lookup[key]])),
    ...(isLookup && wasPreliminary ? { fetchedAt: lookup.fetchedAt } : {}),
    ...(isLookup && quality !== undefined ? { quality } : {}),
    ...(!isLookup && isPreliminary ? { quality: 'preliminary', filled } : {}),
  }
}

function earlierKeys(isLookup: boolean, filled: unknown): readonly LookupKey[] {
  if (isLookup) return LOOKUP_KEYS
  return Array.isArray(filled) ? LOOKUP_KEYS.filter((key) => filled.includes(key)) : []
}
