import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, rm } from 'node:fs/promises'
import { paced } from '../../../base/pace.ts'
import { LENGTHS } from '../../../base/texts.ts'
import { FormatError } from '../../../formats/format.ts'
import { MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import { addSport, type Sports, sportWord, sumOfSports } from '../../../formats/sport-words.ts'
import { type StravaRow, stravaSteps } from '../../../formats/strava/rows.ts'
import { csvRows, csvText, firstRow, SEPARATORS } from '../../../formats/table/reader.ts'
import { cleanText } from '../../../formats/text-values.ts'
import { openZip, type ZipArchive, type ZipEntry } from '../../../zip/reader.ts'
import { unpacked } from '../../../zip/unpack.ts'
import { ZipError } from '../../../zip/zip-error.ts'

/** Largest Strava ZIP, unpacked (docs/api.md 1.5). */
const MAX_ARCHIVE_BYTES = 20 * 1024 ** 3

/** Enough for a caption of a hundred characters for each of 100,000 photos. */
const MAX_CAPTIONS_BYTES = 16 * 1024 * 1024
const PIECE_BYTES = 262_144

/** An open Strava export whose table was read once to its end. */
export interface StravaZip {
  readonly zip: ZipArchive
  readonly runs: number
  readonly skippedOther: number
  /** These by sport, as far as the language of the export is English. */
  readonly sports: Sports
  /** The rows of type Run in the order of the table; other requests are served in between. */
  rows(): AsyncGenerator<StravaRow>
  /** The entry that a path in the table names. @throws FormatError when it leads outside or does not exist */
  entry(path: string): ZipEntry
  /** The caption of a file in media.csv; null: none. */
  caption(path: string): string | null
  /** Why media.csv could not be read; null: it was read, or does not exist. */
  readonly captionsProblem: string | null
  close(): Promise<void>
}

/**
 * Opens an export. Its table is read to its end, so that an incomplete one is refused before anything is stored, and
 * kept as a temporary file; nothing else is unpacked.
 * @param source a path, or an open file, which the caller closes
 * @throws ZipError, FormatError: not a ZIP, no activities.csv, a table that cannot be read, a limit of docs/api.md 1.5
 */
export async function openStravaZip(source: string | FileHandle, tmpDir: string): Promise<StravaZip> {
  const zip = await openZip(source, { maxUnpackedBytes: MAX_ARCHIVE_BYTES })
  let tablePath: string | null = null
  const close = async () => {
    if (tablePath !== null) await rm(tablePath, { force: true })
    await zip.close()
  }
  try {
    // an entry that unpacks to more than it declares cannot be read, so checking the declared sizes suffices
    if (zip.declaredBytes > MAX_ARCHIVE_BYTES) throw new FormatError('The ZIP archive is larger than 20 GiB unpacked')
    const { folder, table } = await findTable(zip)
    tablePath = await unpacked(zip, table, { tmpDir, maxBytes: MAX_UNPACKED_BYTES }).catch(ofTable)
    const pieces = filePieces(tablePath)
    const counts = await countRows(pieces)
    const { captions, captionsProblem } = await readCaptions(zip, folder)
    return {
      ...counts,
      zip,
      captionsProblem,
      rows: () => runRows(pieces),
      entry: (path) => entryOf(zip, folder, path),
      caption: (path) => captions.get(insidePath(path) ?? '') ?? null,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A path in a table as one inside the export; null: it leads out of it. */
function insidePath(path: string): string | null {
  if (/^(?:[\\/]|[a-z]:)/i.test(path)) return null
  const segments: string[] = []
  for (const segment of path.split(/[\\/]/)) {
    if (segment === '..' && segments.pop() === undefined) return null
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment)
  }
  return segments.join('/').normalize('NFC')
}

/** Rethrows an error of one entry with a message that names the table. */
function ofTable(error: unknown): never {
  if (!(error instanceof ZipError) || error.scope === 'archive') throw error
  const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1)
  throw new FormatError(`activities.csv cannot be read: ${reason}`, { cause: error })
}

/** Finds the table at the root, or in the single folder of a repacked export. */
async function findTable(zip: ZipArchive): Promise<{ readonly folder: string; readonly table: ZipEntry }> {
  const root = zip.find('activities.csv')
  if (root !== null) return { folder: '', table: root }
  const tables = new Map<string, ZipEntry>()
  for await (const entry of paced(zip.entries())) {
    const folder = /^([^/]+\/)activities\.csv$/.exec(entry.name)?.[1]
    if (folder !== undefined && entry.problem !== 'unsafe') tables.set(folder, entry)
  }
  const [found, ...others] = tables
  if (found === undefined) throw new FormatError('The ZIP archive has no activities.csv: it is not a Strava export')
  if (others.length > 0) throw new FormatError('The ZIP archive has several folders with an activities.csv')
  return { folder: found[0], table: found[1] }
}

/** The bytes of a file in pieces, from its beginning at each iteration; each piece is overwritten by the next. */
function filePieces(path: string): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      const file = openSync(path, 'r')
      try {
        const buffer = new Uint8Array(PIECE_BYTES)
        let read = 0
        do {
          read = readSync(file, buffer, 0, buffer.length, null)
          yield buffer.subarray(0, read)
        } while (read > 0)
      } finally {
        closeSync(file)
      }
    },
  }
}

/** @throws FormatError for a table that cannot be read to its end */
async function countRows(pieces: Iterable<Uint8Array>): Promise<Pick<StravaZip, 'runs' | 'skippedOther' | 'sports'>> {
  const sports: Sports = new Map()
  let runs = 0
  for await (const line of paced(stravaSteps(pieces))) {
    if (line?.isRun) runs += 1
    else if (line !== null) addSport(sports, sportWord(line.type))
  }
  return { runs, skippedOther: sumOfSports(sports), sports }
}

async function* runRows(pieces: Iterable<Uint8Array>): AsyncGenerator<StravaRow> {
  for await (const line of paced(stravaSteps(pieces))) if (line?.isRun) yield line.row()
}

function entryOf(zip: ZipArchive, folder: string, named: string): ZipEntry {
  const path = insidePath(named)
  if (path === null) throw new FormatError('The name in activities.csv is outside the ZIP archive')
  const entry = path === '' ? null : zip.find(folder + path)
  if (entry === null || entry.isFolder) throw new FormatError('The file is missing from the ZIP archive')
  return entry
}

/** Reads media.csv: paths and captions under titles in any language. Unless it can be read, there are none. */
async function readCaptions(
  zip: ZipArchive,
  folder: string,
): Promise<{ readonly captions: ReadonlyMap<string, string>; readonly captionsProblem: string | null }> {
  const captions = new Map<string, string>()
  const table = zip.find(`${folder}media.csv`)
  if (table === null) return { captions, captionsProblem: null }
  try {
    const pieces = [await zip.bytes(table, MAX_CAPTIONS_BYTES)]
    const separator = SEPARATORS.find((divider) => (firstRow(csvText(pieces), divider)?.length ?? 0) > 1) ?? ','
    for await (const [path = '', written = ''] of paced(csvRows(csvText(pieces), separator))) {
      const inside = insidePath(path.trim())
      const caption = cleanText(written, LENGTHS.caption)
      if (inside !== null && caption !== null) captions.set(inside, caption)
    }
    return { captions, captionsProblem: null }
  } catch (error) {
    if (error instanceof FormatError || error instanceof ZipError) return { captions, captionsProblem: error.message }
    throw error
  }
}
