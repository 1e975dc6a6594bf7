import { eq } from 'drizzle-orm'
import { apart } from '../db/apart.ts'
import { insertRow } from '../db/insert.ts'
import { commitUnsynced, syncLog } from '../db/log-sync.ts'
import type { Db, Tx } from '../db/open.ts'
import { recordings, repairs, routeIndexes, samples, workoutSplits, workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import { effortWords, workoutBestEfforts } from '../db/schema-efforts.ts'
import type { Deps } from '../deps.ts'
import type { Analysis } from '../engine/analysis.ts'
import { eachNumber, type Numbers } from '../engine/numbers.ts'
import { nameKey, searchText } from '../texts.ts'
import type { PackedSamples } from '../workers/pack.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import type { PackedTraining } from '../workers/training.ts'
import type { EffortWord } from './effort-words.ts'
import { placeRunFiles, type RunFiles, removeRawFiles } from './files/paths.ts'
import { isKeptRecording } from './receipts/kept.ts'
import { storedSplitId } from './row-ids.ts'
import { type LoadChoice, storeChoice } from './training/choices.ts'
import { insertTraining } from './training/rows.ts'
import { servedWeather, type WeatherColumns, weatherColumns } from './weather.ts'

// How a new run is stored: of an import, or as an archive gives it.

type WorkoutRow = typeof workouts.$inferInsert
type SplitRow = typeof workoutSplits.$inferInsert

/** Columns that follow from others. */
type Following = keyof Numbers | keyof WeatherColumns | 'searchText' | 'nameKey' | 'splitsCount' | 'routePreview'

/** A workout with all that belongs to it, ready to be stored. */
export interface NewWorkout {
  readonly row: Omit<WorkoutRow, Following>
  readonly numbers: Numbers
  readonly preview: Analysis['preview']
  readonly splits: readonly SplitRow[]
  readonly bestEfforts: Analysis['bestEfforts']
  readonly effortWords?: readonly EffortWord[]
  readonly calculatedAtMs: number
  readonly routeIndex: RouteIndex | null
  readonly recordings: readonly NewRecording[]
  readonly repairs?: readonly NewRepair[]
  readonly choice?: LoadChoice
  /** Absent: it is filled in later. */
  readonly training?: PackedTraining
}

/** One telling of a run; nothing of it changes once it is stored but whose it is and its position. */
export type NewRecording = Omit<typeof recordings.$inferInsert, 'workoutId'> & {
  readonly samples: PackedSamples | null
}

export type NewRepair = Omit<typeof repairs.$inferSelect, 'workoutId'>

/** True when a workout of this id is stored. */
export function workoutExists(tx: Tx, id: string): boolean {
  return isTaken(tx, workouts, id)
}

/** True when a shoe of this id is stored. */
export function shoeExists(tx: Tx, id: string): boolean {
  return isTaken(tx, shoes, id)
}

type TableOfIds = typeof workouts | typeof shoes | typeof recordings | typeof repairs | typeof workoutSplits

function isTaken(tx: Tx, table: TableOfIds, id: string): boolean {
  return tx.select({ id: table.id }).from(table).where(eq(table.id, id)).get() !== undefined
}

/** The id that an archive gives, or a new one where that is another's. */
export function freeId(tx: Tx, table: TableOfIds, id: string): string {
  return isTaken(tx, table, id) ? Bun.randomUUIDv7() : id
}

/** What is stored together or not at all: files, and rows that name them. */
export interface Storing<T extends Inserted> {
  /** Of new recordings. */
  readonly files: readonly RunFiles[]
  /** Part of a transaction; what it throws takes only its own rows back. */
  readonly insert: (tx: Tx) => T
}

export interface Inserted {
  /** false: no row was written, the files are of no use. */
  readonly isStored: boolean
}

export type Stored<T> = { readonly value: T } | { readonly error: unknown }

/** How long a transaction of several may hold up other requests: another one goes on with the rest. */
const TRANSACTION_MS = 8

/**
 * Stores one after the other, with one look at the disk for all names and one for all rows. Files first, rows after them:
 * a crash leaves an unused file, never a row without its file. Whatever happens, files stay only beside rows that name
 * them, and one that cannot be stored takes nothing away from the others.
 * @returns what became of each
 */
export async function storeGroup<T extends Inserted>(
  { db, config: { dataDir } }: Pick<Deps, 'db' | 'config'>,
  group: readonly Storing<T>[],
): Promise<Stored<T>[]> {
  const failures = await placeRunFiles(
    dataDir,
    group.map(({ files }) => files),
  )
  const outcomes: Stored<T>[] = failures.map((error) => ({ error }))
  let waiting = [...group.keys()].filter((place) => failures[place] === undefined)
  while (waiting.length > 0) {
    const next = waiting.map((place) => group[place]!)
    const stored = commitUnsynced(db, () => insertFirst(db, next))
    for (const [index, outcome] of stored.entries()) outcomes[waiting[index]!] = outcome
    waiting = waiting.slice(stored.length)
    // a turn of timers and sockets: an immediate would come before the requests that wait
    if (waiting.length > 0) await Bun.sleep(0)
  }
  if (outcomes.some(isKept)) await syncLog(db)
  for (const [place, { files }] of group.entries()) {
    if (isKept(outcomes[place])) continue
    // a commit that failed may have come through all the same, or they are those of a run in the trash
    const unused = files.filter(({ id }) => !isTaken(db, recordings, id) && !isKeptRecording(db, id))
    await Promise.allSettled(unused.map(({ id }) => removeRawFiles(dataDir, id)))
  }
  return outcomes
}

/** As many as fit into one transaction, at least one. */
function insertFirst<T extends Inserted>(db: Db, group: readonly Storing<T>[]): Stored<T>[] {
  const [first] = group
  if (first === undefined) return []
  const outcomes: Stored<T>[] = []
  if (group.length > 1) {
    try {
      const endMs = performance.now() + TRANSACTION_MS
      db.transaction(
        (tx) => {
          for (const { insert } of group) {
            outcomes.push(apart(tx, insert))
            if (performance.now() >= endMs) break
          }
        },
        { behavior: 'immediate' },
      )
      return outcomes
    } catch {
      // none of them is stored: the first shows by itself what is wrong, and whether with all
    }
  }
  try {
    return [{ value: db.transaction(first.insert, { behavior: 'immediate' }) }]
  } catch (error) {
    return [{ error }]
  }
}

function isKept(outcome: Stored<Inserted> | undefined): boolean {
  return outcome !== undefined && 'value' in outcome && outcome.value.isStored
}

/**
 * Files first, rows after them in one transaction, as `storeGroup`.
 * @param files of new recordings
 * @param insert false: nothing is stored after all
 */
export async function storeWithFiles(
  deps: Pick<Deps, 'db' | 'config'>,
  files: readonly RunFiles[],
  insert: (tx: Tx) => boolean,
): Promise<boolean> {
  const [stored] = await storeGroup(deps, [{ files, insert: (tx) => ({ isStored: insert(tx) }) }])
  if (stored === undefined || 'error' in stored) throw stored?.error
  return stored.value.isStored
}

/** Stores it with everything that belongs to it. Runs inside the caller's transaction. */
export function insertWorkout(tx: Tx, workout: NewWorkout): void {
  const { row, splits, bestEfforts, routeIndex } = workout
  const { id, name = null, device = null, source = null, weather = null } = row
  insertRow(tx, workouts, {
    ...row,
    ...numberColumns(workout.numbers),
    ...(weather === null ? {} : weatherColumns(servedWeather(weather))),
    searchText: searchText(name, device, source),
    nameKey: nameKey(name),
    splitsCount: splits.length,
    routePreview: previewColumn(workout.preview),
  })
  for (const recording of workout.recordings) insertRecording(tx, id, recording)
  for (const repair of workout.repairs ?? []) insertRow(tx, repairs, { ...repair, workoutId: id })
  insertSplits(tx, splits)
  for (const effort of bestEfforts) {
    insertRow(tx, workoutBestEfforts, { ...effort, calculatedAt: workout.calculatedAtMs, workoutId: id })
  }
  for (const word of workout.effortWords ?? []) insertRow(tx, effortWords, { ...word, workoutId: id })
  if (routeIndex !== null) insertRouteIndex(tx, id, { startedAtMs: row.startedAt, index: routeIndex })
  if (workout.choice !== undefined) storeChoice(tx, id, workout.choice)
  if (workout.training !== undefined) insertTraining(tx, id, workout.training)
}

export function insertRecording(tx: Tx, workoutId: string, { samples: packed, ...row }: NewRecording): void {
  insertRow(tx, recordings, { ...row, workoutId })
  if (packed === null) return
  const { sampleCount, meta, timeHr, track, rest } = packed
  const blobs = { timeHr: buffer(timeHr), track: buffer(track), rest: buffer(rest) }
  insertRow(tx, samples, { recordingId: row.id, sampleCount, meta, ...blobs })
}

/** The same bytes, not a copy. */
function buffer({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(bytes, byteOffset, byteLength)
}

/** The columns of the numbers. */
export function numberColumns(numbers: Numbers) {
  const { hrZoneSeconds } = numbers
  return {
    ...(eachNumber((name) => numbers[name]) as Pick<Numbers, Exclude<keyof Numbers, 'hrZoneSeconds'>>),
    hrZoneSeconds: hrZoneSeconds === null ? null : [...hrZoneSeconds],
  }
}

export function previewColumn(preview: Analysis['preview']): number[][] | null {
  return preview?.map((point) => [...point]) ?? null
}

export function insertSplits(tx: Tx, rows: readonly SplitRow[]): void {
  for (const row of rows) insertRow(tx, workoutSplits, { ...row, id: storedSplitId({ ...row, id: row.id ?? null }) })
}

export function insertRouteIndex(
  tx: Tx,
  workoutId: string,
  { startedAtMs, index }: { readonly startedAtMs: number; readonly index: RouteIndex },
): void {
  const { lengthM, bounds } = index
  const [sketch, path] = [buffer(index.sketch), buffer(index.path)]
  insertRow(tx, routeIndexes, { workoutId, startedAt: startedAtMs, lengthM, ...bounds, sketch, path })
}
