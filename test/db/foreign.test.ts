// SQLite files that others made: read only from named tables, whatever their schema holds.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ForeignError, openForeign } from '../../src/db/foreign.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()

/** A file that was written by these statements. */
function made(...statements: readonly string[]): string {
  const path = join(folder, `${crypto.randomUUID()} #?%.db`)
  const client = new Database(path, { create: true })
  for (const statement of statements) client.run(statement)
  client.close()
  return path
}

/** All rows of a table, or what refuses it. */
function rowsIn(path: string, table = 'runs') {
  try {
    using database = openForeign(path)
    const found = database.table(table)?.read({ id: 'number', name: 'text', file: 'bytes', none: 'text' })
    return found === undefined ? null : [...found.slices()].flat()
  } catch (error) {
    if (error instanceof ForeignError) return error.message
    throw error
  }
}

const RUNS = 'CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT, file BLOB)'
const DAMAGED = 'The SQLite database is damaged'

test('named columns of real tables are read; another type, a missing column and what is too long are null', () => {
  const path = made(
    'PRAGMA journal_mode = WAL',
    RUNS,
    `INSERT INTO runs VALUES (-3, 'a', x'0102'), (7, x'08', 'text'), (9, printf('%300000c', 'x'), zeroblob(40000000))`,
    'PRAGMA wal_checkpoint(TRUNCATE)',
  )
  const before = readFileSync(path)
  expect(rowsIn(path)).toEqual([
    { rowid: -3, id: -3, name: 'a', file: new Uint8Array([1, 2]), none: null },
    { rowid: 7, id: 7, name: null, file: new TextEncoder().encode('text'), none: null },
    { rowid: 9, id: 9, name: null, file: null, none: null },
  ])
  {
    using database = openForeign(path)
    expect(database.table('runs')!.read({ file: 'length' }).at(9)).toEqual({ rowid: 9, file: 40_000_000 })
    expect(database.table('runs')!.read({ name: 'text' }).at(8)).toBeNull()
    expect([-3, 9].map((id) => database.table('runs')!.read({ name: 'word' }).at(id)?.name)).toEqual(['a', null])
    expect(database.table('nothing')).toBeNull()
  }
  expect(readFileSync(path).equals(before)).toBeTrue()
})

test('views, virtual tables, generated columns and tables that hide their row ids are not read', () => {
  for (const statements of [
    ['CREATE TABLE other (a)', `CREATE VIEW runs AS SELECT 1 AS id, 'x' AS name, null AS file`],
    ['CREATE VIRTUAL TABLE runs USING fts5(name, file, id)'],
    ['CREATE TABLE runs (id INTEGER PRIMARY KEY, name) WITHOUT ROWID'],
    ['CREATE TABLE runs (id, name, RowId TEXT)'],
  ])
    expect([statements[0], rowsIn(made(...statements))]).toEqual([statements[0], null])
  const generated = `CREATE TABLE runs (id INTEGER PRIMARY KEY, name AS (printf('%90000000c', 'x')), file AS (zeroblob(90000000)))`
  expect(rowsIn(made(generated, 'INSERT INTO runs DEFAULT VALUES'))).toEqual([
    { rowid: 1, id: 1, name: null, file: null, none: null },
  ])
})

test('what is not a database, cut or encrypted is refused with a sentence', () => {
  const path = made(RUNS, `INSERT INTO runs VALUES (1, printf('%100000c', 'x'), null)`)
  const whole = readFileSync(path)
  const cut = join(folder, 'cut.db')
  for (let part = 0; part < 64; part += 1) {
    writeFileSync(cut, whole.subarray(0, Math.floor((whole.length * part) / 64)))
    expect(rowsIn(cut)).toMatch(/^The SQLite database is (cut off: it has \d+ of \d+ KB|damaged)$/)
  }
  writeFileSync(cut, 'x'.repeat(5000))
  expect(rowsIn(cut)).toBe(DAMAGED)
})

test('a schema that is too large, or goes in circles, is refused before SQLite reads it', () => {
  const tables = Array.from({ length: 200 }, (_, k) => `CREATE TABLE t${k} (a /* ${'x'.repeat(3000)} */)`)
  const tooMany = 'The SQLite database has too many tables'
  expect(rowsIn(made('BEGIN', RUNS, ...tables, 'COMMIT'))).toBe(tooMany)
  expect(rowsIn(made(RUNS, `CREATE TABLE t (a /* ${'x'.repeat(2_000_000)} */)`))).toBe(tooMany)
  const path = made('BEGIN', RUNS, ...tables.slice(0, 100), 'COMMIT')
  const bytes = readFileSync(path)
  expect(bytes[100]).toBe(5)
  // each child is the root again
  for (let cell = 0; cell < bytes.readUInt16BE(103); cell += 1)
    bytes.writeUInt32BE(1, bytes.readUInt16BE(112 + 2 * cell))
  writeFileSync(path, bytes)
  expect(rowsIn(path)).toBe(tooMany)
})

test('a tree of rows that holds a page twice ends with a refusal', () => {
  const rows = Array.from({ length: 2000 }, (_, k) => `INSERT INTO runs VALUES (${k}, 'name', x'00')`)
  const path = made(RUNS, 'BEGIN', ...rows, 'COMMIT')
  const bytes = readFileSync(path)
  const root = 4096
  expect(bytes[root]).toBe(5)
  const children = bytes.readUInt16BE(root + 3)
  const child = bytes.readUInt32BE(root + bytes.readUInt16BE(root + 12))
  for (let cell = 0; cell < children; cell += 1)
    bytes.writeUInt32BE(child, root + bytes.readUInt16BE(root + 12 + 2 * cell))
  writeFileSync(path, bytes)
  expect(rowsIn(path)).toBe(DAMAGED)
})

test('with any bytes changed, a file is read or refused, and slices stay small', () => {
  const rows = Array.from(
    { length: 3000 },
    (_, k) => `INSERT INTO runs VALUES (${k}, 'name ${k}', zeroblob(${k % 400}))`,
  )
  const path = made('PRAGMA page_size = 1024', RUNS, 'BEGIN', ...rows, 'COMMIT')
  const whole = readFileSync(path)
  const random = seededRandom(8)
  let refused = 0
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(whole)
    for (let k = 0; k < 8; k += 1) bytes[Math.floor(random() * (round % 2 ? 2048 : bytes.length))] = random() * 256
    writeFileSync(path, bytes)
    if (typeof rowsIn(path) === 'string') refused += 1
  }
  expect(refused).toBeWithin(50, 300)
  writeFileSync(path, whole)
  using database = openForeign(path)
  const all = database.table('runs')!.read({ id: 'number' })
  const sizes = [...all.slices()].map((slice) => slice.length)
  expect(sizes.reduce((a, b) => a + b)).toBe(3000)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512)
})
