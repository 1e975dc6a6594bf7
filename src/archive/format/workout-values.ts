import type { workouts } from '../../db/schema.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import type { DeviceTotals } from '../../engine/totals.ts'
import { NO_TOTALS } from '../../engine/totals.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { isObject } from '../../json-object.ts'
import { nameKey, searchText } from '../../library/search-text.ts'
import { servedWeather, weatherColumns } from '../../library/weather.ts'
import { LENGTHS } from '../../texts.ts'
import type { RestoreReport } from '../restore/report.ts'
import { isDeep, parsedOrNull } from './json-rows.ts'
import { numberOf, type Row, textOf, timeOf, uuidOf, wholeOf } from './row-fields.ts'

/** Every member of a workout row that is read. */
export const WORKOUT_FIELDS = [
  ...(['id', 'startedAt', 'createdAt', 'durationS', 'movingTimeS', 'timerTimeS', 'distanceM', 'gapPaceS'] as const),
  ...(['elevGainM', 'elevLossM', 'minElevM', 'maxElevM', 'maxSpeedMps', 'avgSpeedMps'] as const),
  ...(['maxHeartRateBpm', 'avgHeartRateBpm', 'minHeartRateBpm', 'maxCadenceRpm', 'avgCadenceRpm'] as const),
  ...(['maxCadenceSpm', 'avgCadenceSpm', 'maxPowerWatts', 'avgPowerWatts', 'calories', 'relativeEffort'] as const),
  ...(['hrZoneSeconds', 'rpe', 'runType', 'name', 'notes', 'source', 'device', 'shoeId'] as const),
  ...(['utcOffsetMinutes', 'rawFileName', 'rawFileType', 'rawFileData', 'rawGpxData', 'rawFitData'] as const),
  ...(['rawStravaData', 'weather', 'recording'] as const),
]

/** The columns that a row of an archive gives; the others come out of its parts. */
export type WorkoutValues = ReturnType<typeof workoutValues>

type RunType = NonNullable<(typeof workouts.$inferSelect)['runType']>
type FileType = NonNullable<(typeof workouts.$inferSelect)['rawFileType']>

const RUN_TYPES: readonly RunType[] = ['Race', 'Workout', 'Long Run', 'Easy Run']
const FILE_TYPES: readonly FileType[] = ['gpx', 'fit', 'tcx', 'csv']

/**
 * The values of a workout row as they are; only the pace is computed again. One of another type than it should be is left
 * out with a warning.
 * @returns what is missing that no workout can do without, as a sentence
 */
export function workoutValues(row: Row, id: string, report: RestoreReport) {
  const startedAt = timeOf(row.startedAt)
  const durationS = wholeOf(row.durationS, 0, LONGEST_RUN_S)
  const distanceM = numberOf(row.distanceM, 0)
  if (startedAt === null) return { error: 'Workouts without a startedAt that is a timestamp' }
  if (durationS === null) return { error: 'Workouts without a durationS in seconds' }
  if (distanceM === null) return { error: 'Workouts without a distanceM in metres' }

  const known = <T>(key: string, value: T | null): T | null => {
    const isLost = value === null && row[key] !== null && row[key] !== undefined && row[key] !== ''
    if (isLost) report.warn('Values of workouts that are not what they should be, left out', { which: `${id} ${key}` })
    return value
  }
  const number = (key: string) => known(key, numberOf(row[key]))
  const whole = (key: string) => known(key, wholeOf(row[key]))
  const name = known('name', textOf(row.name, LENGTHS.name))
  const source = known('source', textOf(row.source, LENGTHS.source))
  const device = known('device', textOf(row.device, LENGTHS.device))
  const weather = weatherText(row.weather)
  return {
    id,
    startedAt,
    createdAt: timeOf(row.createdAt) ?? startedAt,
    durationS,
    movingTimeS: whole('movingTimeS'),
    timerTimeS: whole('timerTimeS'),
    distanceM,
    avgPaceS: distanceM > 0 && durationS > 0 ? roundHalfUp((METRES_PER_KM * durationS) / distanceM, 2) : 0,
    gapPaceS: number('gapPaceS'),
    elevGainM: number('elevGainM'),
    elevLossM: number('elevLossM'),
    minElevM: number('minElevM'),
    maxElevM: number('maxElevM'),
    maxSpeedMps: number('maxSpeedMps'),
    avgSpeedMps: number('avgSpeedMps'),
    maxHeartRateBpm: whole('maxHeartRateBpm'),
    avgHeartRateBpm: whole('avgHeartRateBpm'),
    minHeartRateBpm: whole('minHeartRateBpm'),
    maxCadenceRpm: whole('maxCadenceRpm'),
    avgCadenceRpm: whole('avgCadenceRpm'),
    maxCadenceSpm: whole('maxCadenceSpm'),
    avgCadenceSpm: whole('avgCadenceSpm'),
    maxPowerWatts: whole('maxPowerWatts'),
    avgPowerWatts: whole('avgPowerWatts'),
    calories: whole('calories'),
    relativeEffort: whole('relativeEffort'),
    hrZoneSeconds: known('hrZoneSeconds', zoneSeconds(row.hrZoneSeconds)),
    rpe: known('rpe', wholeOf(row.rpe, 1, 10)),
    runType: known('runType', RUN_TYPES.find((type) => type === row.runType) ?? null),
    name,
    notes: known('notes', textOf(row.notes)),
    source,
    device,
    searchText: searchText(name, device, source),
    nameKey: nameKey(name),
    weather,
    ...weatherColumns(servedWeather(weather)),
  }
}

/** An archive of another program has no totals of the device: what it says of the whole run takes their place. */
export function totalsOfValues(values: Exclude<WorkoutValues, { error: string }>): DeviceTotals {
  return {
    ...NO_TOTALS,
    distanceM: values.distanceM,
    elapsedS: values.durationS,
    timerS: values.timerTimeS,
    movingS: values.movingTimeS,
    avgHeartRateBpm: values.avgHeartRateBpm,
    maxHeartRateBpm: values.maxHeartRateBpm,
    minHeartRateBpm: values.minHeartRateBpm,
    avgCadenceRpm: values.avgCadenceRpm,
    maxCadenceRpm: values.maxCadenceRpm,
    avgPowerW: values.avgPowerWatts,
    maxPowerW: values.maxPowerWatts,
    caloriesKcal: values.calories,
    elevGainM: values.elevGainM,
    elevLossM: values.elevLossM,
    minElevM: values.minElevM,
    maxElevM: values.maxElevM,
    maxSpeedMps: values.maxSpeedMps,
  }
}

/** null: the type is not known, whatever the name ends in. */
export function fileType(value: unknown): FileType | null {
  const word = typeof value === 'string' ? value.toLowerCase().replace(/^\./, '').replace(/\.gz$/, '') : ''
  return FILE_TYPES.find((type) => type === word) ?? null
}

/** An object, given as such or as its text; null for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const parsed = typeof value === 'string' ? parsedOrNull(value) : value
  return isObject(parsed) ? parsed : null
}

/** Stored as it came; what is no object is served as none (CONTRACT 11.4). */
function weatherText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' || isDeep(value) ? null : value.toWellFormed()
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function zoneSeconds(value: unknown): number[] | null {
  const parsed = typeof value === 'string' ? parsedOrNull(value) : value
  if (!Array.isArray(parsed) || parsed.length !== 5) return null
  const seconds = parsed.map((zone) => wholeOf(zone, 0))
  return seconds.every((zone) => zone !== null) ? seconds : null
}

/** The shoe of a workout row; undefined: it has one that is no id. */
export function shoeIdOf(row: Row): string | null | undefined {
  if (row.shoeId === null || row.shoeId === undefined || row.shoeId === '') return null
  return uuidOf(row.shoeId) ?? undefined
}
