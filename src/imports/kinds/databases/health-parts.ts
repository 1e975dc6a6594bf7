import { columns, type ForeignDatabase } from '../../../db/foreign.ts'
import { APP, PARTS, type PartTable } from '../../../formats/health-connect/parts.ts'
import type { Unpacking } from '../kind.ts'
import type { RunSpool } from '../run-spool.ts'
import { createRunTimes } from '../run-times.ts'
import { slicesOf } from './database.ts'

/** A session of Health Connect that is a run. */
export interface Session {
  readonly rowid: number
  /** Unix milliseconds. */
  readonly startMs: number
  readonly endMs: number
}

export const PARTS_OF_RUN = Object.keys(PARTS).length
/** Of one run; those of a day have 10 MB. */
const MOST_RUN_BYTES = 32 * 1_048_576

interface Spooling extends Pick<Unpacking, 'signal'> {
  /** By their starts. */
  readonly sessions: readonly Session[]
  readonly spool: RunSpool
}

/**
 * Writes the rows of other tables that belong to runs to the spool, as lines of CSV, in one pass over each table: most of
 * them have no index by time. The part `k` of the run `n` is at `n * PARTS_OF_RUN + k`.
 * @returns the runs that have more rows than are kept
 */
export async function spoolParts(
  database: ForeignDatabase,
  { sessions, spool, signal }: Spooling,
): Promise<ReadonlySet<number>> {
  const times = createRunTimes(sessions)
  const bySession = new Map(sessions.map(({ rowid }, run) => [rowid, [run] as const]))
  const tooLong = new Set<number>()
  const bytesOf = new Float64Array(sessions.length)
  for (const [number, part] of Object.values<PartTable>(PARTS).entries()) {
    const { table, by, parents } = part
    const appOf = parents === undefined ? null : appsIn(database, parents)
    const [from, to] = [part.columns[0], part.columns.at(-2)!]
    const wanted = columns<'number', string>('number', ...part.columns, 'parent_key', APP)
    for await (const slice of slicesOf(database.table(table), wanted)) {
      for (const row of slice) {
        const parent = row.parent_key ?? Number.NaN
        const [start, end] = [row[from] ?? Number.NaN, row[to] ?? Number.NaN]
        const runs = by === 'session' ? bySession.get(parent) : times(start, end)
        if (runs === undefined || runs.length === 0) continue
        const cells = part.columns.map((name) => row[name] ?? '')
        const app = by === 'session' ? '' : `,${(appOf === null ? row[APP] : appOf(parent)) ?? ''}`
        const line = Buffer.from(`${cells.join()}${app}\n`)
        for (const run of runs) {
          bytesOf[run]! += line.length
          if (bytesOf[run]! > MOST_RUN_BYTES) tooLong.add(run)
          else spool.add(run * PARTS_OF_RUN + number, line)
        }
      }
      await spool.settle()
      if (signal.aborted) break
    }
  }
  return tooLong
}

/** The app of a record that has many values; mostly that of the one before. */
function appsIn(database: ForeignDatabase, table: string): (record: number) => number | null {
  const records = database.table(table)?.read(columns('number', APP))
  let last: { readonly record: number; readonly app: number | null } = { record: Number.NaN, app: null }
  return (record) => {
    if (last.record !== record) last = { record, app: records?.at(record)?.[APP] ?? null }
    return last.app
  }
}
