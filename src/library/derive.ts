import { count, eq, lt } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../db/open.ts'
import { insertRow, rowsBy, updateRows } from '../db/prepared.ts'
import {
  archivedBestEfforts,
  effortWords,
  routeIndexes,
  workoutBestEfforts,
  workoutSplits,
  workouts,
} from '../db/schema.ts'
import { trainingChoices, workoutTrainings } from '../db/schema-training.ts'
import type { BestEffort, Split } from '../engine/analysis.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import type { PackedTraining } from '../workers/training.ts'
import { engineRepairs, type RunDocument, recordingIds } from './documents/run.ts'
import { writeGround } from './ground.ts'
import { recordingsByIds } from './recordings.ts'
import {
  effortRows,
  numberColumns,
  type Run,
  type RunRows,
  type SplitRow,
  splitRows,
  storedNumbers,
  type WorkoutRow,
  wordColumns,
} from './run-rows.ts'
import { NO_CHOICE } from './training/choices.ts'
import { servedWeather, weatherColumns } from './weather.ts'

// The only place that writes the numbers of a run, which run-rows.ts beside it makes. All functions run within the caller's
// transaction.

/**
 * Writes the rows of a run where they differ from the stored ones. A distance or duration is never replaced by zero, nor
 * are numbers that depend on it.
 * @returns number of rows that were written
 */
export function writeRows(tx: Tx, { body }: Pick<Run, 'body'>, rows: RunRows): number {
  const { row } = rows
  const { id } = row
  const stored = rowOf(tx).get({ is: id })
  let written = 1
  if (stored === undefined) insertRow(tx, workouts, row)
  else {
    const isLost = (before: number, now: number) => before > 0 && now <= 0
    const keepsAll = isLost(stored.distanceM, row.distanceM) || isLost(stored.durationS, row.durationS)
    const kept = keepsAll ? { ...row, ...numberColumns(storedNumbers(stored)) } : row
    written = updateRow(tx, stored, kept) ? 1 : 0
  }
  written += writeSplits(tx, id, rows.splits)
  written += writeEfforts(tx, id, rows)
  written += replaceRows(tx, routeIndexes, id, routesOf(tx), routeRows(row, rows.routeIndex))
  if (rows.routeIndex !== null) written += writeGround(tx, row, rows.ground)
  written += writeChoices(tx, id, body)
  if (rows.training !== undefined)
    written += replaceRows(tx, workoutTrainings, id, trainingsOf(tx), [trainingRow(id, rows.training)])
  return written
}

/**
 * Writes the rows of a run in a table where any of them differs, in the order in which they are stored.
 * @param known reads those that are stored
 * @returns how many differ
 */
function replaceRows<T extends SQLiteTable & { readonly workoutId: SQLiteColumn }>(
  tx: Tx,
  table: T,
  workoutId: string,
  known: { all(which: { readonly is: string }): readonly object[] },
  rows: readonly T['$inferInsert'][],
): number {
  const stored = known.all({ is: workoutId })
  const isSame = (row: object, k: number) => Bun.deepEquals(stored[k], { ...stored[k], ...row })
  const differing = Math.max(stored.length, rows.length) - rows.filter(isSame).length
  if (differing === 0) return 0
  if (stored.length > 0) tx.delete(table).where(eq(table.workoutId, workoutId)).run()
  for (const row of rows) insertRow(tx, table, row)
  return differing
}

// prepared, since they are asked for each of many runs

const rowOf = rowsBy(workouts, workouts.id)
const wordsOf = rowsBy(effortWords, effortWords.workoutId)
const choicesOf = rowsBy(trainingChoices, trainingChoices.workoutId)
const effortsOf = rowsBy(workoutBestEfforts, workoutBestEfforts.workoutId)
const archivedOf = rowsBy(archivedBestEfforts, archivedBestEfforts.workoutId)
const splitsOf = rowsBy(workoutSplits, workoutSplits.workoutId)
const routesOf = rowsBy(routeIndexes, routeIndexes.workoutId)
const trainingsOf = rowsBy(workoutTrainings, workoutTrainings.workoutId)

/** Only what differs is written. @returns whether anything does */
function updateRow(tx: Tx, stored: typeof workouts.$inferSelect, row: Partial<WorkoutRow>): boolean {
  const known: Readonly<Record<string, unknown>> = stored
  const other = Object.entries(row).filter(([name, value]) => !Bun.deepEquals(known[name], value ?? null))
  if (other.length === 0) return false
  updateRows(tx, workouts, { set: Object.fromEntries(other), where: { id: stored.id } })
  return true
}

/** Writes what follows from the words and choices of a document alone. */
export function writeWords(tx: Tx, { id, body }: Pick<Run, 'id' | 'body'>): void {
  const stored = rowOf(tx).get({ is: id })
  if (stored !== undefined) updateRow(tx, stored, wordColumns(body, recordingsByIds(tx, recordingIds(body.track))))
  writeChoices(tx, id, body)
}

/**
 * Writes the efforts of a run, with the ids and times that its document states, where they differ.
 * @param efforts absent: the samples give the same ones as before
 * @returns number of rows that were written
 */
export function writeRunEfforts(tx: Tx, run: Run, efforts: readonly BestEffort[] = storedEfforts(tx, run.id)): number {
  return writeEfforts(tx, run.id, effortRows(run, efforts))
}

export function storedEfforts(tx: Tx, workoutId: string): BestEffort[] {
  const rows = effortsOf(tx).all({ is: workoutId })
  const efforts = rows.map(({ distanceIndex, timeMs, startMs, implausibleReason }) => {
    return { distanceIndex, timeMs, startMs, implausibleReason }
  })
  return efforts.sort((a, b) => a.distanceIndex - b.distanceIndex)
}

/** The choices that queries join: of efforts, and of the load. */
function writeChoices(tx: Tx, workoutId: string, { choices = {} }: RunDocument): number {
  const { efforts = {}, load = NO_CHOICE } = choices
  const words = Object.entries(efforts).map(([index, isRecord]) => {
    return { workoutId, distanceIndex: Number(index), isRecord }
  })
  const loads = Bun.deepEquals(load, NO_CHOICE) ? [] : [{ workoutId, ...load }]
  return (
    replaceRows(tx, effortWords, workoutId, wordsOf(tx), words) +
    replaceRows(tx, trainingChoices, workoutId, choicesOf(tx), loads)
  )
}

/** An archive may give one id to splits of two runs. */
function writeSplits(tx: Tx, workoutId: string, splits: readonly SplitRow[]): number {
  const other = tx.$client.query('SELECT 1 FROM workout_split WHERE id = ? AND workout_id <> ?')
  const free = splits.map((split) => {
    const { id = null } = split
    return { ...split, id: id !== null && other.get(id, workoutId) !== null ? null : id }
  })
  return replaceRows(tx, workoutSplits, workoutId, splitsOf(tx), free)
}

export function splitObjects(tx: Tx, workoutId: string): Omit<typeof workoutSplits.$inferSelect, 'id' | 'workoutId'>[] {
  const rows = splitsOf(tx).all({ is: workoutId })
  return rows.map(({ id: _, workoutId: __, ...split }) => split)
}

/** An archive may give one id to efforts of two runs. */
function writeEfforts(
  tx: Tx,
  workoutId: string,
  { bestEfforts, archivedEfforts }: Pick<RunRows, 'bestEfforts' | 'archivedEfforts'>,
): number {
  const other = tx.$client.query('SELECT 1 FROM archived_best_effort WHERE id = ? AND workout_id <> ?')
  const beside = archivedEfforts
    .map((effort) => (other.get(effort.id, workoutId) === null ? effort : { ...effort, id: Bun.randomUUIDv7() }))
    .sort((a, b) => a.distanceIndex - b.distanceIndex)
  return (
    replaceRows(tx, workoutBestEfforts, workoutId, effortsOf(tx), bestEfforts) +
    replaceRows(tx, archivedBestEfforts, workoutId, archivedOf(tx), beside)
  )
}

/** @param index null: the run has no route */
function routeRows({ id: workoutId, startedAt }: WorkoutRow, index: RouteIndex | null) {
  if (index === null) return []
  const { lengthM, bounds, sketch, path, trace } = index
  const blobs = { sketch: buffer(sketch), path: buffer(path), trace: buffer(trace) }
  return [{ workoutId, startedAt, lengthM, ...bounds, ...blobs }]
}

/** A view of the same bytes, not a copy. */
export function buffer({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(bytes, byteOffset, byteLength)
}

/** Removes the rows of a run; those of the other tables of numbers go with it. */
export function removeRows(tx: Tx, id: string): void {
  tx.delete(workouts).where(eq(workouts.id, id)).run()
}

export function writeWeather(tx: Tx, id: string, weather: string | null): void {
  tx.update(workouts)
    .set({ weather, ...weatherColumns(servedWeather(weather)) })
    .where(eq(workouts.id, id))
    .run()
}

const IS_OLDER = lt(workouts.engineVersion, ENGINE_VERSION)

/** Runs of an older engine, which are still to be derived again. */
export function olderRuns(tx: Tx): number {
  return tx.select({ n: count() }).from(workouts).where(IS_OLDER).get()!.n
}

export function someOlder(tx: Tx, most: number) {
  const { id, engineVersion } = workouts
  return tx.select({ id, engineVersion }).from(workouts).where(IS_OLDER).limit(most).all()
}

/** Notes that this engine could not derive the numbers of a run again, which stay as they are. */
export function markUpgraded(tx: Tx, id: string): void {
  tx.update(workouts).set({ engineVersion: ENGINE_VERSION }).where(eq(workouts.id, id)).run()
}

/** Writes the relative effort of a run alone. @param effort null: it has none */
export function writeEffort(tx: Tx, id: string, effort: RelativeEffort | null): void {
  const { relativeEffort = null, zoneSeconds = null } = effort ?? {}
  updateRows(tx, workouts, { set: { relativeEffort, hrZoneSeconds: zoneSeconds && [...zoneSeconds] }, where: { id } })
}

/** Writes splits of another length. @returns their number */
export function writeCut(tx: Tx, run: Run, splits: readonly Split[]): number {
  const stated = recordingsByIds(tx, recordingIds(run.body.track))
  const rows = splitRows(run, { recorded: stated, repairs: engineRepairs(run.body.track), computed: splits })
  writeSplits(tx, run.id, rows)
  updateRows(tx, workouts, { set: { splitsCount: rows.length }, where: { id: run.id } })
  return rows.length
}

function trainingRow(workoutId: string, packed: PackedTraining): typeof workoutTrainings.$inferInsert {
  const made = Object.entries(packed).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? buffer(value) : value,
  ])
  return { ...(Object.fromEntries(made) as typeof workoutTrainings.$inferInsert), workoutId }
}
