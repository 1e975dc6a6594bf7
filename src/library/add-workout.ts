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

// Stores the files and rows of any new workout: of imports, restores, manual entries and splits.

type WorkoutRow = typeof workouts.$inferInsert
type SplitRow = typeof workoutSplits.$inferInsert

/** Columns that are computed from others. */
type Following = keyof Numbers | keyof WeatherColumns | 'searchText' | 'nameKey' | 'splitsCount' | 'routePreview'

/** A workout with all its parts, ready to be stored. */
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
  /** Absent: it is computed later. */
  readonly training?: PackedTraining
}

/** A new recording. Once stored it does not change, except for its workout and position. */
export type NewRecording = Omit<typeof recordings.$inferInsert, 'workoutId'> & {
  readonly samples: PackedSamples | null
}

export type NewRepair = Omit<typeof repairs.$inferSelect, 'workoutId'>

/** Whether a workout with this id is stored. */
export function workoutExists(tx: Tx, id: string): boolean {
  return isTaken(tx, workouts, id)
}

/** Whether a shoe with this id is stored. */
export function shoeExists(tx: Tx, id: string): boolean {
  return isTaken(tx, shoes, id)
}

type TableOfIds = typeof workouts | typeof shoes | typeof recordings | typeof repairs | typeof workoutSplits

function isTaken(tx: Tx, table: TableOfIds, id: string): boolean {
  return tx.select({ id: table.id }).from(table).where(eq(table.id, id)).get() !== undefined
}

/** The id that an archive gives, or a new one when it is taken. */
export function freeId(tx: Tx, table: TableOfIds, id: string): string {
  return isTaken(tx, table, id) ? Bun.randomUUIDv7() : id
}

/** Files and the rows that name them, stored together or not at all. */
export interface Storing<T extends Inserted> {
  /** Files of new recordings. */
  readonly files: readonly RunFiles[]
  /** Inserts the rows within a transaction; when it throws, only its own rows are rolled back. */
  readonly insert: (tx: Tx) => T
}

export interface Inserted {
  /** false: no row was written, so the files are not needed. */
  readonly isStored: boolean
}

export type Stored<T> = { readonly value: T } | { readonly error: unknown }

/** How long one transaction of several runs may block other requests; the rest goes into the next one. */
const TRANSACTION_MS = 8

/**
 * Stores several runs in order, syncing all file names together and all rows together. Files are written first, so that
 * a crash leaves an unused file and never a row without its file. In any case only files named by a row remain, and a
 * run that cannot be stored does not affect the others.
 * @returns the outcome of each
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
    // lets waiting requests run: a timer comes after them, setImmediate before
    if (waiting.length > 0) await Bun.sleep(0)
  }
  if (outcomes.some(isKept)) await syncLog(db)
  for (const [place, { files }] of group.entries()) {
    if (isKept(outcomes[place])) continue
    // a failed commit may have been written all the same, or a run in the trash has these files
    const unused = files.filter(({ id }) => !isTaken(db, recordings, id) && !isKeptRecording(db, id))
    await Promise.allSettled(unused.map(({ id }) => removeRawFiles(dataDir, id)))
  }
  return outcomes
}

/** Inserts as many as fit into one transaction, at least one. */
function insertFirst<T extends Inserted>(db: Db, group: readonly Storing<T>[]): Stored<T>[] {
  const [first] = group
  if (first === undefined) return []
  const outcomes: Stored<T>[] = []
  if (group.length > 1) {
    try {
      const endMs = performance.now() + TRANSACTION_MS
      db.transaction((tx) => {
        for (const { insert } of group) {
          outcomes.push(apart(tx, insert))
          if (performance.now() >= endMs) break
        }
      })
      return outcomes
    } catch {
      // the transaction failed and nothing was stored: inserting the first run alone shows whether it is at fault
    }
  }
  try {
    return [{ value: db.transaction(first.insert) }]
  } catch (error) {
    return [{ error }]
  }
}

function isKept(outcome: Stored<Inserted> | undefined): boolean {
  return outcome !== undefined && 'value' in outcome && outcome.value.isStored
}

/**
 * Stores files first, then rows in one transaction, as `storeGroup`.
 * @param files of new recordings
 * @param insert returns false when nothing is to be stored after all
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

/** Stores a workout with all its parts. Runs inside the caller's transaction. */
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

/** A view of the same bytes, not a copy. */
function buffer({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(bytes, byteOffset, byteLength)
}

/** The columns that hold the numbers. */
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
  const blobs = { sketch: buffer(index.sketch), path: buffer(index.path), trace: buffer(index.trace) }
  insertRow(tx, routeIndexes, { workoutId, startedAt: startedAtMs, lengthM, ...bounds, ...blobs })
}
