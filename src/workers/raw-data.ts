import { isoTime } from '../engine/calendar/timestamp.ts'
import type { Activity, RawObject } from '../formats/format.ts'
import { thinned } from '../formats/thinned.ts'

/**
 * How the raw data of a recording (docs/api.md 11.1 to 11.3) can be created again from data that is stored anyway: the
 * original, and the row of Strava's table.
 */
export interface RawView {
  /** Unix milliseconds: `importedAt` of every member. */
  readonly importedAtMs: number
  /** Whether the file counted as a run whatever its sport, because a row of Strava's table said so. */
  readonly anySport: boolean
  /** The member that the original gives; null: none. */
  readonly ofOriginal: 'rawGpxData' | 'rawFitData' | null
  /** `rawStravaData` without `importedAt`, from a row of at most 65,536 characters; null: none. */
  readonly strava: RawObject | null
}

/** A member as answered, with `importedAt`. */
export function stamped(raw: RawObject, importedAtMs: number): RawObject {
  return { ...raw, importedAt: isoTime(importedAtMs) }
}

/** The raw object of a parsed file, as in answers and archives. @returns null when there is none */
export function rawObject(
  { rawGpxData, rawFitData }: Activity,
  { importedAtMs, uploadedBytes }: Pick<RawView, 'importedAtMs'> & { readonly uploadedBytes: number },
): RawObject | null {
  const made = rawFitData ?? rawGpxData
  return made && stamped(fitting(made(), Math.max(RAW_TIMES * uploadedBytes, SMALL_RAW_BYTES)), importedAtMs)
}

/** Limit of the JSON relative to the uploaded file: more means padding that compresses well, not data. */
const RAW_TIMES = 8
/** Raw data up to this size is never cut, and the most bytes of JSON per point. */
const SMALL_RAW_BYTES = 262_144
const LONGEST_POINT_BYTES = 300

/** The same object with as many of its points, evenly spaced, as fit into the limit. */
function fitting(raw: RawObject, mostBytes: number): RawObject {
  const { trackPoints } = raw
  if (!Array.isArray(trackPoints) || trackPoints.length * LONGEST_POINT_BYTES <= mostBytes) return raw
  const bytes = JSON.stringify(trackPoints).length
  if (bytes <= mostBytes) return raw
  const most = Math.floor((trackPoints.length * mostBytes) / bytes)
  const kept = thinned(trackPoints.length, (at) => trackPoints[at], most)
  return { thinnedFrom: trackPoints.length, ...raw, trackPoints: kept }
}

/** How the raw data of an activity can be created again; null when it has none. */
export function rawViewOf(
  { rawGpxData, rawFitData, rawStravaData: strava }: Activity,
  { importedAtMs, anySport }: Pick<RawView, 'importedAtMs' | 'anySport'>,
): RawView | null {
  const ofOriginal = rawFitData !== null ? 'rawFitData' : rawGpxData !== null ? 'rawGpxData' : null
  return ofOriginal === null && strava === null ? null : { importedAtMs, anySport, ofOriginal, strava }
}
