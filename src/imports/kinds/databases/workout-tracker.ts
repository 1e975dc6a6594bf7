import { basename } from 'node:path'
import { columns, type ForeignDatabase, type ForeignRow, type ForeignTable, openForeign } from '../../../db/foreign.ts'
import { fileTime } from '../../../engine/calendar/timestamp.ts'
import { MOST_SHOES } from '../../../engine/limits.ts'
import { NO_TOTALS } from '../../../engine/numbers.ts'
import { FormatError } from '../../../formats/format.ts'
import { isRunName } from '../../../formats/health/names.ts'
import { amountOf, kcalOf, nameOf, notesOf } from '../../../formats/service-run.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type Told, type Unpacking } from '../kind.ts'
import { totalsItem } from '../services/rows.ts'
import { itemOrError, refusalOf, slicesOf, type TakeoutSource } from '../source.ts'

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
const NANOSECONDS = 1e-9

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const found = await source.database()
  if (found === null) return
  try {
    using database = openForeign(found.path)
    const workouts = await workoutsIn(database)
    const own = ofOneUser(workouts, found.filename, unpacking)
    const runs = own.filter(isRun)
    const itemOf = await itemsIn(database, runs, { source, unpacking })
    unpacking.expect(runs.length)
    for (const workout of runs) yield await itemOrError(`workout-${workout.rowid}`, () => itemOf(workout))
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

async function workoutsIn(database: ForeignDatabase): Promise<readonly Workout[]> {
  const workouts: Workout[] = []
  const wanted = { ...columns('number', 'user_id'), ...columns('word', 'date', 'type', 'custom_type', 'deleted_at') }
  for await (const slice of slicesOf(database.table('workouts'), wanted)) {
    for (const { rowid, user_id: user, date, type, custom_type: custom, deleted_at: deleted } of slice) {
      const words = { date: date ?? '', type: type ?? '', custom: custom ?? '' }
      if (deleted === null) workouts.push({ rowid, user: user ?? 0, ...words })
    }
    if (workouts.length > MOST_WORKOUTS) throw new FormatError(`The database has more than ${MOST_WORKOUTS} workouts`)
  }
  if (workouts.length === 0) throw new FormatError('The workout-tracker database has no workouts')
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
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, number>> {
  const links = new Map<number, number>()
  const read = { ...columns('number', 'workout_id', name), ...columns('word', 'deleted_at') }
  for await (const slice of slicesOf(table, read)) {
    for (const row of slice) {
      if (row.deleted_at !== null) continue
      const [workout, linked] = [row.workout_id ?? Number.NaN, row[name] ?? Number.NaN]
      if (wanted.has(workout) && !links.has(workout)) links.set(workout, linked)
    }
  }
  return links
}

/** Names of equipment by its number; what is worn on runs are shoes. */
async function gearIn(database: ForeignDatabase, { shoe }: Pick<Unpacking, 'shoe'>) {
  const names = new Map<number, string>()
  const read = { ...columns('word', 'name', 'deleted_at'), ...columns('number', 'active') }
  for await (const slice of slicesOf(database.table('equipment'), read)) {
    for (const { rowid, name, deleted_at: deleted, active } of slice) {
      const shown = nameOf(name)
      if (shown === null || names.size >= MOST_SHOES) continue
      names.set(rowid, shown)
      shoe(shown, deleted !== null ? fileTime(deleted) : active === 0 ? Number.NaN : null)
    }
  }
  return names
}

/** Makes the item of a run, with the file that was uploaded or from its totals. */
async function itemsIn(
  database: ForeignDatabase,
  runs: readonly Workout[],
  { source, unpacking }: { readonly source: TakeoutSource; readonly unpacking: Unpacking },
) {
  const wanted = new Set(runs.map(({ rowid }) => rowid))
  const linksIn = (table: string, name: LinkColumn) => linksOf(database.table(table), name, wanted)
  const words = database.table('workouts')?.read(WORDS)
  const contents = database.table('gpx_data')?.read(FILE)
  const lengths = database.table('gpx_data')?.read(FILE_LENGTH)
  const maps = database.table('map_data')?.read(TOTALS)
  const files = await linksIn('gpx_data', 'id')
  const totals = await linksIn('map_data', 'id')
  const shoes = await linksIn('workout_equipment', 'equipment_id')
  const gear = await gearIn(database, unpacking)
  return async ({ rowid, date, type }: Workout): Promise<Item> => {
    const { name: title, notes } = words?.at(rowid) ?? { name: null, notes: null }
    const row = files.get(rowid) ?? Number.NaN
    const stored = contents?.at(row)
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
    if ((lengths?.at(row)?.content ?? 0) > 0)
      unpacking.warn({ filename, message: 'The file of the run is larger than 32 MiB and was left out' })
    if (type === 'auto') return { sport: 'other' }
    const map = maps?.at(totals.get(rowid) ?? Number.NaN)
    return totalsItem({ name: filename, told, startedAtMs: fileTime(date), totals: totalsOf(map) })
  }
}

function totalsOf(map: ForeignRow<typeof TOTALS> | null | undefined) {
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
