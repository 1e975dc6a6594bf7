import { isoTime } from '../engine/calendar/timestamp.ts'
import type { Activity, RawObject } from '../formats/format.ts'
import { thinned } from '../formats/thinned.ts'

/**
 * How the raw data of a recording (docs/api.md 11.1 to 11.3) is read once more out of what is kept anyway: the
 * original, and the row of Strava's table.
 */
export interface RawView {
  /** Unix milliseconds: `importedAt` of every member. */
  readonly importedAtMs: number
  /** Any sport of the file was a run, since a row of Strava's table said so. */
  readonly anySport: boolean
  /** What the original gives; null: nothing. */
  readonly ofOriginal: 'rawGpxData' | 'rawFitData' | null
  /** `rawStravaData` without `importedAt`, of a row of at most 65,536 characters; null: there is none. */
  readonly strava: RawObject | null
}

/** A member as it is answered. */
export function stamped(raw: RawObject, importedAtMs: number): RawObject {
  return { ...raw, importedAt: isoTime(importedAtMs) }
}

/**
 * The raw object of what was read out of a file: what an answer shows and an archive has is made here.
 * @returns null when there is none
 */
export function rawObject(
  { rawGpxData, rawFitData }: Activity,
  { importedAtMs, uploadedBytes }: Pick<RawView, 'importedAtMs'> & { readonly uploadedBytes: number },
): RawObject | null {
  const made = rawFitData ?? rawGpxData
  return made && stamped(fitting(made(), Math.max(RAW_TIMES * uploadedBytes, SMALL_RAW_BYTES)), importedAtMs)
}

/** Of the file as uploaded: what more bytes the raw data has as JSON are no data but padding that packs well. */
const RAW_TIMES = 8
/** Raw data that is never cut, and what a point takes at most, bytes of JSON. */
const SMALL_RAW_BYTES = 262_144
const LONGEST_POINT_BYTES = 300

/** The same with so many of its points, evenly spread, as have no more bytes. */
function fitting(raw: RawObject, mostBytes: number): RawObject {
  const { trackPoints } = raw
  if (!Array.isArray(trackPoints) || trackPoints.length * LONGEST_POINT_BYTES <= mostBytes) return raw
  const bytes = JSON.stringify(trackPoints).length
  if (bytes <= mostBytes) return raw
  const most = Math.floor((trackPoints.length * mostBytes) / bytes)
  const kept = thinned(trackPoints.length, (at) => trackPoints[at], most)
  return { thinnedFrom: trackPoints.length, ...raw, trackPoints: kept }
}

/** How the raw data of an activity is read once more; null for one without raw data. */
export function rawViewOf(
  { rawGpxData, rawFitData, rawStravaData: strava }: Activity,
  { importedAtMs, anySport }: Pick<RawView, 'importedAtMs' | 'anySport'>,
): RawView | null {
  const ofOriginal = rawFitData !== null ? 'rawFitData' : rawGpxData !== null ? 'rawGpxData' : null
  return ofOriginal === null && strava === null ? null : { importedAtMs, anySport, ofOriginal, strava }
}

/** Points of one piece, some hundred kilobytes. */
const POINTS_A_PIECE = 4096

/** The text that `JSON.stringify` gives, in pieces: that of a long track is never in one. */
export function* jsonPieces(raw: RawObject): Generator<string> {
  const { trackPoints } = raw
  if (!Array.isArray(trackPoints) || trackPoints.length <= POINTS_A_PIECE) return yield JSON.stringify(raw)
  let text = '{'
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`
    if (value !== trackPoints) {
      text += JSON.stringify(value)
      continue
    }
    for (let from = 0; from < trackPoints.length; from += POINTS_A_PIECE) {
      const points = JSON.stringify(trackPoints.slice(from, from + POINTS_A_PIECE))
      yield `${text}${from === 0 ? '[' : ','}${points.slice(1, -1)}`
      text = ''
    }
    text = ']'
  }
  yield `${text}}`
}
