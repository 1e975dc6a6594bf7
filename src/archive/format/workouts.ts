import type { workouts } from '../../db/schema.ts'
import type { FileType, OurPart, RunnerWord } from '../../db/stored.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import {
  eachNumber,
  type NeededNumber,
  NUMBER_NAMES,
  NUMBERS,
  type NumberName,
  type Numbers,
} from '../../engine/numbers.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { isObject } from '../../json-object.ts'
import { LENGTHS } from '../../texts.ts'
import { isDeep, parsedOrNull } from './json-rows.ts'
import type { RecordingMember } from './recorded.ts'
import { isWithin, LATEST_START_MS, numberOf, oneOf, type Row, textOf, timeOf, wholeOf } from './row-fields.ts'

/** Every member of a workout row that is read. */
export const WORKOUT_FIELDS: readonly string[] = [
  ...['id', 'startedAt', 'createdAt', ...NUMBER_NAMES, 'hrZoneSeconds', 'rpe', 'runType', 'name', 'notes', 'source'],
  ...['device', 'shoeId', 'utcOffsetMinutes', 'rawFileName', 'rawFileType', 'rawFileData', 'rawGpxData', 'rawFitData'],
  ...['rawStravaData', 'weather', 'recording', 'inputs'],
]

const RUN_TYPES = ['Race', 'Workout', 'Long Run', 'Easy Run'] as const
const FILE_TYPES = ['gpx', 'fit', 'tcx', 'csv'] as const
const OUR_PARTS: readonly OurPart[] = ['effort', 'splits']
const RUNNER_WORDS: readonly RunnerWord[] = ['name', 'notes', 'runType', 'rpe', 'shoeId']

export interface WorkoutExtras {
  readonly member: RecordingMember
  /** JSON text of {rawGpxData, rawFitData, rawStravaData}; null: all three are null. */
  readonly rawData: string | null
  /** The original that stands in `raw/`; null: none, or it is lost. */
  readonly original: { readonly fileName: string | null; readonly fileType: FileType | null } | null
}

const NO_RAW_DATA = '{"rawGpxData":null,"rawFitData":null,"rawStravaData":null}'
const [ABOUT_RAW, AFTER_RAW] = ['{"raw', '}']

/**
 * One row of `workouts.json` as JSON text: the raw data, which can be megabytes, is taken in as it is stored. Old readers
 * take whole seconds for the pace.
 */
export function workoutJson(row: typeof workouts.$inferSelect, { member, rawData, original }: WorkoutExtras): string {
  const about = {
    id: row.id,
    startedAt: isoTime(row.startedAt),
    createdAt: isoTime(row.createdAt),
    ...eachNumber((name) => row[name]),
    avgPaceS: roundHalfUp(row.avgPaceS),
    hrZoneSeconds: row.hrZoneSeconds,
    rpe: row.rpe,
    runType: row.runType,
    name: row.name,
    notes: row.notes,
    source: row.source,
    device: row.device,
    shoeId: row.shoeId,
    utcOffsetMinutes: row.utcOffsetMinutes,
    rawFileName: original?.fileName ?? null,
    rawFileType: original?.fileType ?? null,
    rawFileData: null,
  }
  const after = {
    weather: row.weather,
    shoe: null,
    route: null,
    splits: [],
    media: [],
    timeSeries: [],
    recording: member,
    inputs: {
      effortZones: row.effortZones,
      elevationSettings: row.elevationSettings,
      ours: row.ours,
      runnerSet: row.runnerSet,
    },
  }
  const raw = rawData?.startsWith(ABOUT_RAW) && rawData.endsWith(AFTER_RAW) ? rawData : NO_RAW_DATA
  return `${JSON.stringify(about).slice(0, -1)},${raw.slice(1, -1)},${JSON.stringify(after).slice(1)}`
}

/** What a row gives itself; the rest comes out of its parts. */
export type WorkoutValues = Exclude<ReturnType<typeof readWorkout>, { error: string }>

/**
 * The values of a workout row as they are; only the pace is computed again. One of another type than it should be is left
 * out with a warning.
 * @param whenLost told the name of such a member
 * @returns what is missing that no workout can do without, as a sentence
 */
export function readWorkout(row: Row, whenLost: (key: string) => void) {
  const startedAtMs = timeOf(row.startedAt)
  const durationS = wholeOf(row.durationS, 0, LONGEST_RUN_S)
  const distanceM = numberOf(row.distanceM, 0)
  if (startedAtMs === null) return { error: 'Workouts without a startedAt that is a timestamp' }
  if (startedAtMs > LATEST_START_MS) return { error: 'Workouts that start after the year 2100' }
  if (durationS === null) return { error: 'Workouts without a durationS in seconds' }
  if (distanceM === null) return { error: 'Workouts without a distanceM in metres' }

  const known = <T>(key: string, value: T | null): T | null => {
    if (value === null && row[key] !== null && row[key] !== undefined && row[key] !== '') whenLost(key)
    return value
  }
  const told = (name: NumberName) =>
    known(name, NUMBERS[name].decimals === 0 ? wholeOf(row[name]) : numberOf(row[name]))
  const avgPaceS = distanceM > 0 && durationS > 0 ? roundHalfUp((METRES_PER_KM * durationS) / distanceM, 2) : 0
  const needed = { durationS, distanceM, avgPaceS }
  const numbers: Numbers = {
    ...(eachNumber((name) => (name in needed ? null : told(name))) as Record<
      Exclude<NumberName, NeededNumber>,
      number | null
    >),
    ...needed,
    hrZoneSeconds: known('hrZoneSeconds', zoneSeconds(row.hrZoneSeconds)),
  }
  return {
    startedAtMs,
    createdAtMs: timeOf(row.createdAt) ?? startedAtMs,
    numbers,
    words: {
      rpe: known('rpe', wholeOf(row.rpe, 1, 10)),
      runType: known('runType', oneOf(row.runType, RUN_TYPES)),
      name: known('name', textOf(row.name, LENGTHS.name)),
      notes: known('notes', textOf(row.notes)),
      source: known('source', textOf(row.source, LENGTHS.source)),
      device: known('device', textOf(row.device, LENGTHS.device)),
    },
    weather: weatherText(row.weather),
    // undefined: nothing is said of it
    utcOffsetMinutes: row.utcOffsetMinutes === undefined ? undefined : wholeOf(row.utcOffsetMinutes, -1440, 1440),
  }
}

/** What the numbers of an own workout are made with, besides recordings and repairs. */
export function readInputs(value: unknown) {
  const inputs = isObject(value) ? value : {}
  const { effortZones, elevationSettings, ours, runnerSet } = inputs
  const { thresholdM, minDistanceM } = isObject(elevationSettings) ? elevationSettings : {}
  const isElevation = isWithin(thresholdM, 0, 1e9) && isWithin(minDistanceM, 0, 1e9)
  return {
    effortZones: readBounds(effortZones),
    elevationSettings: isElevation ? { thresholdM, minDistanceM } : null,
    ours: wordsAmong(ours, OUR_PARTS),
    runnerSet: wordsAmong(runnerSet, RUNNER_WORDS),
  }
}

/** In the order that they are given in, each once. */
export function wordsAmong<T extends string>(value: unknown, words: readonly T[]): T[] {
  const listed = (Array.isArray(value) ? value : []).flatMap((word) => oneOf(word, words) ?? [])
  return [...new Set(listed)]
}

/** Five pairs of beats per minute; null for anything else. */
export function readBounds(value: unknown): [number, number][] | null {
  const pairs = (Array.isArray(value) ? value : []).flatMap((pair): [number, number][] => {
    const [min, max] = Array.isArray(pair) ? pair : []
    return isWithin(min, 0, 1000) && isWithin(max, 0, 1000) ? [[min, max]] : []
  })
  return Array.isArray(value) && value.length === 5 && pairs.length === 5 ? pairs : null
}

export function readRunType(value: unknown) {
  return oneOf(value, RUN_TYPES)
}

/** null: the type is not known, whatever the name ends in. */
export function fileType(value: unknown): FileType | null {
  const word = typeof value === 'string' ? value.toLowerCase().replace(/^\./, '').replace(/\.gz$/, '') : ''
  return oneOf(word, FILE_TYPES)
}

/** An object, given as such or as its text; null for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const parsed = typeof value === 'string' ? parsedOrNull(value) : value
  return isObject(parsed) ? parsed : null
}

/** Stored as it came; what is no object is served as none (CONTRACT 11.4). */
export function weatherText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' || isDeep(value) ? null : value.toWellFormed()
  return value === null || value === undefined ? null : JSON.stringify(value)
}

export function zoneSeconds(value: unknown): Numbers['hrZoneSeconds'] {
  const parsed = typeof value === 'string' ? parsedOrNull(value) : value
  if (!Array.isArray(parsed)) return null
  const [first, second, third, fourth, fifth] = parsed.map((zone) => wholeOf(zone, 0))
  if (first == null || second == null || third == null || fourth == null || fifth == null) return null
  return parsed.length === 5 ? [first, second, third, fourth, fifth] : null
}
