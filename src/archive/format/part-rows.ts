import { valueOfKey } from '../../base/json-object.ts'
import type { media } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isPosition } from '../../engine/grid.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import type { Positions } from '../../engine/track.ts'
import { roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { EffortRecord } from '../../features/stats/best-efforts.ts'
import { derivedIds, numberOf, objectOf, type Row, textOf, timeOf, uuidOf } from './fields.ts'
import { POSITION_DECIMALS } from './sample-rows.ts'

/** The members of a photo or video that a restore reads. */
export const MEDIA_FIELDS = ['id', 'workoutId', 'filename', 'caption', 'createdAt'] as const

/** One row of `media-metadata.json`. */
export function mediaObject(row: typeof media.$inferSelect) {
  return { ...row, createdAt: isoTime(row.createdAt), workout: null }
}

/** The members of a route that a restore reads. */
export const ROUTE_FIELDS = ['id', 'workoutId', 'routeGeoJson'] as const

/** One row of `routes.json`; null for fewer than two positions. */
export function routeObject(
  { workoutId, routeId }: { readonly workoutId: string; readonly routeId: string | null },
  { latDeg, lonDeg }: Positions,
): Row | null {
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

/** The members of a best effort that a restore reads. */
export const EFFORT_FIELDS = ['id', 'distance', 'distanceM', 'timeS', 'timeMs', 'workoutId', 'calculatedAt'] as const
/** Metres by which programs differ in the length of a mile or a marathon. */
const SAME_DISTANCE_M = 1
/** One hundred days. */
const LONGEST_MS = 8_640_000_000

/** A best effort in an archive. */
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

/** @returns null for a row without workout, standard distance or time */
export function readEffort(row: Row | null, nowMs: number): ArchivedEffort | null {
  const workoutId = uuidOf(row?.workoutId)
  if (row === null || workoutId === null) return null
  const distanceIndex = distanceIndexOf(row)
  const exactMs = numberOf(row.timeMs, 1, LONGEST_MS)
  const timeMs = exactMs ?? (numberOf(row.timeS, 0.001, LONGEST_MS / 1000) ?? Number.NaN) * 1000
  if (distanceIndex === -1 || !(timeMs > 0)) return null
  return {
    id: uuidOf(row.id) ?? Bun.randomUUIDv7(),
    workoutId,
    distanceIndex,
    timeMs: roundHalfUp(timeMs),
    isExact: exactMs !== null,
    calculatedAt: timeOf(row.calculatedAt) ?? nowMs,
  }
}

/** By label, else by metres; -1 for a distance that is not a standard one. */
function distanceIndexOf(row: Row): number {
  const label = textOf(row.distance)?.trim().toLowerCase()
  const labelled = STANDARD_DISTANCES.findIndex((distance) => distance.label.toLowerCase() === label)
  if (labelled !== -1) return labelled
  const metres = numberOf(row.distanceM)
  if (metres === null) return -1
  return STANDARD_DISTANCES.findIndex(({ distanceM }) => Math.abs(distanceM - metres) <= SAME_DISTANCE_M)
}
