import { valueOfKey } from '../../base/json-object.ts'
import { gently } from '../../base/pace.ts'
import { LENGTHS, MOST_OF_NOTES } from '../../base/texts.ts'
import type { media, workoutSplits } from '../../db/schema.ts'
import type { FileType, StatedSplit } from '../../db/stored.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { rowsWith } from '../../engine/gather.ts'
import { isPosition, LONGEST_RUN_S } from '../../engine/grid.ts'
import { MAX_ROWS, MOST_MANUAL_LOAD, RPE_RANGE, RUN_TYPES } from '../../engine/limits.ts'
import { eachNumber, NUMBERS, type Numbers } from '../../engine/numbers.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import type { Positions, SampleColumns, Track } from '../../engine/track.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { METRES_PER_KM, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { EffortRecord } from '../../features/stats/best-efforts.ts'
import { FILE_TYPES } from '../../formats/registry.ts'
import { splitId } from '../../library/row-ids.ts'
import { type LoadChoice, NO_CHOICE } from '../../library/training/choices.ts'
import {
  anyNumber,
  anyText,
  asItIs,
  derivedIds,
  filePath,
  isDeep,
  LATEST_START_MS,
  notNegative,
  numberOf,
  objectOf,
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

export const readMedia = rowReader({
  ...{ id: uuidOf, workoutId: uuidOf, filename: filePath, createdAt: timeOf },
  caption: (value: unknown) => textOf(value, LENGTHS.caption),
})

/** One row of `media-metadata.json`. */
export function mediaObject(row: typeof media.$inferSelect) {
  return { ...row, createdAt: isoTime(row.createdAt), workout: null }
}

export const readRoute = rowReader({ id: uuidOf, workoutId: uuidOf, routeGeoJson: asItIs })

/** One row of `routes.json`; null for fewer than two positions. */
export function routeObject(
  { workoutId, routeId }: { readonly workoutId: string; readonly routeId: string | null },
  { latDeg, lonDeg }: Positions,
): object | null {
  const degrees = (value: number) => roundedOrNull(value, POSITION_DECIMALS)
  const coordinates: (number | null)[][] = []
  for (let i = 0; i < latDeg.length; i += 1) {
    if (!Number.isNaN(latDeg[i]!)) coordinates.push([degrees(lonDeg[i]!), degrees(latDeg[i]!)])
  }
  if (coordinates.length < 2) return null
  const id = routeId ?? derivedIds(workoutId, 'route')(0)
  return { id, workoutId, routeGeoJson: { type: 'LineString', coordinates } }
}

/** The positions of a GeoJSON LineString, given as an object or as text; null for fewer than two. */
export function geoJsonPositions(value: unknown): Positions | null {
  const listed = valueOfKey(objectOf(value) ?? {}, 'coordinates')
  const points = (Array.isArray(listed) ? listed : []).filter(
    (point): point is [number, number] =>
      Array.isArray(point) && isPosition(numberOf(point[1]) ?? Number.NaN, numberOf(point[0]) ?? Number.NaN),
  )
  if (points.length < 2) return null
  return {
    lonDeg: Float64Array.from(points, (point) => point[0]),
    latDeg: Float64Array.from(points, (point) => point[1]),
  }
}

/** Metres by which programs differ in the length of a mile or a marathon. */
const SAME_DISTANCE_M = 1
const LONGEST_MS = 8_640_000_000

export interface ArchivedEffort {
  readonly id: string
  readonly workoutId: string
  readonly distanceIndex: number
  readonly timeMs: number
  /** false: the archive gives whole seconds only. */
  readonly isExact: boolean
  readonly calculatedAt: number
}

export function effortObject(record: EffortRecord) {
  return {
    id: record.id,
    distance: record.distance,
    distanceM: record.distanceM,
    timeS: roundHalfUp(record.timeMs / 1000),
    timeMs: record.timeMs,
    workoutId: record.workoutId,
    workoutDate: isoTime(record.startedAtMs),
    calculatedAt: isoTime(record.calculatedAtMs),
    workout: null,
  }
}

const readEffort = rowReader({
  ...{ id: uuidOf, distance: anyText, distanceM: anyNumber, workoutId: uuidOf, calculatedAt: timeOf },
  timeS: (value: unknown) => numberOf(value, 0.001, LONGEST_MS / 1000),
  timeMs: (value: unknown) => numberOf(value, 1, LONGEST_MS),
})

/** @returns null for a row without workout, standard distance or time */
export function effortOfRow(value: unknown, nowMs: number): ArchivedEffort | null {
  const row = readEffort(value)
  if (row === null) return null
  const { id, workoutId, distance, distanceM, timeS, timeMs: exactMs, calculatedAt } = row
  const distanceIndex = distanceIndexOf(distance, distanceM)
  const timeMs = exactMs ?? (timeS ?? Number.NaN) * 1000
  if (workoutId === null || distanceIndex === -1 || !(timeMs > 0)) return null
  return {
    ...{ id: id ?? Bun.randomUUIDv7(), workoutId, distanceIndex, timeMs: roundHalfUp(timeMs) },
    ...{ isExact: exactMs !== null, calculatedAt: calculatedAt ?? nowMs },
  }
}

/** By label, else by metres; -1 for a distance that is not a standard one. */
function distanceIndexOf(distance: string | null, metres: number | null): number {
  const label = distance?.trim().toLowerCase()
  const labelled = STANDARD_DISTANCES.findIndex((one) => one.label.toLowerCase() === label)
  if (labelled !== -1 || metres === null) return labelled
  return STANDARD_DISTANCES.findIndex(({ distanceM }) => Math.abs(distanceM - metres) <= SAME_DISTANCE_M)
}

const wholeNumber = (value: unknown) => wholeOf(value, 0)
/** Most splits of a run: 50,000 km in kilometres. */
export const MOST_SPLITS = 50_000

export const readSplit = rowReader({
  workoutId: uuidOf,
  id: uuidOf,
  idx: (value: unknown) => wholeOf(value, 0, 1_000_000),
  distanceM: notNegative,
  durationS: wholeNumber,
  startElapsedS: notNegative,
  endElapsedS: notNegative,
  movingTimeS: wholeNumber,
  elevGainM: anyNumber,
  elevLossM: anyNumber,
  avgHeartRateBpm: wholeNumber,
  avgCadenceRpm: wholeNumber,
  gapPaceS: notNegative,
  exactPaceS: notNegative,
})

/** One row of `splits.json`. Other programs expect the pace in whole seconds; the exact one is written beside it. */
export function splitObject(row: typeof workoutSplits.$inferSelect) {
  return { ...row, id: splitId(row), paceS: roundHalfUp(row.paceS), exactPaceS: row.paceS, workout: null }
}

/** @returns null for a row without index, distance or duration */
export function statedSplit(row: NonNullable<ReturnType<typeof readSplit>>): StatedSplit | null {
  const { id, idx, distanceM, durationS, exactPaceS, workoutId: _, ...split } = row
  if (idx === null || distanceM === null || durationS === null) return null
  const { startElapsedS, endElapsedS } = split
  // other archives have whole seconds only, so the pace is computed again (docs/api.md 12.1)
  const seconds = startElapsedS === null || endElapsedS === null ? durationS : endElapsedS - startElapsedS
  const computed = distanceM > 0 && seconds > 0 ? roundHalfUp((METRES_PER_KM * seconds) / distanceM, 2) : 0
  return { id: id ?? Bun.randomUUIDv7(), idx, distanceM, durationS, paceS: exactPaceS ?? computed, ...split }
}

/** Decimals of a position: finer than FIT's semicircles and text files (docs/api.md 1.2). */
const POSITION_DECIMALS = 9

/** The measured members of a sample row, with the decimals that other programs accept. */
const COLUMNS = [
  ['distanceM', 'distanceM', 3],
  ['heartRateBpm', 'heartRateBpm', 0],
  ['cadenceRpm', 'cadenceRpm', 0],
  ['powerWatts', 'powerW', 0],
  ['speedMps', 'speedMps', 3],
  ['elevationM', 'elevM', 2],
  ['temperatureC', 'temperatureC', 0],
  ['lat', 'latDeg', POSITION_DECIMALS],
  ['lon', 'lonDeg', POSITION_DECIMALS],
] as const satisfies readonly (readonly [field: string, column: keyof SampleColumns, decimals: number])[]

type Members = Record<(typeof COLUMNS)[number][0], typeof anyNumber>

/** A row of `time-series.json`; the members that are not read are derived. */
export const readSample = rowReader({
  ...{ workoutId: uuidOf, elapsedSeconds: anyNumber, elapsedMs: anyNumber },
  ...(Object.fromEntries(COLUMNS.map(([field]) => [field, anyNumber])) as Members),
})

/** Rows per piece of text, about 80 KB. */
const ROWS_A_PIECE = 256

/**
 * The rows of `time-series.json` of one workout as JSON texts, without the commas between them; one row per stored
 * sample. Grade and vertical speed are null: Tempo stores them, Harrier computes them where it needs them.
 */
export function* sampleTexts(workoutId: string, track: Track): Generator<[string]> {
  const id = derivedIds(workoutId, 'sample')
  for (let from = 0; from < track.n; from += ROWS_A_PIECE) {
    const rows: string[] = []
    for (let i = from; i < Math.min(track.n, from + ROWS_A_PIECE); i += 1) {
      const row = {
        id: id(i),
        workoutId,
        elapsedSeconds: roundHalfUp(track.tS[i]!),
        distanceM: roundedOrNull(track.distanceM[i]!, 3),
        heartRateBpm: roundedOrNull(track.heartRateBpm[i]!, 0),
        cadenceRpm: roundedOrNull(track.cadenceRpm[i]!, 0),
        powerWatts: roundedOrNull(track.powerW[i]!, 0),
        speedMps: roundedOrNull(track.speedMps[i]!, 3),
        gradePercent: null,
        elevationM: roundedOrNull(track.elevM[i]!, 2),
        temperatureC: roundedOrNull(track.temperatureC[i]!, 0),
        verticalSpeedMps: null,
        elapsedMs: roundHalfUp(track.tS[i]! * 1000),
        lat: roundedOrNull(track.latDeg[i]!, POSITION_DECIMALS),
        lon: roundedOrNull(track.lonDeg[i]!, POSITION_DECIMALS),
        workout: null,
      }
      rows.push(JSON.stringify(row))
    }
    yield [rows.join(',\n')]
  }
}

/** Samples in order of time, as columns; NaN is a gap. */
export interface SampleTable extends SampleColumns {
  readonly n: number
  readonly elapsedMs: Float64Array
}

export function hasRoute({ latDeg, lonDeg }: Pick<SampleColumns, 'latDeg' | 'lonDeg'>): boolean {
  return rowsWith(latDeg, lonDeg).length >= 2
}

/** The samples of rows that have a time, and how many have none; no table: there are more than MAX_ROWS. */
export async function sampleTable(rows: Iterable<NonNullable<ReturnType<typeof readSample>>>) {
  const elapsedMs: number[] = []
  const columns = COLUMNS.map(([field, name]) => ({ field, name, values: [] as number[] }))
  let [untimed, isOrdered] = [0, true]
  for (const row of rows) {
    const ms = row.elapsedMs ?? (row.elapsedSeconds ?? Number.NaN) * 1000
    if (!(Math.abs(ms) <= 8.64e15)) untimed += 1
    else {
      if (elapsedMs.length === MAX_ROWS) return { table: null, untimed }
      isOrdered &&= ms >= (elapsedMs.at(-1) ?? ms)
      elapsedMs.push(ms)
      for (const { field, values } of columns) values.push(row[field] ?? Number.NaN)
    }
    if (elapsedMs.length % ROWS_A_PIECE === 0) await gently()
  }
  // rows of one time stay in their order
  const order = isOrdered ? null : [...elapsedMs.keys()].sort((a, b) => elapsedMs[a]! - elapsedMs[b]!)
  const inOrder = (values: readonly number[]) =>
    order === null ? Float64Array.from(values) : Float64Array.from(order, (row) => values[row]!)
  const ordered = Object.fromEntries(columns.map(({ name, values }) => [name, inOrder(values)]))
  const n = elapsedMs.length
  const table: SampleTable = { n, elapsedMs: inOrder(elapsedMs), ...(ordered as unknown as SampleColumns) }
  return { table, untimed }
}
