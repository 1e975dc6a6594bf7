import { constants, Database, type Statement } from 'bun:sqlite'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// SQLite files of other programs. Their schema may hold anything, so only rows of plain tables are read, by row id.

/** Why a foreign file is not read: a sentence for the runner. */
export class ForeignError extends Error {}

/** What a column is read as. Values of other types, columns that are missing and what is too long are null. */
type Reading = 'number' | 'word' | 'text' | 'bytes' | 'length'
export type ForeignColumns = Readonly<Record<string, Reading>>
interface Value {
  readonly number: number
  /** A short text, for what is kept of many rows. */
  readonly word: string
  readonly text: string
  readonly bytes: Uint8Array
  readonly length: number
}
export type ForeignRow<C extends ForeignColumns> = { readonly rowid: number } & {
  readonly [Name in keyof C]: Value[C[Name]] | null
}

export function columns<R extends Reading, Name extends string>(
  reading: R,
  ...names: readonly Name[]
): Readonly<Record<Name, R>> {
  return Object.fromEntries(names.map((name) => [name, reading])) as Record<Name, R>
}

/** Columns of a table. All calls throw a ForeignError when the file is damaged there. */
export interface ForeignRows<C extends ForeignColumns> {
  /** All rows by ascending row id, in slices of a few milliseconds; work between two of them may pause. */
  slices(): Generator<readonly ForeignRow<C>[], void>
  at(rowid: number): ForeignRow<C> | null
}

export interface ForeignTable {
  read<const C extends ForeignColumns>(wanted: C): ForeignRows<C>
}

export interface ForeignDatabase extends Disposable {
  readonly tables: ReadonlySet<string>
  /** null: there is no such table; a view or a virtual table is none. */
  table(name: string): ForeignTable | null
}

const ROWS_A_SLICE = 512
const SLICE_MS = 4
const MOST_WORD_BYTES = 200
const MOST_TEXT_BYTES = 256 * 1024
/** A run of a day has 20 MiB as GPX. */
const MOST_BYTES = 32 * 1024 * 1024
/** The schema of Health Connect has 100 KB. SQLite parses all of it at once. */
const MOST_SCHEMA_BYTES = 512 * 1024
const MOST_SCHEMA_PAGES = 1024
const READ_ONLY = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
/** A column of one of these names would stand for the row id. */
const ROW_IDS: readonly string[] = ['rowid', '_rowid_', 'oid']

/** @throws ForeignError when the file is damaged, cut, or not a database */
export function openForeign(path: string): ForeignDatabase {
  guarded(() => expectSmallSchema(path))
  // immutable: it neither needs nor looks for a log or a lock beside it
  const client = guarded(() => new Database(`file:${encodeURIComponent(path)}?immutable=1`, READ_ONLY))
  const statements: Statement[] = []
  const prepared = <Row>(sql: string): Statement<Row, (number | string)[]> => {
    const statement = guarded(() => client.prepare<Row, (number | string)[]>(sql))
    statements.push(statement as Statement)
    return statement
  }
  const dispose = () => {
    for (const statement of statements) statement.finalize()
    client.close()
  }
  try {
    for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0', 'cache_size = -2048']) {
      guarded(() => client.run(`PRAGMA ${setting}`))
    }
    const tables = prepared<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 1 AND sql LIKE 'CREATE TABLE %'`,
    )
    const names: ReadonlySet<string> = new Set(guarded(() => tables.all()).map(({ name }) => name))
    const table = (name: string): ForeignTable | null => {
      if (!names.has(name)) return null
      const xinfo = prepared<{ name: string; hidden: number }>(`PRAGMA table_xinfo("${name}")`)
      const found = guarded(() => xinfo.all())
      if (found.some((column) => ROW_IDS.includes(column.name.toLowerCase()))) return null
      if (!hasRowIds(client, name)) return null
      const plain = new Set(found.filter(({ hidden }) => hidden === 0).map((column) => column.name))
      return { read: (wanted) => rowsOf(name, wanted, { plain, prepared }) }
    }
    return { tables: names, table, [Symbol.dispose]: dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

function hasRowIds(client: Database, name: string): boolean {
  try {
    client.prepare(`SELECT rowid FROM "${name}"`).finalize()
    return true
  } catch {
    return false
  }
}

interface Preparing {
  /** Columns that are stored, not computed by an expression of the schema. */
  readonly plain: ReadonlySet<string>
  readonly prepared: <Row>(sql: string) => Statement<Row, (number | string)[]>
}

function rowsOf<C extends ForeignColumns>(name: string, wanted: C, { plain, prepared }: Preparing): ForeignRows<C> {
  const values = Object.entries(wanted).map(([column, reading]) => {
    return `${plain.has(column) ? expressionOf(`"${column}"`, reading) : 'NULL'} AS "${column}"`
  })
  const select = `SELECT ${['rowid AS rowid', ...values].join(', ')} FROM "${name}" NOT INDEXED`
  const all = prepared<ForeignRow<C>>(`${select} ORDER BY rowid`)
  const one = prepared<ForeignRow<C>>(`${select} WHERE rowid = ?`)
  return { slices: () => slicesOf(all), at: (rowid) => guarded(() => one.get(rowid)) }
}

function* slicesOf<Row extends { readonly rowid: number }>(all: Statement<Row, []>): Generator<readonly Row[], void> {
  const rows = guarded(() => all.iterate())
  try {
    let last = Number.NEGATIVE_INFINITY
    for (let isMore = true; isMore; ) {
      const slice: Row[] = []
      const endMs = performance.now() + SLICE_MS
      while (isMore && slice.length < ROWS_A_SLICE && performance.now() < endMs) {
        const row = guarded(() => rows.next()).value
        isMore = row !== undefined
        if (row === undefined) break
        // else a page that the tree holds twice, perhaps a million times
        if (row.rowid <= last) throw damaged()
        last = row.rowid
        slice.push(row)
      }
      yield slice
    }
  } finally {
    rows.return?.()
  }
}

/** Lengths are known without reading what is that long. */
function expressionOf(column: string, reading: Reading): string {
  switch (reading) {
    case 'number':
      return `CASE WHEN typeof(${column}) IN ('integer', 'real') THEN ${column} END`
    case 'word':
    case 'text': {
      const mostBytes = reading === 'word' ? MOST_WORD_BYTES : MOST_TEXT_BYTES
      return `CASE WHEN typeof(${column}) = 'text' AND octet_length(${column}) <= ${mostBytes} THEN ${column} END`
    }
    case 'bytes':
      return `CASE WHEN typeof(${column}) IN ('blob', 'text') AND octet_length(${column}) <= ${MOST_BYTES} THEN CAST(${column} AS BLOB) END`
    case 'length':
      return `CASE WHEN typeof(${column}) IN ('blob', 'text') THEN octet_length(${column}) END`
  }
}

/**
 * Looks at the header and at the pages of the schema, which SQLite would read and parse as a whole.
 * Layout: https://www.sqlite.org/fileformat2.html
 */
function expectSmallSchema(path: string): void {
  const file = openSync(path, 'r')
  try {
    const header = bytesAt(file, 0, 100)
    if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw damaged()
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    const { size } = fstatSync(file)
    const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
    const wholeBytes = isCounted ? header.readUInt32BE(28) * pageBytes : 0
    if (size < wholeBytes) {
      throw new ForeignError(`The SQLite database is cut off: it has ${kilobytes(size)} of ${kilobytes(wholeBytes)} KB`)
    }
    let schemaBytes = 0
    const pages = [1]
    for (const page of pages) {
      const bytes = bytesAt(file, (page - 1) * pageBytes, pageBytes)
      const start = page === 1 ? 100 : 0
      const isLeaf = bytes[start] === 13
      if (!isLeaf && bytes[start] !== 5) throw damaged()
      const cells = bytes.readUInt16BE(start + 3)
      for (let cell = 0; cell < cells; cell += 1) {
        const at = bytes.readUInt16BE(start + (isLeaf ? 8 : 12) + 2 * cell)
        if (isLeaf) schemaBytes += varintAt(bytes, at)
        else pages.push(bytes.readUInt32BE(at))
      }
      if (!isLeaf) pages.push(bytes.readUInt32BE(start + 8))
      if (schemaBytes > MOST_SCHEMA_BYTES || pages.length > MOST_SCHEMA_PAGES) {
        throw new ForeignError('The SQLite database has too many tables')
      }
    }
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  if (readSync(file, bytes, 0, length, position) < length) throw damaged()
  return bytes
}

function varintAt(bytes: Buffer, at: number): number {
  let value = 0
  for (let k = 0; k < 9; k += 1) {
    const byte = bytes.readUInt8(at + k)
    value = value * 128 + (byte & 127)
    if (byte < 128) break
  }
  return value
}

function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1000)
}

/** Turns what SQLite says of a file into a refusal, but for errors of the machine. */
function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ForeignError || !(error instanceof Error)) throw error
    const code = 'code' in error ? String(error.code) : ''
    if (code === 'ERR_OUT_OF_RANGE' || /^SQLITE_(?!IOERR|NOMEM|FULL)/.test(code)) throw damaged(error)
    throw error
  }
}

function damaged(cause?: unknown): ForeignError {
  return new ForeignError('The SQLite database is damaged', { cause })
}
