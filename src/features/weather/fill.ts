import { isoTime } from '../../engine/calendar/timestamp.ts'
import { roundedOrNull } from '../../engine/units.ts'
import type { RunWeather } from '../../engine/weather.ts'
import { servedWeather, type Weather, type WeatherQuality, weatherOf } from '../../library/weather.ts'

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
  return weather.source !== 'open_meteo' && WANTED_KEYS.some((key) => weather[key] === null)
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
