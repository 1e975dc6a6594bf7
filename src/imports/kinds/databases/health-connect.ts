import { columns, type ForeignDatabase, type ForeignRow, openForeign } from '../../../db/foreign.ts'
import { FormatError } from '../../../formats/format.ts'
import { isRun, SESSION_NAME } from '../../../formats/health-connect/health-connect.ts'
import { APP, PARTS, type PartTable, SESSIONS, sportNamed } from '../../../formats/health-connect/parts.ts'
import { type SportWord, sportWord } from '../../../formats/sport-words.ts'
import type { Item, TakeoutKind, Unpacking } from '../kind.ts'
import { MORE_RECORDS, RunSpool } from '../run-spool.ts'
import { createRunTimes } from '../run-times.ts'
import { itemOrError, refusalOf, slicesOf, type TakeoutSource } from '../source.ts'

/** Health Connect of Android: sessions, and beside them what all apps recorded at any time, in one database. */
export const healthConnect: TakeoutKind = {
  origin: 'health_connect',
  listed: 'Health Connect',
  recognises: async (source) => (await source.database())?.tables.has(SESSIONS) === true,
  items,
}

/** Two a day for 60 years. */
const MOST_RUNS = 50_000
/** Largest distance from 1970 that a date can have, milliseconds. */
const MOST_MS = 8.64e15
const ID_BYTES = 64
const SESSION = {
  uuid: 'bytes',
  ...columns('number', 'start_time', 'end_time', 'start_zone_offset', 'exercise_type'),
  ...columns('text', 'title', 'notes'),
  ...columns('number', 'session_rate_of_perceived_exertion', APP, 'device_info_id'),
} as const
const DEVICE = columns('text', 'manufacturer', 'model')

interface Session {
  readonly rowid: number
  readonly startMs: number
  readonly endMs: number
}

const PARTS_OF_RUN = Object.keys(PARTS).length
/** Of one run; those of a day have 10 MB. */
const MOST_RUN_BYTES = 32 * 1_048_576

interface Spooling extends Pick<Unpacking, 'signal'> {
  readonly sessions: readonly Session[]
  readonly spool: RunSpool
}

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const found = await source.database()
  if (found === null) return
  const spool = await RunSpool.open(source.tmpDir)
  try {
    using database = openForeign(found.path)
    const { sessions, sports, timeless } = await sessionsIn(database)
    if (sessions.length + sports.length + timeless === 0) {
      throw new FormatError('The Health Connect backup has no workouts, only other health data', { problem: 'noRun' })
    }
    unpacking.expect(sessions.length + timeless)
    const tooLong = await spoolParts(database, { sessions, spool, signal: unpacking.signal })
    const parts = partsIn(database, spool)
    for (const [run, session] of sessions.entries()) {
      const filename = `run_${new Date(session.startMs).toISOString().slice(0, 19).replaceAll(':', '-')}.zip`
      if (tooLong.has(run)) unpacking.warn({ filename, message: MORE_RECORDS })
      const packed = async () => await source.packed(await parts(session, run))
      yield await itemOrError(filename, async () => ({ filename, told: null, file: await packed() }))
    }
    for (let k = 0; k < timeless; k += 1) yield { filename: SESSIONS, error: 'The times of the run cannot be read' }
    for (const sport of sports) yield { sport }
  } catch (error) {
    throw refusalOf(error)
  } finally {
    await spool.close()
  }
}

/** The runs by their starts, the sports of other sessions, and how many runs have no times. */
async function sessionsIn(database: ForeignDatabase) {
  const sessions: Session[] = []
  const sports: SportWord[] = []
  let timeless = 0
  const wanted = { ...columns('number', 'exercise_type', 'start_time', 'end_time'), ...columns('text', 'title') }
  for await (const slice of slicesOf(database.table(SESSIONS), wanted)) {
    for (const { rowid, exercise_type: type, start_time: startMs, end_time: endMs, title } of slice) {
      if (!isRun(type ?? 0, title)) sports.push(sportWord(sportNamed(type ?? 0)))
      else if (startMs === null || endMs === null || Math.abs(startMs) > MOST_MS) timeless += 1
      else sessions.push({ rowid, startMs, endMs })
    }
    if (sessions.length + sports.length + timeless > MOST_RUNS)
      throw new FormatError(`The backup has more than ${MOST_RUNS} workouts`)
  }
  return { sessions: sessions.toSorted((a, b) => a.startMs - b.startMs), sports, timeless }
}

/**
 * Writes the rows of other tables that belong to runs to the spool, as lines of CSV, in one pass over each table: most of
 * them have no index by time. The part `k` of the run `n` is at `n * PARTS_OF_RUN + k`.
 * @returns the runs that have more rows than are kept
 */
async function spoolParts(
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
      await spool.flush()
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

function partsIn(database: ForeignDatabase, spool: RunSpool) {
  const sessions = database.table(SESSIONS)?.read(SESSION)
  const devices = database.table('device_info_table')?.read(DEVICE)
  return async ({ rowid }: Session, run: number) => {
    const session = sessions?.at(rowid) ?? null
    const device = devices?.at(session?.device_info_id ?? 0) ?? null
    const files = [
      { name: SESSION_NAME, bytes: Buffer.from(JSON.stringify(session && storedMembers(session, device))) },
    ]
    for (const [number, { table, columns: names, by }] of Object.values(PARTS).entries()) {
      const rows = await spool.bytes(run * PARTS_OF_RUN + number)
      const titles = by === 'session' ? names : [...names, APP]
      if (rows.length > 0)
        files.push({ name: `${table}.csv`, bytes: Buffer.concat([Buffer.from(`${titles}\n`), rows]) })
    }
    return files
  }
}

function storedMembers(
  { rowid: _, uuid, device_info_id: __, ...session }: ForeignRow<typeof SESSION>,
  device: ForeignRow<typeof DEVICE> | null,
) {
  const { manufacturer = null, model = null } = device ?? {}
  const id = uuid === null || uuid.length === 0 || uuid.length > ID_BYTES ? null : Buffer.from(uuid).toString('hex')
  return { uuid: id, ...session, manufacturer, model }
}
