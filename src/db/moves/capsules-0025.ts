import type { Database } from 'bun:sqlite'
import { nameOf, type Row, rowOf, type Value } from './before-0025.ts'

/** A packed copy of a run, or of a part of one. */
export interface Capsule {
  readonly scope: 'whole' | 'numbers' | 'media'
  readonly tables: Readonly<Record<string, readonly Row[]>>
  /** Of `numbers`: its recordings by id, with their positions. */
  readonly positions: readonly (readonly [id: string, position: number])[]
}

/** zstd of the length of a JSON text, the text, and the blobs that it names by their place behind it. */
export function unpacked(client: Database, id: string): Capsule | null {
  const found = client.query<{ body: Uint8Array }, [string]>('SELECT body FROM capsule WHERE id = ?').get(id)
  if (found === null) return null
  const plain = Bun.zstdDecompressSync(found.body)
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0, true)
  const blobs = plain.subarray(4 + length)
  const {
    scope,
    tables,
    positions = [],
  } = JSON.parse(new TextDecoder().decode(plain.subarray(4, 4 + length))) as {
    readonly scope: Capsule['scope']
    readonly tables: Readonly<
      Record<string, { readonly columns: readonly string[]; readonly rows: readonly (readonly PackedValue[])[] }>
    >
    readonly positions?: Capsule['positions']
  }
  const unplaced = (value: PackedValue): Value =>
    typeof value === 'object' && value !== null ? blobs.slice(value.blob[0], value.blob[0] + value.blob[1]) : value
  const rows = Object.entries(tables).map(([table, { columns, rows: packed }]) => {
    const named = packed.map((row) => rowOf(columns, row.map(unplaced)))
    return [table, named] as const
  })
  return { scope, positions, tables: Object.fromEntries(rows) }
}

type PackedValue = string | number | null | { readonly blob: readonly [at: number, length: number] }

/** Inserts a row by the columns that the table has now. */
export function insert(client: Database, table: 'recording' | 'samples' | 'media', row: Row): void {
  const columns = client.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)').all(table)
  const known = columns.map(({ name }) => name).filter((name) => row[nameOf(name)] !== undefined)
  const sql = `INSERT INTO ${table} (${known.join(', ')}) VALUES (${known.map(() => '?').join(', ')})`
  client.query(sql).run(...known.map((name) => row[nameOf(name)] ?? null))
}
