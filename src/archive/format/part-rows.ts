import { valueOfKey } from '../../base/json-object.ts'
import { LENGTHS } from '../../base/texts.ts'
import type { media, workoutSplits } from '../../db/schema.ts'
import type { StatedSplit } from '../../db/stored.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isPosition } from '../../engine/grid.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import type { Positions } from '../../engine/track.ts'
import { METRES_PER_KM, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { EffortRecord } from '../../features/stats/best-efforts.ts'
import { splitId } from '../../library/row-ids.ts'
import {
  anyNumber,
  anyText,
  asItIs,
  derivedIds,
  filePath,
  notNegative,
  numberOf,
  objectOf,
  rowReader,
  textOf,
  timeOf,
  uuidOf,
  wholeOf,
} from './fields.ts'
import { POSITION_DECIMALS } from './sample-rows.ts'

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
