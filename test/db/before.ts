// Libraries of schema 24, row by row, and packed copies of runs as programs of then kept them.
import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Value = string | number | Uint8Array | null
export type Row = Readonly<Record<string, Value>>

const MIGRATIONS = join(import.meta.dir, '../../src/db/migrations')

/** An empty database as the program of schema 24 made it. */
export function emptyLibrary(path = ':memory:'): Database {
  const client = new Database(path, { create: true, strict: true })
  const files = readdirSync(MIGRATIONS).sort().slice(0, 24)
  for (const file of files) client.run(readFileSync(join(MIGRATIONS, file), 'utf8'))
  client.run('PRAGMA user_version = 24')
  return client
}

export function insert(client: Database, table: string, ...rows: readonly Row[]): void {
  for (const row of rows) {
    const columns = Object.keys(row)
    client
      .query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(row))
  }
}

const CREATED_MS = Date.UTC(2025, 5, 1, 8)

/** A run of half an hour without anything special. */
export function run(id: string, changed: Row = {}): Row {
  return {
    ...{ id, started_at: CREATED_MS - 3_600_000, created_at: CREATED_MS, duration_s: 1800, distance_m: 5000 },
    ...{ avg_pace_s: 360, search_text: '', name_key: '', splits_count: 0, has_time_series_hr: 0, engine_version: 3 },
    ...{ split_unit_m: 1000, route_id: `route of ${id}`, ...changed },
  }
}

export function recording(id: string, workoutId: string, changed: Row = {}): Row {
  return {
    ...{ id, workout_id: workoutId, seq: 0, position: 0, origin: 'upload', kind: 'file', totals: '{}', words: '{}' },
    ...{ started_at: CREATED_MS - 3_600_000, has_raw: 0, has_estimated_times: 0, added_at: CREATED_MS, ...changed },
  }
}

export function samples(recordingId: string, changed: Row = {}): Row {
  const blob = new Uint8Array([1, 2, 3])
  const blobs = { time_hr: blob, track: blob, rest: blob }
  return { recording_id: recordingId, sample_count: 1800, meta: '{}', ...blobs, ...changed }
}

/** @param data its kind, its members, and what it replaced */
export function repair(id: string, workoutId: string, data: Readonly<Record<string, unknown>>, changed: Row = {}): Row {
  const { kind, ...members } = data
  const before = { timeZone: null, utcOffsetMinutes: null, splits: [], efforts: [], ...(data.before ?? {}) }
  const json = JSON.stringify({ zonesBefore: null, ...members, before })
  const row = { id, workout_id: workoutId, seq: 0, kind: String(kind), data: json, undone_at: null, ...changed }
  return { ...row, made_at: CREATED_MS + row.seq }
}

/** A receipt with its items, each made at its place in milliseconds. */
export function leave(client: Database, id: string, madeAt: number, ...items: readonly Row[]): void {
  insert(client, 'receipt', {
    ...{ id, kind: 'edit', actor: 'browser', title: id, counts: '{}', warnings: '[]' },
    ...{ made_at: madeAt, finished_at: madeAt, undo_until: madeAt + 1_000 },
  })
  for (const [seq, item] of items.entries()) insert(client, 'receipt_item', { receipt_id: id, seq, ...item })
}

interface OldCopy {
  /** Absent: `k`. */
  readonly id?: string
  readonly receiptId: string
  readonly madeAt: number
  /** Absent: of a deleted run. */
  readonly scope?: 'whole' | 'numbers' | 'media'
  readonly tables: Readonly<Record<string, readonly Row[]>>
  readonly positions?: readonly (readonly [string, number])[]
}

/** What undoing a change of the run `a` needed. */
export function keepCopy(client: Database, copy: OldCopy): void {
  const { id = 'k', receiptId, madeAt, scope = 'whole', tables, positions } = copy
  const blobs: Uint8Array[] = []
  const placed = (value: Value) => {
    if (!(value instanceof Uint8Array)) return value
    const at = blobs.reduce((sum, blob) => sum + blob.length, 0)
    blobs.push(value)
    return { blob: [at, value.length] }
  }
  const packed = Object.entries(tables).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    return [table, { columns, rows: rows.map((row) => columns.map((column) => placed(row[column] ?? null))) }]
  })
  const json = Buffer.from(
    JSON.stringify({ scope, tables: Object.fromEntries(packed), ...(positions ? { positions } : {}) }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  const body = Bun.zstdCompressSync(Buffer.concat([length, json, ...blobs]), { level: 1 })
  const about = { name: 'Gone', started_at: CREATED_MS, distance_m: 5000, duration_s: 1800 }
  insert(client, 'capsule', {
    ...{ id, workout_id: 'a', receipt_id: receiptId, schema_version: 17, made_at: madeAt },
    is_deleted: scope === 'whole' ? 1 : 0,
    ...{ ...about, bytes: body.length, body },
  })
}
