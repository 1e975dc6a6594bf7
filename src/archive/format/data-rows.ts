import { refusedFile } from '../../base/errors.ts'
import { isObject, valueOfKey } from '../../base/json-object.ts'
import { paced } from '../../base/pace.ts'
import { FORMAT_VERSION } from '../../base/versions.ts'
import type { ZipArchive } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, MOST_DEPTH, OPEN_ARRAY, OPEN_OBJECT, QUOTE, textOf } from './fields.ts'

export const DATA_PATHS = {
  settings: 'data/settings.json',
  shoes: 'data/shoes.json',
  workouts: 'data/workouts.json',
  routes: 'data/routes.json',
  splits: 'data/splits.json',
  timeSeries: 'data/time-series.json',
  mediaMetadata: 'data/media-metadata.json',
  bestEfforts: 'data/best-efforts.json',
} as const

/** What came in and what was decided, as the tables have it (docs/archive.md); other readers ignore it. */
export const LIBRARY_PATH = 'data/library.json'

type ListedFile = keyof typeof DATA_PATHS
type DataFile = ListedFile | 'library'
const DATA_FILES = Object.keys(DATA_PATHS) as readonly ListedFile[]

/** Counts that accumulate while an archive is written. */
export type ArchiveCounts = Record<Exclude<ListedFile, 'mediaMetadata'> | 'mediaFiles' | 'totalSizeBytes', number>

export interface Manifest {
  /** The data files of the archive; those that it does not have count as empty. */
  readonly paths: Readonly<Partial<Record<DataFile, string>>>
  /** Number of workouts that the manifest states; null: it states none. */
  readonly workoutsCount: number | null
  readonly statistics: Readonly<Record<string, unknown>>
  /** Harrier's version; null: another program wrote the archive. */
  readonly harrierVersion: string | null
  readonly exportDate: string | null
  /** SHA-256 of every data file by its path, as it was written; null: the archive states none, or has no library. */
  readonly sums: Readonly<Record<string, string>> | null
}

const MAX_MANIFEST_BYTES = 1_048_576
/** Largest own archive, unpacked (docs/api.md 1.5). */
export const MAX_UNPACKED_BYTES = 100 * 2 ** 30

/**
 * Reads and validates the manifest, which decides whether an archive can be restored, before anything is written
 * (docs/api.md 7.5).
 * @throws AppError 400
 */
export async function readManifest(zip: ZipArchive): Promise<Manifest> {
  if (zip.declaredBytes > MAX_UNPACKED_BYTES) throw refusedFile('The archive holds more than 100 GiB unpacked')
  for (const entry of zip.entries()) {
    if (entry.problem === 'unsafe') throw refusedFile('The archive has an entry whose name points out of it, or a link')
  }
  const manifest = await manifestObject(zip)
  const version = valueOfKey(manifest, 'version')
  if (version !== FORMAT_VERSION) {
    throw refusedFile(`The archive is of format version ${shown(version)}, supported is ${FORMAT_VERSION}`)
  }
  const dataFormat = valueOfKey(manifest, 'dataFormat')
  if (!isObject(dataFormat)) throw refusedFile('The manifest of the archive has no dataFormat')
  const paths: Partial<Record<DataFile, string>> = {}
  for (const kind of DATA_FILES) {
    const path = listedPath(zip, kind, valueOfKey(dataFormat, kind))
    if (path !== null) paths[kind] = path
  }
  const sums = valueOfKey(manifest, 'sums')
  if (zip.find(LIBRARY_PATH)?.isFolder === false) paths.library = LIBRARY_PATH
  if (paths.shoes === undefined || paths.workouts === undefined) {
    throw refusedFile('The dataFormat of the manifest must list shoes and workouts')
  }
  const statistics = valueOfKey(manifest, 'statistics')
  const workouts = isObject(statistics) ? valueOfKey(statistics, 'workouts') : null
  return {
    paths,
    workoutsCount: Number.isSafeInteger(workouts) ? Number(workouts) : null,
    statistics: isObject(statistics) ? statistics : {},
    harrierVersion: textOf(valueOfKey(manifest, 'harrierVersion'), 50),
    exportDate: textOf(valueOfKey(manifest, 'exportDate'), 50),
    sums: isObject(sums) ? Object.fromEntries(Object.entries(sums).map(([path, sum]) => [path, String(sum)])) : null,
  }
}

async function manifestObject(zip: ZipArchive): Promise<Readonly<Record<string, unknown>>> {
  const entry = zip.find('manifest.json')
  if (entry === null || entry.isFolder)
    throw refusedFile('The archive has no manifest.json: it is not an export of Harrier or Tempo')
  try {
    const manifest = parsedJson(await zip.bytes(entry, MAX_MANIFEST_BYTES))
    if (isObject(manifest)) return manifest
  } catch (error) {
    if (!(error instanceof ZipError) && !(error instanceof SyntaxError)) throw error
  }
  throw refusedFile('The manifest.json of the archive is not a JSON object')
}

/** Path of a data file; null: the manifest does not list it. */
function listedPath(zip: ZipArchive, kind: DataFile, listed: unknown): string | null {
  if (listed === undefined || listed === null) return null
  if (typeof listed !== 'string') throw refusedFile(`The dataFormat of the manifest has no path for ${kind}`)
  const entry = zip.find(listed)
  if (entry === null || entry.isFolder) {
    throw refusedFile(`The data file that the manifest lists for ${kind} is not in the archive`)
  }
  if (entry.problem === 'tooLarge') throw refusedFile(`The data file for ${kind} is larger unpacked than is allowed`)
  if (entry.problem !== null) throw refusedFile(`The data file for ${kind} cannot be unpacked`)
  return listed
}

function shown(version: unknown): string {
  return typeof version === 'string' && version.length <= 20 ? version.replace(/\p{Cc}/gu, '') : 'unknown'
}

/** A data file that cannot be read to its end, which ends the restore (docs/api.md 7.5). */
export class BadDataFile extends Error {}

export interface OpenArchive {
  readonly zip: ZipArchive
  readonly manifest: Manifest
}

const MiB = 1_048_576
const MAX_SETTINGS_BYTES = MiB
/** Characters of rows above the usual: a route of a million points has 24 million, a raw file of 100 MiB as base64 134. */
const MAX_ROW: Readonly<Partial<Record<DataFile, number>>> = {
  workouts: 192 * MiB,
  routes: 64 * MiB,
  library: 192 * MiB,
}

/**
 * The rows of one data file, in batches; none when the manifest does not list the file.
 * @param warn called for each row that is nested too deep or too large, which is not among them: with the same sentence for
 * all rows of the file with this problem, and its place
 * @throws BadDataFile
 */
export async function* dataRows(
  { zip, manifest }: OpenArchive,
  kind: DataFile,
  warn: (what: string, about: { readonly which: string }) => void,
): AsyncGenerator<readonly unknown[]> {
  const entry = entryOf({ zip, manifest }, kind)
  if (entry === null) return
  const maxRow = MAX_ROW[kind] ?? MiB
  const large = `longer than ${maxRow.toLocaleString('en')} characters`
  const limits = { deep: `nested deeper than ${MOST_DEPTH} levels`, large }
  const leftOut = ({ number, why }: OddRow) => {
    warn(`Rows of ${entry.name} that are ${limits[why]} and were skipped`, { which: `row ${number}` })
  }
  try {
    yield* jsonRows(zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY }), { maxRow, leftOut })
  } catch (error) {
    throw bad(error, entry.name)
  }
}

/** The same, one by one and gently. */
export async function* eachRow(...args: Parameters<typeof dataRows>): AsyncGenerator<unknown> {
  for await (const rows of dataRows(...args)) yield* paced(rows)
}

/** The object of `settings.json`; null when the manifest does not list it. @throws BadDataFile */
export async function settingsValue(archive: OpenArchive): Promise<unknown> {
  const entry = entryOf(archive, 'settings')
  if (entry === null) return null
  try {
    return parsedJson(await archive.zip.bytes(entry, MAX_SETTINGS_BYTES))
  } catch (error) {
    throw bad(error, entry.name)
  }
}

/**
 * The data files that are not as they were written, by the sums in the manifest; null: it has none, as those of other
 * programs.
 * @param each called before each file
 */
export async function editedFiles(
  { zip, manifest: { sums } }: OpenArchive,
  each: () => void,
): Promise<string[] | null> {
  if (sums === null) return null
  const edited: string[] = []
  for (const path of [LIBRARY_PATH, ...Object.values(DATA_PATHS)]) {
    each()
    const entry = zip.find(path)
    try {
      const sum = entry && !entry.isFolder && (await sha256Of(zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })))
      if (sum !== sums[path]) edited.push(path)
    } catch (error) {
      if (!(error instanceof ZipError) || error.scope === 'archive') throw error
      edited.push(path)
    }
  }
  return edited
}

export async function sha256Of(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

function entryOf({ zip, manifest }: OpenArchive, kind: DataFile) {
  const path = manifest.paths[kind]
  return path === undefined ? null : zip.find(path)
}

function bad(cause: unknown, name: string): unknown {
  if (cause instanceof SyntaxError) return new BadDataFile(`${name} is not valid JSON`, { cause })
  if (cause instanceof ZipError) return new BadDataFile(`${name} cannot be unpacked: ${cause.message}`, { cause })
  return cause
}

/** Characters of rows that are parsed at once. */
const BATCH = 262_144
const COMMA = 0x2c
const BLANK = /^[ \n\r\t]*$/

export interface OddRow {
  /** Its place among all rows, from 1 on. */
  readonly number: number
  /** Nested deeper than MOST_DEPTH, or larger than the limit. */
  readonly why: 'deep' | 'large'
}

interface RowLimits {
  /** Limit of one element, characters. */
  readonly maxRow: number
  /** Called for each row over a limit, which is passed over without being held. */
  readonly leftOut: (row: OddRow) => void
}

/**
 * Parses the elements of a JSON array while it arrives, in batches; memory holds one batch and at most one row. Only
 * the ends of rows are found here, everything else is left to JSON.parse and refused when it refuses it.
 * @throws SyntaxError when it is not a single complete JSON array; earlier rows have been returned by then
 */
export async function* jsonRows(
  pieces: AsyncIterable<Uint8Array>,
  limits: RowLimits,
): AsyncGenerator<readonly unknown[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const array = new ArrayText(limits)
  for await (const piece of pieces) {
    const rows = array.take(decoded(decoder, piece))
    if (rows.length > 0) yield rows
  }
  decoded(decoder)
  array.end()
}

/** Parses JSON text given as bytes, with or without byte-order mark. @throws SyntaxError */
export function parsedJson(bytes: Uint8Array): unknown {
  return parsed(decoded(new TextDecoder('utf-8', { fatal: true }), bytes, false))
}

function decoded(decoder: TextDecoder, piece?: Uint8Array, stream = piece !== undefined): string {
  try {
    return decoder.decode(piece, { stream })
  } catch (cause) {
    throw new SyntaxError('Not UTF-8', { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // JSON nested deeper than the stack fails with a RangeError
    throw cause instanceof SyntaxError ? cause : new SyntaxError('Not JSON', { cause })
  }
}

/** The part of an array's text whose rows were not returned yet. */
class ArrayText {
  private readonly limits: RowLimits
  /** Complete rows, and what has arrived of the current one. */
  private rows: string[] = []
  private rowsLength = 0
  private row = ''
  /** Number of all rows that have ended, and whether the current one is left out. */
  private endedCount = 0
  private isLeftOut = false
  private place: 'before' | 'inside' | 'after' = 'before'
  private depth = 0
  private isInText = false
  private isEscaped = false

  constructor(limits: RowLimits) {
    this.limits = limits
  }

  /** @returns the complete rows, once they make a batch or the array has ended */
  take(text: string): readonly unknown[] {
    let { depth, isInText, isEscaped, place } = this
    let begin = 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) isInText = false
      } else if (place !== 'inside') {
        if (BLANK.test(text[at]!)) continue
        if (place === 'after' || code !== OPEN_ARRAY) throw new SyntaxError('Not a single array')
        place = 'inside'
        begin = at + 1
      } else if (code === QUOTE) isInText = true
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        depth += 1
        if (depth > MOST_DEPTH && !this.isLeftOut) this.leaveOut('deep')
      } else if (depth > 0) {
        if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1
      } else if (code === COMMA || code === CLOSE_ARRAY) {
        this.add(text.slice(begin, at))
        begin = at + 1
        const isNone = code === CLOSE_ARRAY && this.endedCount === 0 && !this.isLeftOut && BLANK.test(this.row)
        if (!isNone) this.endRow()
        if (code === CLOSE_ARRAY) place = 'after'
      }
    }
    if (place === 'inside') this.add(text.slice(begin))
    Object.assign(this, { depth, isInText, isEscaped, place })
    return place === 'after' || this.rowsLength > BATCH ? this.taken() : []
  }

  end(): void {
    if (this.place !== 'after') throw new SyntaxError('The array does not end')
  }

  private add(text: string): void {
    if (this.isLeftOut) return
    this.row += text
    if (this.row.length > this.limits.maxRow) this.leaveOut('large')
  }

  private endRow(): void {
    this.endedCount += 1
    if (!this.isLeftOut) this.rows.push(this.row)
    // with its comma: rows without a text are held, too
    this.rowsLength += this.row.length + 1
    this.row = ''
    this.isLeftOut = false
  }

  /** Passes over the current row, of which nothing is held. */
  private leaveOut(why: OddRow['why']): void {
    this.isLeftOut = true
    this.row = ''
    this.limits.leftOut({ number: this.endedCount + 1, why })
  }

  private taken(): readonly unknown[] {
    const texts = this.rows
    this.rows = []
    this.rowsLength = 0
    // one may be long: within brackets its text would be there twice
    return texts.length === 1 ? [parsed(texts.pop()!)] : (parsed(`[${texts.join(',')}]`) as unknown[])
  }
}
