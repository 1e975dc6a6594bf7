import { isoTime } from '../engine/calendar/timestamp.ts'
import { roundedOrNull } from '../engine/units.ts'
import { type Weather, type WeatherQuality, weatherOf } from '../library/weather.ts'
import type { RunWeather } from './hours.ts'

/** The record of a lookup, rounded for the wire. */
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
