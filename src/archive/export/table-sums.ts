import { orderedJson } from '../../base/json-object.ts'
import { gently } from '../../base/pace.ts'
import type { Tx } from '../../db/open.ts'

/**
 * The tables of what came in and what was decided, with columns that an archive does not have: those of the service, of
 * its receipts and files. Columns that are added later count without being named here.
 */
const TABLES: Readonly<Record<string, { readonly where?: string; readonly without?: readonly string[] }>> = {
  shoe: {},
  truth_mark: {},
  training_goal: {},
  race: {},
  place: {},
  // when they were first stored may be before anything was
  settings: {
    without: ['id', 'archive_id', 'created_at', 'updated_at', 'map_tiles', 'weather_lookups', 'zones_version'],
  },
  training_settings: { without: ['id', 'updated_at'] },
  document: { where: 'body IS NOT NULL', without: ['seq', 'essence', 'gone'] },
  recording: {
    where: 'id IN (SELECT recording_id FROM run_recording WHERE live = 1)',
    without: ['receipt_id', 'stored_as', 'has_raw'],
  },
  samples: { where: 'recording_id IN (SELECT recording_id FROM run_recording WHERE live = 1)' },
  observation: { where: 'run_id IN (SELECT id FROM workout)' },
  media: { where: 'workout_id IN (SELECT id FROM workout)' },
}

type Row = Readonly<Record<string, unknown>>

/**
 * SHA-256 of each table, made of the database itself and not of the rows of the archive: what both their writer and their
 * reader leave out is seen by it alone.
 */
export async function tableSums({ $client }: Tx): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const [table, { where = '1', without = [] }] of Object.entries(TABLES)) {
    const hash = new Bun.CryptoHasher('sha256')
    const rows = $client.query<Row, []>(`SELECT * FROM ${table} WHERE ${where} ORDER BY 1, 2`)
    for (const row of rows.iterate()) {
      for (const [name, value] of Object.entries(row)) {
        if (value === null || without.includes(name)) continue
        hash.update(`\n${name} `).update(value instanceof Uint8Array ? value : textOf(value))
      }
      await gently()
    }
    sums[table] = hash.digest('hex')
  }
  return sums
}

/** As ordered JSON, where it is JSON. */
function textOf(value: unknown): string {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return String(value)
  try {
    return orderedJson(JSON.parse(value))
  } catch {
    return value
  }
}
