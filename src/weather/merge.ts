import { servedWeather, storedObject, type Weather } from '../library/weather.ts'

/** What a lookup can tell. */
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

/** The keys without which a runner misses something; the further ones alone are not worth a request. */
const WANTED_KEYS = [
  'temperature',
  'humidity',
  'precipitation',
  'weatherCode',
  'windSpeed',
  'windDirection',
  'pressure',
] as const

/** False when a lookup would have nothing to add: a final one was made, or the file says it all. */
export function wantsLookup(stored: string | null): boolean {
  const weather = servedWeather(stored)
  if (weather === null || weather.quality === 'preliminary') return true
  return weather.source !== 'open_meteo' && WANTED_KEYS.some((key) => weather[key] === null)
}

/**
 * Adds a lookup to what is stored: it fills keys that are missing, and replaces only what an earlier preliminary lookup
 * had filled (CONTRACT 11.4). Which keys those were is kept beside them in `filled` until the final one came.
 * @param stored the weather column as it is
 * @returns the object to store
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
