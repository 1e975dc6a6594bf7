import { isObject } from '../../base/json-object.ts'
import { cutText, RAW_LENGTHS } from '../../base/texts.ts'
import type { recordings } from '../../db/schema.ts'
import type { RawView } from '../../db/stored.ts'
import {
  RAW_MEMBERS,
  type RawData,
  type RawLibrary,
  type RawOriginal,
  viewTexts,
} from '../../library/files/raw-data.ts'
import { objectOf, type Row } from '../format/fields.ts'
import { isGiven } from '../format/workout-rows.ts'
import type { RestoreReport } from './report.ts'

/** Reads the raw data of a workout from its row. Texts longer than an import keeps today are cut, with a warning. */
export function rawDataOf(report: RestoreReport, id: string, row: Row): RawData {
  const objects = RAW_MEMBERS.map((key) => {
    const object = objectOf(row[key])
    const isLost = object === null && isGiven(row[key])
    if (isLost) report.warn('Raw data of workouts that is not a JSON object, skipped', { which: `${id} ${key}` })
    if (object !== null && withShortTexts(object)) {
      report.warn('Texts in raw data of workouts that are too long, cut', { which: `${id} ${key}` })
    }
    return [key, object] as const
  })
  return Object.fromEntries(objects) as unknown as RawData
}

/**
 * Cuts texts of parsed JSON, in place: values to the longest text of raw data; members with a longer name are removed.
 * @returns whether anything was cut
 */
export function withShortTexts(json: object): boolean {
  let isCut = false
  // a list instead of recursion, since JSON may be nested deeper than the call stack
  const waiting: object[] = [json]
  const shortened = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) waiting.push(value)
    if (typeof value !== 'string' || value.length <= RAW_LENGTHS.description) return value
    isCut = true
    return cutText(value, RAW_LENGTHS.description)
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (let at = 0; at < next.length; at += 1) next[at] = shortened(next[at])
      continue
    }
    const holder = next as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      if (key.length <= RAW_LENGTHS.description) holder[key] = shortened(holder[key])
      else {
        isCut = true
        delete holder[key]
      }
    }
  }
  return isCut
}

/** What the text of raw data belongs to. */
interface Beside {
  /** null: the recording has no original. */
  readonly original: RawOriginal | null
  /** How the recording arrived. */
  readonly origin: (typeof recordings.$inferInsert)['origin']
}

/**
 * The parameters with which parsing the original gives the same members, byte for byte.
 * @returns null where the original gives anything else, or nothing
 */
export async function viewOfRaw(
  library: Pick<RawLibrary, 'worker'>,
  raw: RawData,
  { original, origin }: Beside,
): Promise<RawView | null> {
  const view = possibleView(raw, origin)
  if (view === null) return null
  const shown = await viewTexts(library, { view, original }).catch(() => null)
  const isShown = RAW_MEMBERS.every((name) => {
    const text = raw[name] === null ? '' : JSON.stringify(raw[name])
    return Buffer.concat((shown?.[name] ?? []).map((piece) => Buffer.from(piece as string))).equals(Buffer.from(text))
  })
  return isShown ? view : null
}

/** Longest text of a Strava row that is stored in the database; real rows are shorter. */
const LONGEST_STRAVA_TEXT = 131_072

/** @returns null when no parameters can give these members */
function possibleView({ rawGpxData, rawFitData, rawStravaData }: RawData, origin: Beside['origin']): RawView | null {
  const members = [rawGpxData, rawFitData, rawStravaData].filter((member) => member !== null)
  const [importedAt, ...others] = members.map((member) => (isObject(member) ? member.importedAt : undefined))
  if (typeof importedAt !== 'string' || others.some((other) => other !== importedAt)) return null
  const importedAtMs = Date.parse(importedAt)
  if (Number.isNaN(importedAtMs) || (rawGpxData !== null && rawFitData !== null)) return null
  const { importedAt: _, ...strava } = isObject(rawStravaData) ? rawStravaData : {}
  if (JSON.stringify(strava).length > LONGEST_STRAVA_TEXT) return null
  const ofOriginal = rawFitData !== null ? 'rawFitData' : rawGpxData !== null ? 'rawGpxData' : null
  return {
    importedAtMs,
    anySport: ofOriginal !== null && origin === 'strava_archive',
    ofOriginal,
    strava: rawStravaData === null ? null : strava,
  }
}
