import type { ZipArchive } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { MOST_DEPTH } from './fields.ts'
import { jsonRows, type OddRow, parsedJson } from './json-rows.ts'
import { DATA_PATHS, type DataFile, LIBRARY_PATH, type Manifest } from './manifest.ts'

/** A data file that cannot be read to its end, which ends the restore (docs/api.md 7.5). */
export class BadDataFile extends Error {}

export interface OpenArchive {
  readonly zip: ZipArchive
  readonly manifest: Manifest
}

const MiB = 1_048_576
const MAX_SETTINGS_BYTES = MiB
/** Row sizes above the usual: a route of a million points has 24 MB, a raw file of 100 MiB as base64 134 MB. */
const MAX_ROW_BYTES: Readonly<Partial<Record<DataFile, number>>> = {
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
  const maxRowBytes = MAX_ROW_BYTES[kind] ?? MiB
  const limits = { deep: `nested deeper than ${MOST_DEPTH} levels`, large: `larger than ${maxRowBytes / MiB} MiB` }
  const leftOut = ({ number, why }: OddRow) => {
    warn(`Rows of ${entry.name} that are ${limits[why]} and were skipped`, { which: `row ${number}` })
  }
  try {
    yield* jsonRows(zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY }), { maxRow: maxRowBytes, leftOut })
  } catch (error) {
    throw bad(error, entry.name)
  }
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
