import { SCHEMA_VERSION } from '../../db/migrate.ts'
import type { Tx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { duplicateOf } from '../duplicates.ts'
import { enqueueWeather } from '../weather.ts'
import {
  CAPSULE_TABLES,
  type CapsuleContent,
  type CapsuleRows,
  type CapsuleTable,
  insertRows,
  unpackRun,
  type Value,
} from './capsule.ts'
import { type Capsule, forgetCapsule } from './kept.ts'

// Puts the content of a capsule back, in the caller's transaction, and removes the capsule. Computations on the
// workout's old numbers are repeated, and when the capsule's numbers come from an older engine, they are derived again
// at the next start.

type Needs = Pick<Deps, 'config' | 'now'>

const WEATHER = [
  'weather',
  'weather_temperature_c',
  'weather_humidity',
  'weather_precipitation_mm',
  'weather_wind_speed_mps',
  'weather_wind_direction',
  'weather_code',
]

/** The stored workout that is the same run as a deleted one; null: there is none. */
export function storedTwin(tx: Tx, content: CapsuleContent): string | null {
  const run = firstRow(content, 'workout')
  if (run === null) return null
  const same = { startedAtMs: Number(run.started_at), distanceM: Number(run.distance_m), isSummary: false } as const
  const recordings = content.tables.recording
  const files = (recordings?.rows ?? []).map((row) => {
    const { file_sha256: sha256, file_session: session, part_from_ms: part } = named(recordings!, row)
    // a part of a split run shares the file of the first part but is another run
    return typeof sha256 === 'string' && part === null ? { sha256, session: Number(session ?? 0) } : null
  })
  // duplicateOf also finds a run with the same start, duration and distance
  for (const file of files.length === 0 ? [null] : files) {
    const twin = duplicateOf(tx, { ...same, durationS: Number(run.duration_s), file })
    if (twin !== null) return twin.id
  }
  return null
}

/**
 * Puts back a workout that is not stored, with everything that it had.
 * @throws errors of the database when a part of it now belongs to another workout
 */
export function putBackWhole(tx: Tx, capsule: Capsule): void {
  const content = unpackRun(capsule.body)
  insertWhole(tx, content, { capsule, inputsRevision: 0 })
  forgetCapsule(tx, capsule.id)
}

/** Replaces the workout as it is now. @param content of the capsule */
export function swapWhole(tx: Tx, deps: Needs, capsule: Capsule, content: CapsuleContent): void {
  const now = weatherNow(tx, capsule.workoutId)
  tx.$client.query('DELETE FROM workout WHERE id = ?').run(capsule.workoutId)
  insertWhole(tx, content, { capsule, inputsRevision: now.inputsRevision })
  settleWeather(tx, deps, { content, now, workoutId: capsule.workoutId })
  forgetCapsule(tx, capsule.id)
}

/**
 * Replaces the current numbers and the choice of active repairs; recordings and what the runner added stay.
 * @param content of the capsule
 */
export function swapNumbers(tx: Tx, deps: Needs, capsule: Capsule, content: CapsuleContent): void {
  const { workoutId, schemaVersion } = capsule
  const client = tx.$client
  const now = weatherNow(tx, workoutId)
  for (const [table, rows] of tablesOf(content)) {
    if (table === 'workout')
      updateRun(tx, adjustedRun(tx, rows, { capsule, inputsRevision: now.inputsRevision }), capsule)
    else if (table === 'repair') settleRepairs(tx, deps, { workoutId, repairs: rows })
    else {
      client.query(`DELETE FROM ${table} WHERE ${CAPSULE_TABLES[table]}`).run(workoutId)
      insertRows(tx, table, freed(tx, table, rows), schemaVersion)
    }
  }
  setPositions(tx, workoutId, content.positions ?? [])
  settleWeather(tx, deps, { content, now, workoutId })
  forgetCapsule(tx, capsule.id)
}

/** Puts back one photo or video of a stored workout. */
export function putBackMedia(tx: Tx, capsule: Capsule): void {
  const { media } = unpackRun(capsule.body).tables
  if (media !== undefined) insertRows(tx, 'media', media, capsule.schemaVersion)
  forgetCapsule(tx, capsule.id)
}

interface PuttingBack {
  readonly capsule: Capsule
  /** Of the workout as it is now; 0: it is not stored. */
  readonly inputsRevision: number
}

function insertWhole(tx: Tx, content: CapsuleContent, work: PuttingBack): void {
  for (const [table, rows] of tablesOf(content)) {
    const free = table === 'workout' ? adjustedRun(tx, rows, work) : freed(tx, table, rows)
    insertRows(tx, table, free, work.capsule.schemaVersion)
  }
}

/** In the order in which they reference each other. */
function tablesOf({ tables }: CapsuleContent): [CapsuleTable, CapsuleRows][] {
  const names = Object.keys(CAPSULE_TABLES) as CapsuleTable[]
  return names.flatMap((name) => (tables[name] === undefined ? [] : [[name, tables[name]]]))
}

/**
 * Removes a shoe that no longer exists, and raises the revision of the inputs, so that computations with earlier ones
 * are repeated.
 */
function adjustedRun(tx: Tx, rows: CapsuleRows, { capsule, inputsRevision }: PuttingBack): CapsuleRows {
  const isShoe = tx.$client.query('SELECT 1 FROM shoe WHERE id = ?')
  return changed(rows, {
    shoe_id: (id) => (typeof id === 'string' && isShoe.get(id) !== null ? id : null),
    inputs_revision: (own) => Math.max(Number(own), inputsRevision) + 1,
    engine_version: (own) => (capsule.schemaVersion === SCHEMA_VERSION ? own : 0),
  })
}

/** Replaces ids from archives that another row uses by now; leaves out photos that another part of the run has kept. */
function freed(tx: Tx, table: CapsuleTable, rows: CapsuleRows): CapsuleRows {
  if (table === 'media') return notThere(tx, rows)
  if (table !== 'workout_split' && table !== 'archived_best_effort') return rows
  const isTaken = tx.$client.query(`SELECT 1 FROM ${table} WHERE id = ?`)
  const other = () => (table === 'workout_split' ? null : Bun.randomUUIDv7())
  return changed(rows, { id: (id) => (typeof id === 'string' && isTaken.get(id) !== null ? other() : id) })
}

function notThere(tx: Tx, { columns, rows }: CapsuleRows): CapsuleRows {
  const isThere = tx.$client.query('SELECT 1 FROM media WHERE id = ?')
  const place = columns.indexOf('id')
  return { columns, rows: rows.filter((row) => isThere.get(row[place] ?? null) === null) }
}

function changed(
  { columns, rows }: CapsuleRows,
  columnsToChange: Readonly<Record<string, (value: Value) => Value>>,
): CapsuleRows {
  const changes = columns.map((name) => columnsToChange[name])
  const now = (value: Value, place: number) => {
    const change = changes[place]
    return change === undefined ? value : change(value)
  }
  return { columns, rows: rows.map((row) => row.map(now)) }
}

function updateRun(tx: Tx, { columns, rows }: CapsuleRows, { workoutId, schemaVersion }: Capsule): void {
  const client = tx.$client
  const known =
    schemaVersion === SCHEMA_VERSION
      ? columns
      : client
          .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('workout')`)
          .all()
          .map(({ name }) => name)
  const places = [...columns.keys()].filter((place) => known.includes(columns[place]!))
  const sets = places.map((place) => `"${columns[place]}" = ?`).join(', ')
  client
    .query(`UPDATE workout SET ${sets} WHERE id = ?`)
    .run(...places.map((place) => rows[0]![place] ?? null), workoutId)
}

/** Repairs that were active become active again, and newer ones become inactive; none is removed. */
function settleRepairs(
  tx: Tx,
  { now }: Needs,
  { workoutId, repairs }: { readonly workoutId: string; readonly repairs: CapsuleRows },
): void {
  const client = tx.$client
  const undoneAt = new Map(
    repairs.rows.map((row) => {
      const { id, undone_at } = named(repairs, row)
      return [id, undone_at] as const
    }),
  )
  const stored = client.query<{ id: string }, [string]>('SELECT id FROM repair WHERE workout_id = ?').all(workoutId)
  const set = client.query('UPDATE repair SET undone_at = ? WHERE id = ?')
  const undo = client.query('UPDATE repair SET undone_at = coalesce(undone_at, ?) WHERE id = ?')
  for (const { id } of stored) {
    if (undoneAt.has(id)) set.run(undoneAt.get(id) ?? null, id)
    else undo.run(now(), id)
  }
}

function setPositions(tx: Tx, workoutId: string, positions: NonNullable<CapsuleContent['positions']>): void {
  const client = tx.$client
  if (positions.length < 2) return
  // unique positions: two rows may not share one, not even between two statements
  client.query('UPDATE recording SET position = -1 - seq WHERE workout_id = ?').run(workoutId)
  const set = client.query('UPDATE recording SET position = ? WHERE id = ?')
  for (const [id, position] of positions) set.run(position, id)
}

interface WeatherNow {
  readonly inputsRevision: number
  readonly startedAt: number | null
  readonly values: readonly Value[]
  readonly job: CapsuleRows
}

function weatherNow(tx: Tx, workoutId: string): WeatherNow {
  const client = tx.$client
  const row = client.query(`SELECT inputs_revision, started_at, ${WEATHER.join(', ')} FROM workout WHERE id = ?`)
  const [[inputsRevision = 0, startedAt = null, ...values] = []] = row.values(workoutId) as Value[][]
  const jobs = client.query('SELECT * FROM weather_job WHERE workout_id = ?')
  const rows = jobs.values(workoutId) as Value[][]
  return {
    inputsRevision: Number(inputsRevision),
    startedAt: startedAt === null ? null : Number(startedAt),
    values,
    job: { columns: jobs.columnNames, rows },
  }
}

/** Weather that arrived since is kept when the start is the same, else it is looked up again. */
function settleWeather(
  tx: Tx,
  { config, now }: Needs,
  of: { readonly content: CapsuleContent; readonly now: WeatherNow; readonly workoutId: string },
): void {
  const { content, workoutId } = of
  const run = firstRow(content, 'workout')
  if (run === null || run.weather !== null) return
  const client = tx.$client
  client.query('DELETE FROM weather_job WHERE workout_id = ?').run(workoutId)
  if (run.started_at === of.now.startedAt) {
    const sets = WEATHER.map((name) => `${name} = ?`).join(', ')
    client.query(`UPDATE workout SET ${sets} WHERE id = ?`).run(...of.now.values, workoutId)
    insertRows(tx, 'weather_job', of.now.job)
  } else if (config.weatherEnabled && run.route_preview !== null) enqueueWeather(tx, workoutId, now())
}

function firstRow({ tables }: CapsuleContent, table: CapsuleTable): Record<string, Value> | null {
  const rows = tables[table]
  const row = rows?.rows[0]
  return rows === undefined || row === undefined ? null : named(rows, row)
}

function named({ columns }: CapsuleRows, row: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(columns.map((name, place) => [name, row[place] ?? null]))
}
