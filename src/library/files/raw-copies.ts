import { rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { createCollector } from '../../base/garbage.ts'
import { isObject } from '../../base/json-object.ts'
import { paced } from '../../base/pace.ts'
import { recordings } from '../../db/schema.ts'
import type { RawView } from '../../db/stored.ts'
import { completeRecording } from '../commit.ts'
import type { Deps } from '../deps.ts'
import { rawDataPath, rawFilePath } from './paths.ts'
import { RAW_MEMBERS, type RawData, type RawLibrary, type RawOriginal, storedRaw, viewTexts } from './raw-data.ts'

// Raw data as stored text, from older versions or from archives. When parsing the original gives the same text, the
// stored one is removed.

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
  library: Pick<RawLibrary, 'analyzer'>,
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

/** Recordings between two garbage collections; each leaves its text and the parsed original, 5 to 20 MB. */
const RECORDINGS_A_COLLECTION = 10

/**
 * Removes texts that an older version stored although the original gives the same, one by one, while requests are
 * served. Each text is checked once: a damaged or different one stays permanently. Never fails.
 */
export async function dropRawCopies(
  { db, config, analyzer, log }: Pick<Deps, 'db' | 'config' | 'analyzer' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  let dropped = 0
  const collect = createCollector(RECORDINGS_A_COLLECTION)
  try {
    // read from an index, which costs nothing when there are none
    const asked = db.$client.query<{ id: string }, []>('SELECT id FROM recording WHERE has_raw AND raw_view IS NULL')
    for await (const { id } of paced(asked.all())) {
      if (signal.aborted) break
      const recording = db.select().from(recordings).where(eq(recordings.id, id)).get()
      if (recording === undefined) continue
      const stored = await storedRaw({ dataDir: config.dataDir }, id, () => {})
      const { storedAs, fileName, fileSession, origin } = recording
      const original = storedAs === null ? null : { path: rawFilePath(config.dataDir, storedAs), fileName, fileSession }
      const view = stored && (await viewOfText({ analyzer }, stored, { original, origin }))
      completeRecording(db, id, view === null ? { rawView: false } : { rawView: view, hasRaw: false })
      if (view !== null) {
        await rm(rawDataPath(config.dataDir, id), { force: true })
        dropped += 1
      }
      collect()
    }
  } catch (error) {
    log.error('Stored raw data that is also in the original could not be removed', error)
  }
  if (dropped > 0) log.info(`Removed the stored raw data of ${dropped} recordings, which is also in their originals`)
}

/** As `viewOfRaw`, for a text whose members are in order and without blanks. */
async function viewOfText(
  library: Pick<RawLibrary, 'analyzer'>,
  { text, raw: stored }: { readonly text: string; readonly raw: Partial<RawData> },
  beside: Beside,
): Promise<RawView | null> {
  const { rawGpxData, rawFitData, rawStravaData } = stored
  const raw = { rawGpxData, rawFitData, rawStravaData }
  return JSON.stringify(raw) === text ? await viewOfRaw(library, raw, beside) : null
}
