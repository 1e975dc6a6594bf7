import { isoTime } from '../engine/calendar/timestamp.ts'
import type { Activity, RawObject } from '../formats/format.ts'

/**
 * How the raw data of a recording (CONTRACT 11.1 to 11.3) is read once more out of what is kept anyway: the original, and
 * the row of Strava's table.
 */
export interface RawView {
  /** Unix milliseconds: `importedAt` of every member. */
  readonly importedAtMs: number
  /** Any sport of the file was a run, since a row of Strava's table said so. */
  readonly anySport: boolean
  /** What the original gives; null: nothing. */
  readonly ofOriginal: 'rawGpxData' | 'rawFitData' | null
  /** `rawStravaData` without `importedAt`; null: there is none. */
  readonly strava: RawObject | null
}

/** A member as it is answered. */
export function stamped(raw: RawObject, importedAtMs: number): RawObject {
  return { ...raw, importedAt: isoTime(importedAtMs) }
}

/**
 * The raw object of what was read out of a file: what an import keeps, an answer shows and an archive has is made here.
 * @returns null when there is none
 */
export function rawObject({ rawGpxData, rawFitData }: Activity, importedAtMs: number): RawObject | null {
  const made = rawFitData ?? rawGpxData
  return made && stamped(made(), importedAtMs)
}

/** A row of Strava's table has some hundred characters; one of megabytes does not belong into the database. */
const LONGEST_STRAVA_TEXT = 65_536

/**
 * How the raw data of an activity is kept: a view where that is possible, else as its text, zstd of the JSON object
 * {rawGpxData, rawFitData, rawStravaData}. Both are null for an activity without raw data.
 */
export function keptRawData(
  activity: Activity,
  { importedAtMs, anySport }: Pick<RawView, 'importedAtMs' | 'anySport'>,
): { readonly rawView: RawView | null; readonly rawData: Uint8Array | null } {
  const { rawGpxData, rawFitData, rawStravaData: strava } = activity
  const ofOriginal = rawFitData !== null ? 'rawFitData' : rawGpxData !== null ? 'rawGpxData' : null
  if (ofOriginal === null && strava === null) return { rawView: null, rawData: null }
  if (isShort(strava)) return { rawView: { importedAtMs, anySport, ofOriginal, strava }, rawData: null }
  const all = { rawGpxData: null, rawFitData: null, rawStravaData: strava && stamped(strava, importedAtMs) }
  const own = ofOriginal === null ? {} : { [ofOriginal]: rawObject(activity, importedAtMs) }
  // for such text level 1 gives less than level 3, and sooner
  return { rawView: null, rawData: Bun.zstdCompressSync(JSON.stringify({ ...all, ...own }), { level: 1 }) }
}

/** What the database takes of a row. */
export function isShort(strava: RawObject | null): boolean {
  return strava === null || JSON.stringify(strava).length <= LONGEST_STRAVA_TEXT
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
