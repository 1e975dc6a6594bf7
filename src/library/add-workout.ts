import { and, between, eq, gt, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import { insertRow } from '../db/insert.ts'
import type { Tx } from '../db/open.ts'
import {
  recordings,
  repairs,
  routeIndexes,
  samples,
  workoutBestEfforts,
  workoutSplits,
  workouts,
} from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import type { Analysis } from '../engine/analysis.ts'
import { eachNumber, type Numbers } from '../engine/numbers.ts'
import { nameKey, searchText } from '../texts.ts'
import type { PackedSamples } from '../workers/pack.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import type { RunFiles } from './files/paths.ts'
import { storeGroup } from './store-group.ts'
import { servedWeather, type WeatherColumns, weatherColumns } from './weather.ts'

// Whether a run is there already, and how a new one is stored: of an import, or as an archive gives it.

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
  readonly calculatedAtMs: number
  readonly routeIndex: RouteIndex | null
  readonly recordings: readonly NewRecording[]
  readonly repairs?: readonly NewRepair[]
}

/** One telling of a run; nothing of it changes once it is stored but whose it is and its position. */
export type NewRecording = Omit<typeof recordings.$inferInsert, 'workoutId'> & {
  readonly samples: PackedSamples | null
}

export type NewRepair = Omit<typeof repairs.$inferSelect, 'workoutId'>

/** What tells a run from others. */
export interface RunIdentity {
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  /** A row of Strava's table without file: any run that started in the same second is the same (CONTRACT 7.3). */
  readonly isSummary: boolean
  /** SHA-256 of the unpacked original and the run's place in it; null without file. */
  readonly file: { readonly sha256: string; readonly session: number } | null
}

const SAME_DISTANCE_M = 1

/**
 * The stored workout that is the same run: same bytes and session, or same start, duration and distance within 1 m; for
 * a summary row, whose date has whole seconds and whose totals are Strava's, the same second.
 */
export function duplicateOf(tx: Tx, run: RunIdentity): { readonly id: string; readonly hasRawFile: boolean } | null {
  const { workoutId, fileSha256, fileSession, fileName, partFromMs } = recordings
  const recorded = tx.select({ id: workoutId }).from(recordings)
  const isSameFile =
    run.file && and(eq(fileSha256, run.file.sha256), eq(fileSession, run.file.session), isNull(partFromMs))
  const same =
    (isSameFile && recorded.where(isSameFile).get()) ??
    tx.select({ id: workouts.id }).from(workouts).where(isSameRun(run)).get()
  if (same === undefined) return null
  const original = tx
    .select({ id: recordings.id })
    .from(recordings)
    .where(and(eq(workoutId, same.id), isNotNull(fileName)))
  return { id: same.id, hasRawFile: original.get() !== undefined }
}

function isSameRun({ startedAtMs, distanceM, durationS, isSummary }: RunIdentity): SQL | undefined {
  if (isSummary) {
    const secondMs = Math.floor(startedAtMs / 1000) * 1000
    return between(workouts.startedAt, secondMs, secondMs + 999)
  }
  return and(
    eq(workouts.startedAt, startedAtMs),
    eq(workouts.durationS, durationS),
    gt(workouts.distanceM, distanceM - SAME_DISTANCE_M),
    lt(workouts.distanceM, distanceM + SAME_DISTANCE_M),
  )
}

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
  if (routeIndex !== null) insertRouteIndex(tx, id, { startedAtMs: row.startedAt, index: routeIndex })
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
  for (const row of rows) insertRow(tx, workoutSplits, row)
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
