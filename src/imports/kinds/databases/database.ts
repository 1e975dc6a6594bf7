import { paced } from '../../../base/pace.ts'
import {
  type ForeignColumns,
  ForeignError,
  type ForeignRow,
  type ForeignTable,
  openForeign,
} from '../../../db/foreign.ts'
import { FormatError } from '../../../formats/format.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { ZipError } from '../../../zip/zip-error.ts'
import type { FoundDatabase, Item, TakeoutSource } from '../kind.ts'

// Databases that are exports: an upload of its own, or the only one in a ZIP.

const NAME = /\.(?:db|sqlite3?)$/i
const BEGINNING = 'SQLite format 3\0'
const MOST_DATABASE_BYTES = 20 * 1024 ** 3

/** @throws FormatError when it cannot be read and nothing else was sent */
export async function databaseIn(source: TakeoutSource): Promise<FoundDatabase | null> {
  const { zip, head, filename } = source
  if (zip === null) return isDatabase(head) ? found(filename, source.path) : null
  const named: ZipEntry[] = []
  let files = 0
  for await (const file of source.entries()) {
    files += 1
    if (NAME.test(file.name) && named.length < 2) named.push(file)
  }
  try {
    const [entry] = named
    if (entry === undefined || named.length > 1) return null
    if (!isDatabase(await source.headOf(entry, BEGINNING.length))) return null
    return found(entry.name, (await source.unpacked(entry, MOST_DATABASE_BYTES)).path)
  } catch (error) {
    // among other files that may be read, a damaged database is nothing special
    const isOwn = error instanceof FormatError || (error instanceof ZipError && error.scope === 'entry')
    if (files === 1 || !isOwn) throw error
    return null
  }
}

function isDatabase(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, BEGINNING.length)).toString('latin1') === BEGINNING
}

function found(filename: string, path: string): FoundDatabase {
  try {
    using database = openForeign(path)
    return { filename, path, tables: database.tables }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** A foreign file's fault as that of an upload; any other error as it is. */
export function refusalOf(error: unknown): unknown {
  return error instanceof ForeignError ? new FormatError(error.message, { cause: error.cause }) : error
}

/** The rows of a table in slices, others being served between them. @throws ForeignError when it is damaged */
export async function* slicesOf<const C extends ForeignColumns>(
  table: ForeignTable | null,
  columns: C,
): AsyncGenerator<readonly ForeignRow<C>[]> {
  if (table !== null) yield* paced(table.read(columns).slices())
}

/** The item of one run, which may be damaged while others are not. */
export async function itemOrError(filename: string, item: () => Promise<Item>): Promise<Item> {
  try {
    return await item()
  } catch (error) {
    if (error instanceof ForeignError) return { filename, error: error.message }
    throw error
  }
}
