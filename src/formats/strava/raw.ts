import type { RawObject } from '../format.ts'
import type { StravaColumns } from './columns.ts'
import type { StravaColumn } from './titles.ts'
import { typedValue } from './values.ts'
import type { StravaWeatherCells } from './weather.ts'

/** Columns of the raw data under names of their own, in this order. */
const RAW_COLUMNS = {
  activityId: 'activityId',
  elapsedTime: 'elapsedTime',
  movingTime: 'movingTime',
  timerTime: 'timerTime',
  distance: 'distance',
  maxHeartRate: 'maxHeartRate',
  averageHeartRate: 'averageHeartRate',
  maxCadence: 'maxCadence',
  averageCadence: 'averageCadence',
  maxWatts: 'maxWatts',
  averageWatts: 'averageWatts',
  calories: 'calories',
  maxSpeed: 'maxSpeed',
  averageSpeed: 'averageSpeed',
  elevationGain: 'elevationGain',
  elevationLoss: 'elevationLoss',
  elevationLow: 'elevationLow',
  elevationHigh: 'elevationHigh',
  maxGrade: 'maxGrade',
  averageGrade: 'averageGrade',
  averagePositiveGrade: 'averagePositiveGrade',
  averageNegativeGrade: 'averageNegativeGrade',
  relativeEffort: 'relativeEffort',
  gear: 'gear',
  commute: 'commute',
  perceivedExertion: 'perceivedExertion',
  description: 'activityDescription',
  privateNote: 'activityPrivateNote',
} as const satisfies Partial<Record<StravaColumn, string>>

const RAW_WEATHER = {
  weatherObservationTime: 'observationTime',
  weatherCondition: 'condition',
  weatherTemperature: 'temperature',
  apparentTemperature: 'apparentTemperature',
  dewpoint: 'dewpoint',
  humidity: 'humidity',
  weatherPressure: 'pressure',
  windSpeed: 'windSpeed',
  windGust: 'windGust',
  windBearing: 'windBearing',
  precipitationIntensity: 'precipitationIntensity',
  precipitationProbability: 'precipitationProbability',
  precipitationType: 'precipitationType',
  cloudCover: 'cloudCover',
  weatherVisibility: 'visibility',
  uvIndex: 'uvIndex',
  weatherOzone: 'ozone',
  sunriseTime: 'sunriseTime',
  sunsetTime: 'sunsetTime',
  moonPhase: 'moonPhase',
} as const satisfies Partial<Record<StravaColumn, string>>

/**
 * rawStravaData of CONTRACT 11.3. Blank cells are left out. Of repeated titles the last filled one stands.
 */
export function rawRow(cells: readonly string[], columns: StravaColumns, weather: StravaWeatherCells): RawObject {
  const named = new Set(
    [...Object.keys(RAW_COLUMNS), ...Object.keys(RAW_WEATHER)].flatMap(
      (column) => columns.indexes.get(column as StravaColumn) ?? [],
    ),
  )
  const otherFields: Record<string, number | boolean | string> = {}
  columns.titles.forEach((title, index) => {
    const value = typedValue(cells[index] ?? '')
    if (!named.has(index) && title !== '' && value !== null) otherFields[title] = value
  })
  return {
    ...collected(RAW_COLUMNS, cells, columns),
    ...(Object.keys(weather).length > 0 ? { weather } : {}),
    ...(Object.keys(otherFields).length > 0 ? { otherFields } : {}),
    source: 'strava_import',
  }
}

/** The weather cells of a row, typed, under names of their own. */
export function weatherCells(cells: readonly string[], columns: StravaColumns): StravaWeatherCells {
  return collected(RAW_WEATHER, cells, columns)
}

function collected(names: Partial<Record<StravaColumn, string>>, cells: readonly string[], { indexes }: StravaColumns) {
  const values: Record<string, number | boolean | string> = {}
  for (const [column, key] of Object.entries(names) as [StravaColumn, string][]) {
    for (const index of indexes.get(column) ?? []) {
      const value = typedValue(cells[index] ?? '')
      // A number is never replaced by the text of a twin.
      if (value !== null && (typeof value === 'number' || typeof values[key] !== 'number')) values[key] = value
    }
  }
  return values
}
