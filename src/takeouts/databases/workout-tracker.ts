import { basename } from 'node:path'
import {
  columns,
  type ForeignDatabase,
  type ForeignRow,
  type ForeignRows,
  type ForeignTable,
  openForeign,
} from '../../db/foreign.ts'
import { fileTime } from '../../engine/calendar/timestamp.ts'
import { NO_TOTALS } from '../../engine/numbers.ts'
import { FormatError } from '../../formats/format.ts'
import { isRunName } from '../../formats/health/names.ts'
import { amountOf, kcalOf, nameOf, notesOf } from '../../formats/service-run.ts'
import { sportWord } from '../../formats/sport-words.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type TakeoutSource, type Told, type Unpacking } from '../kind.ts'
import { totalsItem, warnOnce } from '../services/rows.ts'
import { itemOrError, refusalOf, slicesOf } from './database.ts'

/** workout-tracker: the database of the service, in which each workout has the file that was uploaded. */
export const workoutTracker: TakeoutKind = {
  origin: 'workout_tracker',
  listed: 'workout-tracker',
  recognises: async (source) => (await source.database())?.tables.has('gpx_data') === true,
  items,
}

const WORDS = columns('text', 'name', 'notes')
const FILE = { filename: 'text', content: 'bytes' } as const
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
    const linksIn = (table: string, name: string) => linksOf(database.table(table), name, { workouts: runs, failed })
    const parts: Parts = {
      source,
      words: database.table('workouts')?.read(WORDS),
      contents: database.table('gpx_data')?.read(FILE),
      maps: database.table('map_data')?.read(TOTALS),
      files: await linksIn('gpx_data', 'id'),
      totals: await linksIn('map_data', 'id'),
      shoes: await linksIn('workout_equipment', 'equipment_id'),
      gear: await gearIn(database, failed),
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

/** Where the service recognised no type, the file may state it. */
function isRun({ type, custom }: Workout): boolean {
  return type === 'running' || type === 'auto' || (type === 'other' && isRunName(custom))
}

async function workoutsIn(database: ForeignDatabase, failed: (message: string) => void): Promise<readonly Workout[]> {
  const workouts: Workout[] = []
  const wanted = { ...columns('number', 'user_id'), ...columns('text', 'date', 'type', 'custom_type', 'deleted_at') }
  let damage: string | null = null
  const cut = (message: string) => {
    damage = message
  }
  for await (const slice of slicesOf(database.table('workouts'), wanted, cut)) {
    for (const { rowid, user_id: user, date, type, custom_type: custom, deleted_at: deleted } of slice) {
      const words = {
        date: (date ?? '').slice(0, 40),
        type: (type ?? '').slice(0, 40),
        custom: (custom ?? '').slice(0, 40),
      }
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
  const users = [...Map.groupBy(workouts, ({ user }) => user).values()].toSorted((a, b) => b.length - a.length)
  const [own = [], ...others] = users
  const left = others.reduce((sum, { length }) => sum + length, 0)
  if (left > 0) {
    const whose = `${users.length} users; those of the one with most of them were imported, others left out: ${left}`
    warn({ filename, message: `The database has workouts of ${whose}` })
  }
  return own
}

/** What a table names for each of the workouts, first come. */
async function linksOf(
  table: ForeignTable | null,
  name: string,
  { workouts, failed }: { readonly workouts: readonly Workout[]; readonly failed: (message: string) => void },
): Promise<ReadonlyMap<number, number>> {
  const wanted = new Set(workouts.map(({ rowid }) => rowid))
  const links = new Map<number, number>()
  for await (const slice of slicesOf(table, columns<'number', string>('number', 'workout_id', name), failed)) {
    for (const row of slice) {
      const [workout, linked] = [row.workout_id ?? Number.NaN, row[name] ?? Number.NaN]
      if (wanted.has(workout) && !links.has(workout)) links.set(workout, linked)
    }
  }
  return links
}

/** Names of equipment by its number; what is worn on runs are shoes. */
async function gearIn(database: ForeignDatabase, failed: (message: string) => void) {
  const names = new Map<number, string>()
  for await (const slice of slicesOf(database.table('equipment'), columns('text', 'name'), failed)) {
    for (const { rowid, name } of slice) {
      const shown = nameOf(name)
      if (shown !== null && names.size < MOST_SHOES) names.set(rowid, shown)
    }
  }
  return names
}

interface Parts {
  readonly source: TakeoutSource
  readonly words: ForeignRows<typeof WORDS> | undefined
  readonly contents: ForeignRows<typeof FILE> | undefined
  readonly maps: ForeignRows<typeof TOTALS> | undefined
  readonly files: ReadonlyMap<number, number>
  readonly totals: ReadonlyMap<number, number>
  readonly shoes: ReadonlyMap<number, number>
  readonly gear: ReadonlyMap<number, string>
}

async function itemOf(parts: Parts, { rowid, date }: Workout): Promise<Item> {
  const { source, words, contents, maps, files, totals, shoes, gear } = parts
  const { name: title, notes } = words?.at(rowid) ?? { name: null, notes: null }
  const row = files.get(rowid)
  const stored = row === undefined ? null : contents?.at(row)
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
  const found = totals.get(rowid)
  const map = found === undefined ? null : (maps?.at(found) ?? null)
  return totalsItem({ name: filename, told, startedAtMs: fileTime(date), totals: totalsOf(map) })
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
