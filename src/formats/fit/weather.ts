import { type FileWeather, present } from '../format.ts'
import type { FitPart } from './decode.ts'
import { FIT_EPOCH_S } from './profile.ts'
import type { FitMessage } from './values.ts'

/** weather_report value of a measurement, not a forecast. */
const CURRENT = 0

/** FIT weather_status to WMO code and its text. */
const CONDITIONS: Readonly<Record<number, readonly [code: number | null, condition: string | null]>> = {
  0: [0, 'Clear sky'],
  1: [2, 'Partly cloudy'],
  2: [3, 'Overcast'],
  3: [63, 'Moderate rain'],
  4: [73, 'Moderate snow fall'],
  5: [null, null],
  6: [95, 'Thunderstorm'],
  7: [66, 'Light freezing rain'],
  8: [45, 'Foggy'],
  11: [45, 'Foggy'],
  12: [96, 'Thunderstorm with slight hail'],
  13: [80, 'Slight rain showers'],
  14: [95, 'Thunderstorm'],
  15: [61, 'Slight rain'],
  16: [61, 'Slight rain'],
  17: [65, 'Heavy rain'],
  18: [71, 'Slight snow fall'],
  19: [75, 'Heavy snow fall'],
  20: [66, 'Light freezing rain'],
  21: [67, 'Heavy freezing rain'],
  22: [3, 'Overcast'],
}

/** The weather report nearest to the start; null: the file has none. */
export function weatherMessage(part: FitPart, startS: number): FitMessage | null {
  const far = ({ timestamp }: FitMessage) =>
    typeof timestamp === 'number' ? Math.abs(timestamp + FIT_EPOCH_S - startS) : Number.MAX_VALUE
  let nearest: FitMessage | null = null
  for (const message of part.messages.weatherConditions ?? []) {
    if ((message.weatherReport ?? CURRENT) !== CURRENT) continue
    if (nearest === null || far(message) < far(nearest)) nearest = message
  }
  return nearest
}

/** Converts a FIT weather_conditions message; null when it has no value. */
export function fitWeather(message: FitMessage): FileWeather | null {
  const number = (field: string) => (typeof message[field] === 'number' ? (message[field] as number) : undefined)
  const values = present({
    temperature: number('temperature'),
    humidity: number('relativeHumidity'),
    windSpeed: number('windSpeed'),
    windDirection: number('windDirection'),
    temperatureFeelsLike: number('temperatureFeelsLike'),
    precipitationProbability: number('precipitationProbability'),
  })
  const [weatherCode, condition] = CONDITIONS[number('condition') ?? Number.NaN] ?? []
  if (weatherCode === undefined || condition === undefined) {
    return Object.keys(values).length === 0 ? null : { source: 'fit_import', ...values }
  }
  return { source: 'fit_import', ...values, weatherCode, condition }
}
