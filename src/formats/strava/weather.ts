import { type FileWeather, present } from '../format.ts'
import { rounded } from '../text-values.ts'

/** WMO code and text of CONTRACT 11.4 for the condition words that Strava uses, without case, blanks and hyphens. */
const CONDITIONS: ReadonlyMap<string, readonly [number | null, string]> = new Map(
  Object.entries({
    clear: [0, 'Clear sky'],
    clearday: [0, 'Clear sky'],
    clearnight: [0, 'Clear sky'],
    sunny: [0, 'Clear sky'],
    mostlyclear: [1, 'Mainly clear'],
    mostlysunny: [1, 'Mainly clear'],
    partlycloudy: [2, 'Partly cloudy'],
    partlycloudyday: [2, 'Partly cloudy'],
    partlycloudynight: [2, 'Partly cloudy'],
    partlysunny: [2, 'Partly cloudy'],
    mostlycloudy: [3, 'Overcast'],
    cloudy: [3, 'Overcast'],
    overcast: [3, 'Overcast'],
    fog: [45, 'Foggy'],
    foggy: [45, 'Foggy'],
    mist: [45, 'Foggy'],
    haze: [45, 'Foggy'],
    hazy: [45, 'Foggy'],
    drizzle: [51, 'Light drizzle'],
    lightrain: [61, 'Slight rain'],
    rain: [63, 'Moderate rain'],
    heavyrain: [65, 'Heavy rain'],
    showers: [80, 'Slight rain showers'],
    scatteredshowers: [80, 'Slight rain showers'],
    freezingrain: [66, 'Light freezing rain'],
    sleet: [66, 'Light freezing rain'],
    wintrymix: [66, 'Light freezing rain'],
    lightsnow: [71, 'Slight snow fall'],
    flurries: [71, 'Slight snow fall'],
    snow: [73, 'Moderate snow fall'],
    heavysnow: [75, 'Heavy snow fall'],
    hail: [96, 'Thunderstorm with slight hail'],
    thunderstorm: [95, 'Thunderstorm'],
    thunderstorms: [95, 'Thunderstorm'],
  }),
)

/** The weather cells of a row, as typed for the raw data. */
export type StravaWeatherCells = Readonly<Record<string, number | boolean | string>>

/**
 * The weather of a row (CONTRACT 11.4): °C, %, mm, m/s, degrees, hPa. Strava writes humidity, cloud cover and the probability of
 * precipitation as fractions. Its numeric condition codes are not WMO codes: code and condition stay null until a lookup fills them.
 * @returns null when the row knows nothing of the weather
 */
export function stravaWeather(cells: StravaWeatherCells): FileWeather | null {
  const number = (key: string) => (typeof cells[key] === 'number' ? rounded(cells[key], 2) : undefined)
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

/** A word we do not know is kept as it is, without code. */
function conditionOf(word: string | null): readonly [number | null, string | null] {
  if (word === null) return [null, null]
  return CONDITIONS.get(word.toLowerCase().replace(/[\s_-]/g, '')) ?? [null, word]
}
