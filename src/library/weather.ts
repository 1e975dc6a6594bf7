import { eq, sql } from 'drizzle-orm'
import { isObject } from '../base/json-object.ts'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { weatherJobs } from '../db/schema.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../engine/units.ts'
import type { FileWeather } from '../formats/format.ts'
import type { Deps } from './deps.ts'

/** 'preliminary': from the forecast endpoint, replaced once the weather archive has the day. */
export type WeatherQuality = 'preliminary' | 'final'

/**
 * The weather object of docs/api.md 11.4: the first ten keys are always present, the others when known. Keys from other
 * programs are kept.
 */
export interface Weather {
  readonly source: string | null
  /** ISO 8601 UTC. */
  readonly fetchedAt: string | null
  /** °C */
  readonly temperature: number | null
  /** 0 to 100 */
  readonly humidity: number | null
  /** mm over the whole run */
  readonly precipitation: number | null
  /** WMO code 4677. */
  readonly weatherCode: number | null
  readonly condition: string | null
  /** m/s */
  readonly windSpeed: number | null
  /** The direction that it comes from, degrees clockwise from north. */
  readonly windDirection: number | null
  /** hPa at the surface */
  readonly pressure: number | null
  readonly temperatureFeelsLike?: number
  readonly apparentTemperature?: number
  readonly dewPoint?: number
  readonly windGust?: number
  readonly precipitationProbability?: number
  readonly cloudCover?: number
  readonly quality?: WeatherQuality
  readonly [key: string]: unknown
}

type Stored = Readonly<Record<string, unknown>>

/** Keys that are served only when known. */
const EXTRA_KEYS = [
  'temperatureFeelsLike',
  'apparentTemperature',
  'dewPoint',
  'windGust',
  'precipitationProbability',
  'cloudCover',
] as const

/**
 * The stored weather as it is served: humidity in percent, numeric strings as numbers.
 * @returns null without weather, and for a value from an archive that is not a JSON object
 */
export function servedWeather(stored: string | null): Weather | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    return isObject(value) ? weatherOf(value) : null
  } catch {
    return null
  }
}

/** The weather of a file in the form that is stored and served. */
export function storedWeather(fileWeather: FileWeather, fetchedAtMs: number): Weather {
  return weatherOf({ ...fileWeather, fetchedAt: isoTime(fetchedAtMs) })
}

export function weatherColumns(weather: Weather | null) {
  return {
    weatherTemperatureC: weather?.temperature ?? null,
    weatherHumidity: weather?.humidity ?? null,
    weatherPrecipitationMm: weather?.precipitation ?? null,
    weatherWindSpeedMps: weather?.windSpeed ?? null,
    weatherWindDirection: weather?.windDirection ?? null,
    weatherCode: weather?.weatherCode ?? null,
  }
}

/** Converts an object from any program to the served form: the first ten keys always, numbers as numbers. */
export function weatherOf(stored: Readonly<Record<string, unknown>>): Weather {
  const { relativeHumidity: _, ...rest }: Record<string, unknown> = { ...stored }
  for (const key of EXTRA_KEYS) delete rest[key]
  const weatherCode = wholeOrNull(stored.weatherCode)
  return {
    ...rest,
    source: textOrNull(stored.source),
    fetchedAt: textOrNull(stored.fetchedAt),
    temperature: numberOrNull(stored.temperature),
    humidity: percent(numberOrNull(stored.humidity ?? stored.relativeHumidity)),
    precipitation: numberOrNull(stored.precipitation),
    weatherCode,
    condition: textOrNull(stored.condition) ?? (weatherCode === null ? null : conditionText(weatherCode)),
    windSpeed: numberOrNull(stored.windSpeed),
    windDirection: numberOrNull(stored.windDirection),
    pressure: numberOrNull(stored.pressure),
    ...knownExtras(stored),
  }
}

function knownExtras(stored: Stored): Partial<Record<(typeof EXTRA_KEYS)[number], number>> {
  const known = EXTRA_KEYS.map((key) => [key, numberOrNull(stored[key])] as const)
  return Object.fromEntries(known.filter(([, value]) => value !== null))
}

/** Humidity up to 1 is read as a fraction; exactly 1 is 100 %. */
function percent(humidity: number | null): number | null {
  if (humidity === null) return null
  const asPercent = humidity > 0 && humidity <= 1 ? roundHalfUp(humidity * 100, 6) : humidity
  return Math.min(100, Math.max(0, asPercent))
}

function numberOrNull(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function wholeOrNull(value: unknown): number | null {
  const number = numberOrNull(value)
  return number === null || !Number.isSafeInteger(Math.round(number)) ? null : Math.round(number)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Weather as a source states it; null: it was looked up, which is an observation. */
export function statedWeather(weather: string | null): string | null {
  return servedWeather(weather)?.source === 'open_meteo' ? null : weather
}

const firstLookup = preparedOnce((tx) =>
  tx
    .insert(weatherJobs)
    .values({ workoutId: sql.placeholder('workoutId'), dueAt: sql.placeholder('dueAt'), state: 'first' })
    .onConflictDoNothing()
    .prepare(),
)

const observed = preparedOnce((tx) =>
  tx.$client.prepare<{ weather: string }, [string, number]>(
    'SELECT weather FROM observation WHERE run_id = ? AND hour = ?',
  ),
)

/** The weather that was looked up for an hour of a run; null: none was. */
export function observedWeather(tx: Tx, runId: string, hour: number): string | null {
  return observed(tx).get(runId, hour)?.weather ?? null
}

/** Queues the first weather lookup of a workout with a position. Part of the import's transaction. */
export function enqueueWeather(tx: Tx, workoutId: string, dueAtMs: number): void {
  firstLookup(tx).run({ workoutId, dueAt: dueAtMs })
}

/** Asks for the weather of a run that is new or in another hour than before, unless it is known. */
export function askWeather(
  tx: Tx,
  { config, now }: Pick<Deps, 'config' | 'now'>,
  { id, isNew, weather }: { readonly id: string; readonly isNew: boolean; readonly weather: string | null },
): void {
  tx.delete(weatherJobs).where(eq(weatherJobs.workoutId, id)).run()
  const isOpen = weather === null || servedWeather(weather)?.quality === 'preliminary'
  if (config.weatherEnabled && (isNew || isOpen)) enqueueWeather(tx, id, now())
}

/** Texts of WMO code 4677 as Open-Meteo uses it. */
const CONDITIONS: Readonly<Record<number, string>> = {
  0: 'Clear sky',
  1: 'Mainly clear',
  2: 'Partly cloudy',
  3: 'Overcast',
  45: 'Foggy',
  48: 'Depositing rime fog',
  51: 'Light drizzle',
  53: 'Moderate drizzle',
  55: 'Dense drizzle',
  56: 'Light freezing drizzle',
  57: 'Dense freezing drizzle',
  61: 'Slight rain',
  63: 'Moderate rain',
  65: 'Heavy rain',
  66: 'Light freezing rain',
  67: 'Heavy freezing rain',
  71: 'Slight snow fall',
  73: 'Moderate snow fall',
  75: 'Heavy snow fall',
  77: 'Snow grains',
  80: 'Slight rain showers',
  81: 'Moderate rain showers',
  82: 'Violent rain showers',
  85: 'Slight snow showers',
  86: 'Heavy snow showers',
  95: 'Thunderstorm',
  96: 'Thunderstorm with slight hail',
  99: 'Thunderstorm with heavy hail',
}

/** The text for a WMO weather code; `Unknown` for codes outside the table. */
export function conditionText(weatherCode: number): string {
  return CONDITIONS[weatherCode] ?? 'Unknown'
}
