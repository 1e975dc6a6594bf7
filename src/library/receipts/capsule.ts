import { SCHEMA_VERSION } from '../../db/migrate.ts'
import type { Db, Tx } from '../../db/open.ts'

// A capsule is a packed copy of a workout, or of a part of one, with its rows by column name. Format: zstd of the
// length of a JSON text, the text, and the blobs, which the text references by their position after it.

/**
 * Tables whose rows belong to a workout, each after those that it references, and how the rows of one workout are
 * found.
 */
export const CAPSULE_TABLES = {
  workout: 'id = ?',
  recording: 'workout_id = ?',
  samples: 'recording_id IN (SELECT id FROM recording WHERE workout_id = ?)',
  repair: 'workout_id = ?',
  workout_split: 'workout_id = ?',
  workout_best_effort: 'workout_id = ?',
  archived_best_effort: 'workout_id = ?',
  effort_word: 'workout_id = ?',
  workout_route: 'workout_id = ?',
  workout_training: 'workout_id = ?',
  training_choice: 'workout_id = ?',
  media: 'workout_id = ?',
  weather_job: 'workout_id = ?',
} as const

/** Left out, since they can be computed again or are temporary. */
export const LEFT_OUT: readonly string[] = ['workout_load', 'effort_before']

type Database = Db['$client']

/** A value of SQLite. */
export type Value = string | number | Uint8Array | null

export type CapsuleTable = keyof typeof CAPSULE_TABLES

/** Tables derived from recordings and repairs, which a repair or its reverting changes. */
const NUMBERS: readonly CapsuleTable[] = [
  'workout',
  'repair',
  'workout_split',
  'workout_best_effort',
  'archived_best_effort',
  'workout_route',
  'workout_training',
]

/**
 * `whole`: everything of a workout. `numbers`: all but recordings and what the runner added. `media`: one photo or
 * video.
 */
export type CapsuleScope = 'whole' | 'numbers' | 'media'

export interface CapsuleRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

/** The rows of a capsule, by table. */
export interface CapsuleContent {
  readonly scope: CapsuleScope
  readonly tables: Partial<Record<CapsuleTable, CapsuleRows>>
  /** With `numbers`: the recordings by id, with their positions. */
  readonly positions?: readonly (readonly [id: string, position: number])[]
}

/** A file below `files`. */
export interface NamedFile {
  readonly folder: 'raw' | 'media'
  readonly name: string
}

/** A workout, or part of one, packed before it is changed or deleted. */
export interface PackedRun {
  readonly workoutId: string
  readonly scope: CapsuleScope
  readonly revision: number
  readonly name: string | null
  readonly startedAt: number
  readonly distanceM: number
  readonly durationS: number
  readonly body: Uint8Array
  /** Files that restoring it needs. */
  readonly files: readonly NamedFile[]
}

/**
 * Level of zstd. An hour of running takes about 20 KB, most of it samples that are packed already, so a higher level
 * would gain nothing.
 */
const LEVEL = 1

/** @returns null for an unknown workout */
export function packRun(tx: Tx, workoutId: string, scope: 'whole' | 'numbers'): PackedRun | null {
  const client = tx.$client
  const names = scope === 'whole' ? (Object.keys(CAPSULE_TABLES) as CapsuleTable[]) : NUMBERS
  const tables = Object.fromEntries(names.map((table) => [table, rowsOf(client, table, workoutId)]))
  const run = aboutRun(client, workoutId)
  if (run === null) return null
  const content: CapsuleContent = {
    scope,
    tables,
    ...(scope === 'numbers' ? { positions: positionsOf(client, workoutId) } : {}),
  }
  return { ...run, workoutId, scope, body: packed(content), files: scope === 'whole' ? filesOf(client, workoutId) : [] }
}

/** @returns null for unknown media */
export function packMedia(tx: Tx, workoutId: string, mediaId: string): PackedRun | null {
  const client = tx.$client
  const run = aboutRun(client, workoutId)
  const query = client.query('SELECT * FROM media WHERE id = ?')
  const rows = query.values(mediaId) as Value[][]
  if (run === null || rows.length === 0) return null
  const content: CapsuleContent = { scope: 'media', tables: { media: { columns: query.columnNames, rows } } }
  return { ...run, workoutId, scope: 'media', body: packed(content), files: [{ folder: 'media', name: mediaId }] }
}

type AboutRun = Omit<PackedRun, 'workoutId' | 'scope' | 'body' | 'files'>

function aboutRun(client: Database, id: string): AboutRun | null {
  return client
    .query<AboutRun, [string]>(
      `SELECT revision, name, started_at AS startedAt, distance_m AS distanceM, duration_s AS durationS
       FROM workout WHERE id = ?`,
    )
    .get(id)
}

function rowsOf(client: Database, table: CapsuleTable, workoutId: string): CapsuleRows {
  const query = client.query(`SELECT * FROM ${table} WHERE ${CAPSULE_TABLES[table]}`)
  const rows = query.values(workoutId) as Value[][]
  return { columns: query.columnNames, rows }
}

function positionsOf(client: Database, workoutId: string): [string, number][] {
  const query = client.query('SELECT id, position FROM recording WHERE workout_id = ? ORDER BY seq')
  return query.values(workoutId) as [string, number][]
}

/** The stored files that a workout names. */
export function filesOf(client: Database, workoutId: string): NamedFile[] {
  return client
    .query<NamedFile, [string]>(
      `SELECT 'raw' AS folder, stored_as AS name FROM recording WHERE workout_id = ?1 AND stored_as IS NOT NULL
       UNION SELECT 'raw', id || '.json.zst' FROM recording WHERE workout_id = ?1 AND has_raw
       UNION SELECT 'raw', recording_id FROM repair WHERE workout_id = ?1 AND recording_id IS NOT NULL
       UNION SELECT 'media', id FROM media WHERE workout_id = ?1`,
    )
    .all(workoutId)
}

/** Reference to a blob: its position after the text, and its length. */
interface BlobPlace {
  readonly blob: readonly [at: number, length: number]
}

function packed({ tables, ...content }: CapsuleContent): Uint8Array {
  const blobs: Uint8Array[] = []
  let end = 0
  const placed = (value: Value): Exclude<Value, Uint8Array> | BlobPlace => {
    if (!(value instanceof Uint8Array)) return value
    blobs.push(value)
    end += value.length
    return { blob: [end - value.length, value.length] }
  }
  const texts = Object.entries(tables).map(([name, { columns, rows }]) => {
    return [name, { columns, rows: rows.map((row) => row.map(placed)) }] as const
  })
  const json = new TextEncoder().encode(JSON.stringify({ ...content, tables: Object.fromEntries(texts) }))
  const plain = new Uint8Array(4 + json.length + end)
  new DataView(plain.buffer).setUint32(0, json.length, true)
  plain.set(json, 4)
  let at = 4 + json.length
  for (const blob of blobs) {
    plain.set(blob, at)
    at += blob.length
  }
  return Bun.zstdCompressSync(plain, { level: LEVEL })
}

/** @throws Error for bytes that are not a capsule */
export function unpackRun(body: Uint8Array): CapsuleContent {
  const plain = Bun.zstdDecompressSync(body)
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0, true)
  const blobs = plain.subarray(4 + length)
  const content = JSON.parse(new TextDecoder().decode(plain.subarray(4, 4 + length))) as CapsuleContent
  const unplaced = (value: Value | BlobPlace): Value => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    const [at, size] = value.blob
    return blobs.slice(at, at + size)
  }
  const tables = Object.entries(content.tables).map(([name, { columns, rows }]) => {
    return [name, { columns, rows: rows.map((row) => row.map(unplaced)) }] as const
  })
  return { ...content, tables: Object.fromEntries(tables) }
}

/**
 * Inserts rows by column names; from an older schema only the columns that still exist.
 * @param schemaVersion of the database that the rows come from
 */
export function insertRows(
  tx: Tx,
  table: CapsuleTable,
  { columns, rows }: CapsuleRows,
  schemaVersion: number = SCHEMA_VERSION,
): void {
  if (rows.length === 0) return
  const client = tx.$client
  const known = schemaVersion === SCHEMA_VERSION ? null : new Set(columnsOf(client, table))
  const places = [...columns.keys()].filter((place) => known === null || known.has(columns[place]!))
  const names = places.map((place) => `"${columns[place]}"`).join(', ')
  const insert = client.query(`INSERT INTO ${table} (${names}) VALUES (${places.map(() => '?').join(', ')})`)
  for (const row of rows) insert.run(...places.map((place) => row[place] ?? null))
}

function columnsOf(client: Database, table: CapsuleTable): string[] {
  const rows = client.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)').all(table)
  return rows.map(({ name }) => name)
}
