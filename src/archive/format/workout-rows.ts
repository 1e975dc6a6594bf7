import { LENGTHS, MOST_OF_NOTES } from '../../base/texts.ts'
import type { FileType } from '../../db/stored.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import { MOST_MANUAL_LOAD, RPE_RANGE, RUN_TYPES } from '../../engine/limits.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type Numbers } from '../../engine/numbers.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { FILE_TYPES } from '../../formats/registry.ts'
import { type LoadChoice, NO_CHOICE } from '../../library/training/choices.ts'
import {
  isDeep,
  LATEST_START_MS,
  numberOf,
  oneOf,
  type Row,
  readEach,
  textOf,
  timeOf,
  unpackedJson,
  wholeOf,
} from './fields.ts'

const readRunType = (value: unknown) => oneOf(value, RUN_TYPES)
const readRpe = (value: unknown) => wholeOf(value, ...RPE_RANGE)
const readOffset = (value: unknown) => wholeOf(value, -1440, 1440)

/** The texts of a workout. */
const WORDS = {
  rpe: readRpe,
  runType: readRunType,
  name: (value: unknown) => textOf(value, LENGTHS.name),
  notes: (value: unknown) => textOf(value, MOST_OF_NOTES),
  source: (value: unknown) => textOf(value, LENGTHS.source),
  device: (value: unknown) => textOf(value, LENGTHS.device),
}

const CHOICE_FIELDS = ['loadSource', 'loadManual', 'excludeFromEstimates'] as const

/** What a workout row states of its load; empty when it states nothing. */
function readChoice(row: Row): LoadChoice {
  const loadManual = numberOf(row.loadManual, 0, MOST_MANUAL_LOAD)
  const source = oneOf(row.loadSource, ['auto', ...LOAD_SOURCES] as const) ?? NO_CHOICE.loadSource
  return {
    loadSource: source === 'manual' && loadManual === null ? NO_CHOICE.loadSource : source,
    loadManual,
    excludeFromEstimates: row.excludeFromEstimates === true,
  }
}

/** Every member of a workout row that a restore reads. */
export const WORKOUT_FIELDS: readonly string[] = [
  'id',
  'startedAt',
  'createdAt',
  ...NUMBER_NAMES,
  'hrZoneSeconds',
  ...Object.keys(WORDS),
  'shoeId',
  'weather',
  'utcOffsetMinutes',
  'rawFileName',
  'rawFileType',
  'rawFileData',
  'rawGpxData',
  'rawFitData',
  'rawStravaData',
  'leftOut',
  ...CHOICE_FIELDS,
]

/** The values that a workout row gives itself; the rest is computed from its parts. */
export type WorkoutValues = Exclude<ReturnType<typeof readWorkout>, { error: string }>

/**
 * The values of a workout row as they are; only the pace is computed again. A value of a wrong type is left out with a
 * warning.
 * @param whenLost called with the name of such a member
 * @returns a sentence when a required member is missing
 */
export function readWorkout(row: Row, whenLost: (key: string) => void) {
  const startedAtMs = timeOf(row.startedAt)
  const durationS = wholeOf(row.durationS, 0, LONGEST_RUN_S)
  const distanceM = numberOf(row.distanceM, 0)
  if (startedAtMs === null) return { error: 'Workouts without a startedAt that is a timestamp' }
  if (startedAtMs > LATEST_START_MS) return { error: 'Workouts that start after the year 2100' }
  if (durationS === null) return { error: 'Workouts without a durationS in seconds' }
  if (distanceM === null) return { error: 'Workouts without a distanceM in metres' }

  const avgPaceS = distanceM > 0 && durationS > 0 ? roundHalfUp((METRES_PER_KM * durationS) / distanceM, 2) : 0
  const stated = eachNumber((name) => (NUMBERS[name].decimals === 0 ? wholeOf(row[name]) : numberOf(row[name])))
  const hrZoneSeconds = zoneSeconds(row.hrZoneSeconds)
  const words = readEach(row, WORDS)
  const numbers: Numbers = { ...stated, durationS, distanceM, avgPaceS, hrZoneSeconds }
  for (const [key, value] of Object.entries({ ...numbers, ...words })) {
    if (value === null && isGiven(row[key])) whenLost(key)
  }
  return {
    startedAtMs,
    createdAtMs: timeOf(row.createdAt) ?? startedAtMs,
    numbers,
    words,
    leftOut: row.leftOut === true,
    choice: readChoice(row),
    weather: weatherText(row.weather),
    // undefined: the row does not have the member
    utcOffsetMinutes: row.utcOffsetMinutes === undefined ? undefined : readOffset(row.utcOffsetMinutes),
  }
}

/** Whether a value is present: programs write null or empty texts for missing ones. */
export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

/** null: the type is unknown, whatever the file's extension. */
export function fileType(value: unknown): FileType | null {
  const word = typeof value === 'string' ? value.toLowerCase().replace(/^\./, '').replace(/\.gz$/, '') : ''
  return oneOf(word, FILE_TYPES)
}

/** Stored unchanged; anything but an object is served as null (docs/api.md 11.4). */
function weatherText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' || isDeep(value) ? null : value.toWellFormed()
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function zoneSeconds(value: unknown): Numbers['hrZoneSeconds'] {
  const parsed = unpackedJson(value)
  if (!Array.isArray(parsed)) return null
  const [first, second, third, fourth, fifth] = parsed.map((zone) => wholeOf(zone, 0))
  if (first == null || second == null || third == null || fourth == null || fifth == null) return null
  return parsed.length === 5 ? [first, second, third, fourth, fifth] : null
}
