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
  return {
    recording_id: recordingId,
    sample_count: 1800,
    meta: '{}',
    time_hr: blob,
    track: blob,
    rest: blob,
    ...changed,
  }
}

interface OldRepair {
  readonly workoutId: string
  readonly seq: number
  readonly undoneAt?: number
  /** Its kind, its members, and what it replaced. */
  readonly data: Readonly<Record<string, unknown>>
}

export function repair(id: string, { workoutId, seq, undoneAt, data: { kind, ...data } }: OldRepair): Row {
  const before = { timeZone: null, utcOffsetMinutes: null, splits: [], efforts: [] }
  const json = JSON.stringify({ zonesBefore: null, ...data, before: { ...before, ...(data.before ?? {}) } })
  return {
    id,
    workout_id: workoutId,
    seq,
    kind: String(kind),
    data: json,
    made_at: CREATED_MS + seq,
    undone_at: undoneAt ?? null,
  }
}

/** A receipt with its items, each made at its place in milliseconds. */
export function leave(client: Database, id: string, madeAt: number, ...items: readonly Row[]): void {
  const counts = { counts: '{}', warnings: '[]' }
  insert(client, 'receipt', {
    ...{
      id,
      kind: 'edit',
      actor: 'browser',
      title: id,
      made_at: madeAt,
      finished_at: madeAt,
      undo_until: madeAt + 1_000,
      ...counts,
    },
  })
  for (const [seq, item] of items.entries()) insert(client, 'receipt_item', { receipt_id: id, seq, ...item })
}

interface OldCopy {
  readonly id: string
  readonly workoutId: string
  readonly receiptId: string
  readonly madeAt: number
  readonly scope: 'whole' | 'numbers' | 'media'
  readonly tables: Readonly<Record<string, readonly Row[]>>
  readonly isDeleted?: boolean
  readonly positions?: readonly (readonly [string, number])[]
}

export function keepCopy(client: Database, copy: OldCopy): void {
  const { id, workoutId, receiptId, madeAt, scope, tables, isDeleted = false, positions } = copy
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
    ...{
      id,
      workout_id: workoutId,
      receipt_id: receiptId,
      schema_version: 17,
      made_at: madeAt,
      is_deleted: isDeleted ? 1 : 0,
    },
    ...{ ...about, bytes: body.length, body },
  })
}
