import { closeSync, openSync, readSync } from 'node:fs'
import { paced } from '../../base/pace.ts'
import { LENGTHS } from '../../base/texts.ts'
import type { MediaItem } from '../../features/media/exported.ts'
import { FormatError } from '../../formats/format.ts'
import { addSport, type Sports, sportWord } from '../../formats/sport-words.ts'
import { stravaSteps, summaryActivity } from '../../formats/strava/rows.ts'
import { csvRows, csvText, firstRow, SEPARATORS } from '../../formats/table/reader.ts'
import { cleanText } from '../../formats/text-values.ts'
import { safeName } from '../../zip/entry-name.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import type { Item, ItemOfRun, TakeoutKind, Unpacking } from './kind.ts'
import { unpackedItem } from './nested.ts'
import { expectReadable, SAME_FILE, type TakeoutSource } from './source.ts'
import { shownName } from './tally.ts'

const TABLE = 'activities.csv'
/** In the root, or in the single folder of a repacked export. */
const TABLE_PATH = /^(?:[^/]+\/)?activities\.csv$/
const PIECE_BYTES = 262_144
/** Enough for a caption of a hundred characters for each of 100,000 photos. */
const MAX_CAPTIONS_BYTES = 16 * 1_048_576

/** Strava's archive: a table of all activities, and the files and photos that it names. */
export const strava: TakeoutKind = {
  origin: 'strava_archive',
  listed: 'Strava',
  names: [TABLE_PATH],
  table: { name: TABLE, counted },
  items,
}

/** Reads the table to its end, so that an incomplete one is refused before anything is stored. */
async function counted(source: TakeoutSource): Promise<{ readonly runs: number; readonly sports: Sports }> {
  expectReadable(source)
  const { pieces } = await tableOf(source)
  const sports: Sports = new Map()
  let runs = 0
  for await (const line of paced(stravaSteps(pieces))) {
    if (line?.isRun) runs += 1
    else if (line !== null) addSport(sports, sportWord(line.type))
  }
  return { runs, sports }
}

/** The runs of the table in its order; the others are counted. */
async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const { folder, pieces } = await tableOf(source)
  const captions = await captionsIn(source, folder, unpacking)
  const photos = new Set<string>()
  for await (const line of paced(stravaSteps(pieces))) {
    if (!line?.isRun) continue
    const row = line.row()
    const filename = shownName(row.filename ?? TABLE)
    // a photo that several rows name is of the first run
    const named = () => row.media.filter((name) => photos.size < photos.add(name).size)
    const item: ItemOfRun = {
      filename,
      row,
      media: () => named().map((name) => mediaItem(source, folder, name, captions)),
    }
    try {
      if (row.filename === null) {
        yield { ...item, summary: summaryActivity(row) }
        continue
      }
      const entry = entryOf(source, folder, row.filename)
      if (!source.isFirst(entry)) yield { filename, skipped: SAME_FILE }
      else yield { ...item, ...(await unpackedItem(source, { zip: source.zip!, entry, filename })) }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      yield { ...item, error: error.message }
    }
  }
}

const unpackedTables = new WeakMap<TakeoutSource, ReturnType<typeof unpackedTable>>()

/** The bytes of the table, and the folder that has it. */
async function tableOf(source: TakeoutSource) {
  const made = unpackedTables.get(source) ?? unpackedTable(source)
  unpackedTables.set(source, made)
  const { folder, path } = await made
  return { folder, pieces: filePieces(path) }
}

/** Unpacked once; the source removes it at its end. */
async function unpackedTable(source: TakeoutSource) {
  const tables: ZipEntry[] = []
  for await (const entry of source.entries()) if (TABLE_PATH.test(entry.name)) tables.push(entry)
  const root = tables.find(({ name }) => name === TABLE)
  const [table = root] = root === undefined ? tables : [root]
  if (table === undefined) throw new FormatError('The ZIP archive has no activities.csv: it is not a Strava export')
  if (root === undefined && tables.length > 1) {
    throw new FormatError('The ZIP archive has several folders with an activities.csv')
  }
  try {
    const { path } = await source.unpacked(table)
    return { folder: table.name.slice(0, -TABLE.length), path }
  } catch (error) {
    if (!(error instanceof ZipError) || error.scope === 'archive') throw error
    const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1)
    throw new FormatError(`activities.csv cannot be read: ${reason}`, { cause: error })
  }
}

/** One that cannot be unpacked says so when it is. */
function mediaItem(source: TakeoutSource, folder: string, named: string, captions: Captions): MediaItem {
  try {
    const entry = entryOf(source, folder, named)
    const file = (maxBytes: number) => source.unpacked(entry, maxBytes)
    const inside = safeName(named) ?? ''
    return { filename: inside, caption: captions.get(inside) ?? null, size: entry.size, file }
  } catch (error) {
    return { filename: named, caption: null, size: -1, file: () => Promise.reject(error) }
  }
}

function entryOf({ zip }: TakeoutSource, folder: string, named: string): ZipEntry {
  const path = safeName(named)
  if (path === null) throw new FormatError('The name in activities.csv is outside the ZIP archive')
  const entry = zip?.find(folder + path) ?? null
  if (entry === null || entry.isFolder) throw new FormatError('The file is missing from the ZIP archive')
  return entry
}

/** The bytes of a file in pieces, from its beginning at each iteration; each piece is overwritten by the next. */
function filePieces(path: string): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      const file = openSync(path, 'r')
      try {
        const buffer = new Uint8Array(PIECE_BYTES)
        for (let read = -1; read !== 0; ) {
          read = readSync(file, buffer, 0, buffer.length, null)
          yield buffer.subarray(0, read)
        }
      } finally {
        closeSync(file)
      }
    },
  }
}

type Captions = ReadonlyMap<string, string>

/** media.csv: paths and captions under titles in any language. Unless it can be read, there are none. */
async function captionsIn({ zip }: TakeoutSource, folder: string, { warn }: Unpacking): Promise<Captions> {
  const captions = new Map<string, string>()
  const table = zip?.find(`${folder}media.csv`) ?? null
  if (zip === null || table === null) return captions
  try {
    const pieces = [await zip.bytes(table, MAX_CAPTIONS_BYTES)]
    const separator = SEPARATORS.find((divider) => (firstRow(csvText(pieces), divider)?.length ?? 0) > 1) ?? ','
    for await (const [path = '', written = ''] of paced(csvRows(csvText(pieces), separator))) {
      const inside = safeName(path.trim())
      const caption = cleanText(written, LENGTHS.caption)
      if (inside !== null && caption !== null) captions.set(inside, caption)
    }
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof ZipError)) throw error
    warn({ filename: 'media.csv', message: error.message })
  }
  return captions
}
