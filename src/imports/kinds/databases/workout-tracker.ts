import { basename } from 'node:path'
import {
  columns,
  type ForeignDatabase,
  type ForeignRow,
  type ForeignRows,
  type ForeignTable,
  openForeign,
} from '../../../db/foreign.ts'
import { fileTime } from '../../../engine/calendar/timestamp.ts'
import { NO_TOTALS } from '../../../engine/numbers.ts'
import { FormatError } from '../../../formats/format.ts'
import { isRunName } from '../../../formats/health/names.ts'
import { amountOf, kcalOf, nameOf, notesOf } from '../../../formats/service-run.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type TakeoutSource, type Told, type Unpacking } from '../kind.ts'
import { totalsItem, warnOnce } from '../services/rows.ts'
import { itemOrError, orNull, refusalOf, slicesOf } from './database.ts'

/** workout-tracker: the database of the service, in which each workout has the file that was uploaded. */
export const workoutTracker: TakeoutKind = {
  origin: 'workout_tracker',
  listed: 'workout-tracker',
  recognises: async (source) => (await source.database())?.tables.has('gpx_data') === true,
  items,
}

const WORDS = columns('text', 'name', 'notes')
const FILE = { filename: 'text', content: 'bytes' } as const
const FILE_LENGTH = columns('length', 'content')
const TOTALS = columns(
  'number',
  ...(['total_distance', 'total_duration', 'pause_duration', 'total_up', 'total_down', 'total_calories'] as const),
)
const MOST_WORKOUTS = 50_000
const MOST_SHOES = 1000
const NANOSECONDS = 1e-9

/** @throws FormatError when it has no workouts */
async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const found = await source.database()
  if (found === null) return
  const failed = warnOnce(found.filename, unpacking)
  try {
    using database = openForeign(found.path)
    const workouts = await workoutsIn(database, failed)
    const own = ofOneUser(workouts, found.filename, unpacking)
    const runs = own.filter(isRun)
    unpacking.expect(runs.length)
    let isFileLost = false
    const fileFailed = (message: string) => {
      isFileLost = true
      failed(message)
    }
    const linksIn = (table: string, name: LinkColumn, warned = failed) =>
      linksOf(database.table(table), name, { workouts: runs, failed: warned })
    const files = await linksIn('gpx_data', 'id', fileFailed)
    const parts: Parts = {
      source,
      words: database.table('workouts')?.read(WORDS),
      contents: database.table('gpx_data')?.read(FILE),
      lengths: database.table('gpx_data')?.read(FILE_LENGTH),
      maps: database.table('map_data')?.read(TOTALS),
      files,
      isFileLost,
      warn: unpacking.warn,
      totals: await linksIn('map_data', 'id'),
      shoes: await linksIn('workout_equipment', 'equipment_id'),
      gear: await gearIn(database, { failed, shoe: unpacking.shoe }),
    }
    for (const workout of runs) yield await itemOrError(`workout-${workout.rowid}`, () => itemOf(parts, workout))
    const others = own.filter((workout) => !isRun(workout))
    for (const workout of others) yield { sport: sportWord(workout.custom || workout.type) }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** What is kept of each workout; words are read again when it is its turn. */
interface Workout {
  readonly rowid: number
  readonly user: number
  readonly date: string
  readonly type: string
  readonly custom: string
}

/** Where the service recognised no type, `auto`, the file may state it. */
function isRun({ type, custom }: Workout): boolean {
  return type === 'running' || type === 'auto' || (type === 'other' && isRunName(custom))
}

async function workoutsIn(database: ForeignDatabase, failed: (message: string) => void): Promise<readonly Workout[]> {
  const workouts: Workout[] = []
  const wanted = { ...columns('number', 'user_id'), ...columns('word', 'date', 'type', 'custom_type', 'deleted_at') }
  let damage: string | null = null
  const cut = (message: string) => {
    damage = message
  }
  for await (const slice of slicesOf(database.table('workouts'), wanted, cut)) {
    for (const { rowid, user_id: user, date, type, custom_type: custom, deleted_at: deleted } of slice) {
      const words = { date: date ?? '', type: type ?? '', custom: custom ?? '' }
      if (deleted === null) workouts.push({ rowid, user: user ?? 0, ...words })
    }
    if (workouts.length > MOST_WORKOUTS) throw new FormatError(`The database has more than ${MOST_WORKOUTS} workouts`)
  }
  if (workouts.length === 0) throw new FormatError(damage ?? 'The workout-tracker database has no workouts')
  if (damage !== null) failed(`${damage}: not all workouts could be read`)
  return workouts.toSorted((a, b) => fileTime(a.date) - fileTime(b.date))
}

/** Several people may use one tracker, but a log is of one runner. */
function ofOneUser(workouts: readonly Workout[], filename: string, { warn }: Unpacking): readonly Workout[] {
  const runsOf = (own: readonly Workout[]) => own.filter(isRun).length
  const users = [...Map.groupBy(workouts, ({ user }) => user).values()].toSorted(
    (a, b) => runsOf(b) - runsOf(a) || b.length - a.length,
  )
  const [own = [], ...others] = users
  const left = others.reduce((sum, { length }) => sum + length, 0)
  if (left > 0) {
    const whose = `${users.length} users; those of the one with most runs were imported, others left out: ${left}`
    warn({ filename, message: `The database has workouts of ${whose}` })
  }
  return own
}

type LinkColumn = 'id' | 'equipment_id'

/** What a table names for each of the workouts, first come; what was removed is still in it. */
async function linksOf(
  table: ForeignTable | null,
  name: LinkColumn,
  { workouts, failed }: { readonly workouts: readonly Workout[]; readonly failed: (message: string) => void },
): Promise<ReadonlyMap<number, number>> {
  const wanted = new Set(workouts.map(({ rowid }) => rowid))
  const links = new Map<number, number>()
  const read = { ...columns('number', 'workout_id', name), ...columns('word', 'deleted_at') }
  for await (const slice of slicesOf(table, read, failed)) {
    for (const row of slice) {
      if (row.deleted_at !== null) continue
      const [workout, linked] = [row.workout_id ?? Number.NaN, row[name] ?? Number.NaN]
      if (wanted.has(workout) && !links.has(workout)) links.set(workout, linked)
    }
  }
  return links
}

/** Names of equipment by its number; what is worn on runs are shoes. */
async function gearIn(
  database: ForeignDatabase,
  { failed, shoe }: Pick<Unpacking, 'shoe'> & { readonly failed: (message: string) => void },
) {
  const names = new Map<number, string>()
  const read = { ...columns('word', 'name', 'deleted_at'), ...columns('number', 'active') }
  for await (const slice of slicesOf(database.table('equipment'), read, failed)) {
    for (const { rowid, name, deleted_at: deleted, active } of slice) {
      const shown = nameOf(name)
      if (shown === null || names.size >= MOST_SHOES) continue
      names.set(rowid, shown)
      shoe(shown, deleted !== null ? fileTime(deleted) : active === 0 ? Number.NaN : null)
    }
  }
  return names
}

interface Parts extends Pick<Unpacking, 'warn'> {
  readonly source: TakeoutSource
  readonly words: ForeignRows<typeof WORDS> | undefined
  readonly contents: ForeignRows<typeof FILE> | undefined
  readonly maps: ForeignRows<typeof TOTALS> | undefined
  readonly lengths: ForeignRows<typeof FILE_LENGTH> | undefined
  readonly files: ReadonlyMap<number, number>
  /** Whether there may be more files than were found. */
  readonly isFileLost: boolean
  readonly totals: ReadonlyMap<number, number>
  readonly shoes: ReadonlyMap<number, number>
  readonly gear: ReadonlyMap<number, string>
}

async function itemOf(parts: Parts, { rowid, date, type }: Workout): Promise<Item> {
  const { source, words, contents, maps, files, totals, shoes, gear } = parts
  const { name: title, notes } = orNull(() => words?.at(rowid)) ?? { name: null, notes: null }
  const row = files.get(rowid)
  const stored = row === undefined ? null : orNull(() => contents?.at(row))
  const filename = basename(stored?.filename ?? '') || `workout-${rowid}`
  const name = nameOf(title)
  const told: Told = {
    ...NOTHING_TOLD,
    name,
    // without a name in the file, the service takes that of the file
    isAutoName: name !== null && filename.startsWith(name),
    notes: notesOf(notes),
    gear: gear.get(shoes.get(rowid) ?? Number.NaN) ?? null,
  }
  if (stored?.content && stored.content.length > 0)
    return { filename, told, file: await source.written(stored.content) }
  const why = lossOf(parts, rowid, stored !== null)
  if (why !== null) parts.warn({ filename, message: `The file of the run ${why}` })
  if (type === 'auto') return { sport: 'other' }
  const found = totals.get(rowid)
  const map = found === undefined ? null : (orNull(() => maps?.at(found)) ?? null)
  return totalsItem({ name: filename, told, startedAtMs: fileTime(date), totals: totalsOf(map) })
}

/** Why the content of a file is missing, null: none was stored. */
function lossOf({ files, lengths, isFileLost }: Parts, workout: number, isRead: boolean): string | null {
  const row = files.get(workout)
  if (row === undefined) return isFileLost ? 'was not found in the damaged database' : null
  if (!isRead) return 'is damaged in the database'
  return (orNull(() => lengths?.at(row))?.content ?? 0) > 0 ? 'is larger than 32 MiB and was left out' : null
}

function totalsOf(map: ForeignRow<typeof TOTALS> | null) {
  const elapsedS = amountOf(map?.total_duration, NANOSECONDS)
  const pausedS = amountOf(map?.pause_duration, NANOSECONDS) ?? 0
  return {
    ...NO_TOTALS,
    elapsedS,
    movingS: elapsedS !== null && pausedS < elapsedS ? elapsedS - pausedS : null,
    distanceM: amountOf(map?.total_distance),
    elevGainM: amountOf(map?.total_up),
    elevLossM: amountOf(map?.total_down),
    caloriesKcal: kcalOf(map?.total_calories),
  }
}
