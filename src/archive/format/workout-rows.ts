import { LENGTHS, MOST_OF_NOTES } from '../../base/texts.ts'
import type { FileType } from '../../db/stored.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import { MOST_MANUAL_LOAD, RPE_RANGE, RUN_TYPES } from '../../engine/limits.ts'
import { eachNumber, NUMBERS, type Numbers } from '../../engine/numbers.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { FILE_TYPES } from '../../formats/registry.ts'
import { type LoadChoice, NO_CHOICE } from '../../library/training/choices.ts'
import {
  anyNumber,
  anyText,
  asItIs,
  filePath,
  isDeep,
  LATEST_START_MS,
  notNegative,
  numberOf,
  oneOf,
  rowReader,
  textOf,
  timeOf,
  unpackedJson,
  uuidOf,
  wholeOf,
} from './fields.ts'

const WORDS = {
  rpe: (value: unknown) => wholeOf(value, ...RPE_RANGE),
  runType: (value: unknown) => oneOf(value, RUN_TYPES),
  name: (value: unknown) => textOf(value, LENGTHS.name),
  notes: (value: unknown) => textOf(value, MOST_OF_NOTES),
  source: (value: unknown) => textOf(value, LENGTHS.source),
  device: (value: unknown) => textOf(value, LENGTHS.device),
}
/** The pace is computed again. */
const VALUES = {
  ...eachNumber((name) => (NUMBERS[name].decimals === 0 ? (value: unknown) => wholeOf(value) : anyNumber)),
  ...{ hrZoneSeconds: zoneSeconds, avgPaceS: asItIs, distanceM: notNegative },
  durationS: (value: unknown) => wholeOf(value, 0, LONGEST_RUN_S),
  ...WORDS,
}
const isTrue = (value: unknown) => value === true

const readRow = rowReader({
  ...VALUES,
  ...{ id: uuidOf, startedAt: timeOf, createdAt: timeOf, shoeId: asItIs, weather: weatherText, leftOut: isTrue },
  ...{ rawFileName: filePath, rawFileType: fileType, rawFileData: anyText },
  ...{ rawGpxData: asItIs, rawFitData: asItIs, rawStravaData: asItIs },
  // undefined: the row does not have the member
  utcOffsetMinutes: (value: unknown) => (value === undefined ? undefined : wholeOf(value, -1440, 1440)),
  loadSource: (value: unknown) => oneOf(value, ['auto', ...LOAD_SOURCES] as const),
  loadManual: (value: unknown) => numberOf(value, 0, MOST_MANUAL_LOAD),
  excludeFromEstimates: isTrue,
})

export type WorkoutRow = NonNullable<ReturnType<typeof readRow>>

/** @param whenLost called with the name of a number or word that is not one */
export function readWorkout(value: unknown, whenLost: (name: string) => void): WorkoutRow | null {
  return readRow(value, (name) => {
    if (name in VALUES) whenLost(name)
  })
}

/** The values that a workout row gives itself; the rest is computed from its parts. */
export type WorkoutValues = Exclude<ReturnType<typeof valuesOf>, { error: string }>

/**
 * The values of a workout row as they are; only the pace is computed again.
 * @returns a sentence when a required member is missing
 */
export function valuesOf(row: WorkoutRow) {
  const { startedAt: startedAtMs, durationS, distanceM, hrZoneSeconds } = row
  if (startedAtMs === null) return { error: 'Workouts without a startedAt that is a timestamp' }
  if (startedAtMs > LATEST_START_MS) return { error: 'Workouts that start after the year 2100' }
  if (durationS === null) return { error: 'Workouts without a durationS in seconds' }
  if (distanceM === null) return { error: 'Workouts without a distanceM in metres' }

  const avgPaceS = distanceM > 0 && durationS > 0 ? roundHalfUp((METRES_PER_KM * durationS) / distanceM, 2) : 0
  const numbers: Numbers = { ...eachNumber((name) => row[name] as number), ...{ avgPaceS, hrZoneSeconds } }
  const { rpe, runType, name, notes, source, device, loadManual, excludeFromEstimates } = row
  const asked = row.loadSource ?? NO_CHOICE.loadSource
  const loadSource = asked === 'manual' && loadManual === null ? NO_CHOICE.loadSource : asked
  const choice: LoadChoice = { loadSource, loadManual, excludeFromEstimates }
  return {
    ...{ startedAtMs, createdAtMs: row.createdAt ?? startedAtMs, numbers, choice },
    words: { rpe, runType, name, notes, source, device },
    ...{ leftOut: row.leftOut, weather: row.weather, utcOffsetMinutes: row.utcOffsetMinutes },
  }
}

/** null: the type is unknown, whatever the file's extension. */
function fileType(value: unknown): FileType | null {
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
