import { isObject } from '../../base/json-object.ts'
import { LENGTHS, MOST_OF_NOTES } from '../../base/texts.ts'
import type { FileType, OurPart, RunnerWord } from '../../db/stored.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import { RPE_RANGE, RUN_TYPES } from '../../engine/limits.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Numbers, type Said } from '../../engine/numbers.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { FILE_TYPES } from '../../formats/registry.ts'
import {
  isDeep,
  isWithin,
  LATEST_START_MS,
  numberOf,
  oneOf,
  type Row,
  readEach,
  textOf,
  timeOf,
  unpackedJson,
  wholeOf,
  wordsAmong,
} from './fields.ts'
import { readEffortWords, readStretches } from './part-rows.ts'
import { CHOICE_FIELDS, readChoice } from './training-rows.ts'

const OUR_PARTS: readonly OurPart[] = ['effort', 'splits', 'bestEfforts']
const RUNNER_WORDS: readonly RunnerWord[] = ['name', 'notes', 'runType', 'rpe', 'shoeId']

export const readRunType = (value: unknown) => oneOf(value, RUN_TYPES)
export const readRpe = (value: unknown) => wholeOf(value, ...RPE_RANGE)
export const readOffset = (value: unknown) => wholeOf(value, -1440, 1440)

/** The texts of a workout. */
export const WORDS = {
  rpe: readRpe,
  runType: readRunType,
  name: (value: unknown) => textOf(value, LENGTHS.name),
  notes: (value: unknown) => textOf(value, MOST_OF_NOTES),
  source: (value: unknown) => textOf(value, LENGTHS.source),
  device: (value: unknown) => textOf(value, LENGTHS.device),
}

/** Parameters that the numbers of an own workout were computed with, besides recordings and repairs. */
const INPUTS = {
  effortZones: readBounds,
  elevationSettings: readElevation,
  ours: (value: unknown) => wordsAmong(value, OUR_PARTS),
  runnerSet: (value: unknown) => wordsAmong(value, RUNNER_WORDS),
  effortWords: readEffortWords,
  intervals: readStretches,
  wasRaced: (value: unknown) => value === true,
  stated: (value: unknown) => value === true,
  carried: (value: unknown) => value,
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
  'recording',
  'inputs',
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
    inputs: readEach(isObject(row.inputs) ? row.inputs : {}, INPUTS),
    weather: weatherText(row.weather),
    // undefined: the row does not have the member
    utcOffsetMinutes: row.utcOffsetMinutes === undefined ? undefined : readOffset(row.utcOffsetMinutes),
  }
}

/** Whether a value is present: programs write null or empty texts for missing ones. */
export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

/** Five pairs of beats per minute; null for anything else. */
export function readBounds(value: unknown): [number, number][] | null {
  const pairs = (Array.isArray(value) ? value : []).flatMap((pair): [number, number][] => {
    const [min, max] = Array.isArray(pair) ? pair : []
    return isWithin(min, 0, 1000) && isWithin(max, 0, 1000) ? [[min, max]] : []
  })
  return Array.isArray(value) && value.length === 5 && pairs.length === 5 ? pairs : null
}

function readElevation(value: unknown) {
  const { thresholdM, minDistanceM } = isObject(value) ? value : {}
  return isWithin(thresholdM, 0, 1e9) && isWithin(minDistanceM, 0, 1e9) ? { thresholdM, minDistanceM } : null
}

/** null: the type is unknown, whatever the file's extension. */
export function fileType(value: unknown): FileType | null {
  const word = typeof value === 'string' ? value.toLowerCase().replace(/^\./, '').replace(/\.gz$/, '') : ''
  return oneOf(word, FILE_TYPES)
}

/** Stored unchanged; anything but an object is served as null (docs/api.md 11.4). */
export function weatherText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' || isDeep(value) ? null : value.toWellFormed()
  return value === null || value === undefined ? null : JSON.stringify(value)
}

/** Numbers by name, in the order of the table; null: the number is known to be unknown. Invalid ones are left out. */
export function readValues(value: Row): Said {
  const said: { [K in NumberName]?: number | null } = {}
  for (const name of NUMBER_NAMES) {
    const stated = numberOf(value[name], -1e9, 1e9)
    if (stated !== null || value[name] === null) said[name] = stated
  }
  return said
}

/** `readValues` with the time in zones. */
export function readNumbers(value: Row): Said {
  const { hrZoneSeconds } = value
  return { ...readValues(value), ...(hrZoneSeconds !== undefined && { hrZoneSeconds: zoneSeconds(hrZoneSeconds) }) }
}

function zoneSeconds(value: unknown): Numbers['hrZoneSeconds'] {
  const parsed = unpackedJson(value)
  if (!Array.isArray(parsed)) return null
  const [first, second, third, fourth, fifth] = parsed.map((zone) => wholeOf(zone, 0))
  if (first == null || second == null || third == null || fourth == null || fifth == null) return null
  return parsed.length === 5 ? [first, second, third, fourth, fifth] : null
}

/** The member `recording` as read. */
export type ReadMember = NonNullable<ReturnType<typeof readMember>>

const MEMBER = {
  splitUnitM: (value: unknown) => numberOf(value, 100, 100_000),
  timeZone: readTimeZone,
  // version of the engine that computed the row; older numbers are computed again at the next start
  engineVersion: (value: unknown) => Math.floor(numberOf(value, 0, ENGINE_VERSION) ?? 1),
}

/** @returns null when the member is missing or invalid: the row is not Harrier's */
export function readMember(value: unknown) {
  return isObject(value) ? readEach(value, MEMBER) : null
}

export function readSession(value: unknown): number | null {
  return isWithin(value, 0, 1_000_000) && Number.isInteger(value) ? value : null
}

export function readTimeZone(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone === '' ? null : value
  } catch {
    return null
  }
}
