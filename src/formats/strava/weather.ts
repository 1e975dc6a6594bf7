import { type FileWeather, present } from '../format.ts'
import { rounded } from '../text-values.ts'

/** WMO code, its text, and the words that Strava uses, without case, blanks and hyphens. */
const CONDITIONS: readonly (readonly [code: number, text: string, words: string])[] = [
  [0, 'Clear sky', 'clear clearday clearnight sunny'],
  [1, 'Mainly clear', 'mostlyclear mostlysunny'],
  [2, 'Partly cloudy', 'partlycloudy partlycloudyday partlycloudynight partlysunny'],
  [3, 'Overcast', 'mostlycloudy cloudy overcast'],
  [45, 'Foggy', 'fog foggy mist haze hazy'],
  [51, 'Light drizzle', 'drizzle'],
  [61, 'Slight rain', 'lightrain'],
  [63, 'Moderate rain', 'rain'],
  [65, 'Heavy rain', 'heavyrain'],
  [66, 'Light freezing rain', 'freezingrain sleet wintrymix'],
  [71, 'Slight snow fall', 'lightsnow flurries'],
  [73, 'Moderate snow fall', 'snow'],
  [75, 'Heavy snow fall', 'heavysnow'],
  [80, 'Slight rain showers', 'showers scatteredshowers'],
  [95, 'Thunderstorm', 'thunderstorm thunderstorms'],
  [96, 'Thunderstorm with slight hail', 'hail'],
]

export type StravaWeatherCells = Readonly<Record<string, number | boolean | string>>

/** Numbers from here on are not measurements, in any unit. */
const MOST = 1e5

/**
 * The weather of a row (docs/api.md 11.4): °C, %, mm, m/s, degrees, hPa; null: it has none. Strava writes humidity,
 * cloud cover and probabilities as fractions, and conditions in codes of its own, which stay null until a lookup fills
 * them.
 */
export function stravaWeather(cells: StravaWeatherCells): FileWeather | null {
  const number = (key: string) => {
    const value = cells[key]
    return typeof value === 'number' && Math.abs(value) < MOST ? rounded(value, 2) : undefined
  }
  const percent = (key: string) => {
    const value = cells[key]
    if (typeof value !== 'number') return undefined
    return Math.min(100, Math.max(0, rounded(value <= 1 ? value * 100 : value, 0)))
  }
  const values = present({
    temperature: number('temperature'),
    apparentTemperature: number('apparentTemperature'),
    dewPoint: number('dewpoint'),
    humidity: percent('humidity'),
    pressure: number('pressure'),
    windSpeed: number('windSpeed'),
    windGust: number('windGust'),
    windDirection: number('windBearing'),
    precipitation: number('precipitationIntensity'),
    precipitationProbability: percent('precipitationProbability'),
    cloudCover: percent('cloudCover'),
  })
  const condition = cells.condition
  const word = typeof condition === 'string' ? condition.trim() : null
  if (Object.keys(values).length === 0 && word === null) return null
  const [weatherCode, text] = conditionOf(word)
  return { source: 'strava_import', ...values, weatherCode, condition: text }
}

/** An unknown word is kept as the condition, without a code. */
function conditionOf(word: string | null): readonly [number | null, string | null] {
  const plain = word?.toLowerCase().replace(/[\s_-]/g, '') ?? ''
  const [code, text] = CONDITIONS.find(([, , words]) => words.split(' ').includes(plain)) ?? [null, word]
  return [code, text]
}
