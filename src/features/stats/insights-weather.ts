import type { Static } from '@sinclair/typebox'
import type { Tx } from '../../db/open.ts'
import { greatest } from '../../engine/calendar/insights.ts'
import { METRES_PER_KM, METRES_PER_MILE, roundHalfUp } from '../../engine/units.ts'
import type { UnitPreference } from '../../library/settings.ts'
import { conditionText, servedWeather } from '../../library/weather.ts'
import { entriesOf, type RunFigures } from './insights-figures.ts'
import type { Availability } from './insights-schemas.ts'

/** Fewest runs with weather for extremes (docs/api.md 6). */
const REQUIRED_RUNS = 3
const CARDINALS = [
  'N',
  'NNE',
  'NE',
  'ENE',
  'E',
  'ESE',
  'SE',
  'SSE',
  'S',
  'SSW',
  'SW',
  'WSW',
  'W',
  'WNW',
  'NW',
  'NNW',
] as const

/** The coldest, windiest, snowiest … of all runs; null when too few have weather. @param runs by start, oldest first */
export function weatherExtremes(
  tx: Tx,
  runs: readonly RunFigures[],
  { unit, availability }: { readonly unit: UnitPreference; readonly availability: Static<typeof Availability> },
) {
  if (availability.count < REQUIRED_RUNS || !availability.available) return null
  const found = {
    coldest: greatest(runs, ({ temperatureC }) => (temperatureC === null ? null : -temperatureC)),
    hottest: greatest(runs, ({ temperatureC }) => temperatureC),
    windiest: greatest(runs, ({ windSpeedMps }) => windSpeedMps),
    mostHumid: greatest(runs, ({ humidity }) => humidity),
    wettest: greatest(runs, ({ precipitationMm }) => ((precipitationMm ?? 0) > 0 ? precipitationMm : null)),
    mostEpic: greatest(runs, ({ weatherCode }) => within(weatherCode, 95, 99)),
    foggiest: greatest(runs, ({ weatherCode }) => within(weatherCode, 45, 48)),
    // snow of an unknown amount ranks below any known amount
    snowiest: greatest(runs, ({ weatherCode, precipitationMm }) =>
      isSnow(weatherCode) ? (precipitationMm ?? -1) : null,
    ),
  }
  const entry = entriesOf(tx, found)
  const degrees = ({ temperatureC }: RunFigures) => temperature(temperatureC ?? 0, unit)
  const code = ({ weatherCode }: RunFigures, { weather }: { weather: string | null }) => ({
    weatherCode: weatherCode ?? 0,
    condition: servedWeather(weather)?.condition ?? conditionText(weatherCode ?? 0),
  })
  return {
    coldest: entry(found.coldest, degrees),
    hottest: entry(found.hottest, degrees),
    windiest: entry(found.windiest, ({ windSpeedMps }, { windDirection }) => ({
      ...windSpeed(windSpeedMps ?? 0, unit),
      windDirection,
      windDirectionCardinal: windDirection === null ? null : cardinal(windDirection),
    })),
    mostHumid: entry(found.mostHumid, ({ humidity }) => ({ humidity: humidity ?? 0 })),
    wettest: entry(found.wettest, ({ precipitationMm }) => ({
      precipitation: precipitationMm ?? 0,
      precipitationUnit: 'mm' as const,
    })),
    mostEpic: entry(found.mostEpic, code),
    foggiest: entry(found.foggiest, code),
    snowiest: entry(found.snowiest, (figures, about) => ({
      ...code(figures, about),
      precipitation: figures.precipitationMm,
    })),
  }
}

function within(code: number | null, first: number, last: number): number | null {
  return code !== null && code >= first && code <= last ? code : null
}

/** Whether a WMO code is snow or snow showers; hail, freezing rain and mixtures do not count. */
function isSnow(code: number | null): boolean {
  return code !== null && ((code >= 71 && code <= 77) || code === 85 || code === 86)
}

function temperature(celsius: number, unit: UnitPreference) {
  return unit === 'imperial'
    ? { temperature: roundHalfUp((celsius * 9) / 5 + 32, 1), temperatureUnit: '°F' as const }
    : { temperature: roundHalfUp(celsius, 1), temperatureUnit: '°C' as const }
}

function windSpeed(metresPerSecond: number, unit: UnitPreference) {
  const perHour = metresPerSecond * 3600
  return unit === 'imperial'
    ? { windSpeed: roundHalfUp(perHour / METRES_PER_MILE, 1), windSpeedUnit: 'mph' as const }
    : { windSpeed: roundHalfUp(perHour / METRES_PER_KM, 1), windSpeedUnit: 'km/h' as const }
}

/** One of 16 compass points, each 22.5 degrees wide. */
function cardinal(degrees: number): string {
  const turn = ((degrees % 360) + 360) % 360
  return CARDINALS[Math.floor(turn / 22.5 + 0.5) % CARDINALS.length]!
}
