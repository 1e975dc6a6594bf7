import { and, count, eq, getTableColumns, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { insertRow, preparedOnce, rowsBy, updateRows } from '../db/prepared.ts'
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
  let written = 0
  const add = (isWritten: boolean) => {
    if (isWritten) written += 1
  }
  if (stored === undefined) {
    insertRow(tx, workouts, row)
    written += 1
  } else {
    const isLost = (before: number, now: number) => before > 0 && now <= 0
    const keepsAll = isLost(stored.distanceM, row.distanceM) || isLost(stored.durationS, row.durationS)
    const kept = keepsAll ? { ...row, ...numberColumns(storedNumbers(stored)) } : row
    add(updateRow(tx, stored, kept))
  }
  written += writeSplits(tx, id, rows.splits)
  written += writeEfforts(tx, id, rows)
  add(writeRoute(tx, row, rows.routeIndex))
  if (rows.routeIndex !== null) written += writeGround(tx, row, rows.ground)
  written += writeChoices(tx, id, body)
  if (rows.training !== undefined) add(writeTraining(tx, id, rows.training))
  return written
}

// prepared, since they are asked for each of many runs

const rowOf = rowsBy(workouts, workouts.id)
const wordsOf = rowsBy(effortWords, effortWords.workoutId)
const choiceOf = rowsBy(trainingChoices, trainingChoices.workoutId)
const effortsOf = rowsBy(workoutBestEfforts, workoutBestEfforts.workoutId)
const archivedOf = rowsBy(archivedBestEfforts, archivedBestEfforts.workoutId)
const routeOf = rowsBy(routeIndexes, routeIndexes.workoutId)
const trainingOf = rowsBy(workoutTrainings, workoutTrainings.workoutId)

/** What `wordColumns` makes; the preview of the route, which takes a while to read, is not among it. */
const { id, name, notes, source, device, runType, rpe, shoeId, searchText, nameKey, leftOut } = workouts
const wordRowOf = preparedOnce((tx) =>
  tx
    .select({ id, name, notes, source, device, runType, rpe, shoeId, searchText, nameKey, leftOut })
    .from(workouts)
    .where(eq(id, sql.placeholder('is')))
    .prepare(),
)

/** Only what differs is written. @returns whether anything does */
function updateRow<T extends { readonly id: string }>(
  tx: Tx,
  stored: T,
  row: Partial<WorkoutRow> & { readonly [name in keyof WorkoutRow]?: name extends keyof T ? unknown : never },
): boolean {
  const other = Object.entries(row).filter(([name, value]) => !Bun.deepEquals(stored[name as keyof T], value ?? null))
  if (other.length === 0) return false
  updateRows(tx, workouts, { set: Object.fromEntries(other), where: { id: stored.id } })
  return true
}

/** Writes what follows from the words and choices of a document alone. */
export function writeWords(tx: Tx, { id, body }: Pick<Run, 'id' | 'body'>): void {
  const stored = wordRowOf(tx).get({ is: id })
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

/** The efforts of a run, by distance. */
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
  let written = 0
  const words = wordsOf(tx).all({ is: workoutId })
  const known = Object.fromEntries(words.map(({ distanceIndex, isRecord }) => [distanceIndex, isRecord]))
  if (!Bun.deepEquals(known, efforts)) {
    tx.delete(effortWords).where(eq(effortWords.workoutId, workoutId)).run()
    for (const [index, isRecord] of Object.entries(efforts)) {
      insertRow(tx, effortWords, { workoutId, distanceIndex: Number(index), isRecord })
    }
    written += 1
  }
  const chosen = choiceOf(tx).get({ is: workoutId })
  const { workoutId: _, ...now } = chosen ?? { workoutId, ...NO_CHOICE }
  if (Bun.deepEquals(now, load)) return written
  tx.delete(trainingChoices).where(eq(trainingChoices.workoutId, workoutId)).run()
  if (!Bun.deepEquals(load, NO_CHOICE)) insertRow(tx, trainingChoices, { workoutId, ...load })
  return written + 1
}

/** Unchanged splits are not written. @returns number of rows that were */
function writeSplits(tx: Tx, workoutId: string, splits: readonly SplitRow[]): number {
  const stored = new Map(
    splitRowsOf(tx)
      .all(workoutId)
      .map((split) => [split.idx, split]),
  )
  let written = 0
  for (const split of splits) {
    const known = stored.get(split.idx)
    const free = { ...split, id: split.id && isSplitTaken(tx, split.id, workoutId) ? null : (split.id ?? null) }
    if (known !== undefined && Bun.deepEquals(known, { ...known, ...free })) continue
    const { idx, ...set } = free
    if (known === undefined) insertRow(tx, workoutSplits, free)
    else updateRows(tx, workoutSplits, { set, where: { workoutId, idx } })
    written += 1
  }
  if (stored.size <= splits.length) return written
  tx.delete(workoutSplits)
    .where(and(eq(workoutSplits.workoutId, workoutId), gte(workoutSplits.idx, splits.length)))
    .run()
  return written + stored.size - splits.length
}

/** An archive may give one id to splits of two runs. */
function isSplitTaken(tx: Tx, id: string, workoutId: string): boolean {
  return tx.$client.query('SELECT 1 FROM workout_split WHERE id = ? AND workout_id <> ?').get(id, workoutId) !== null
}

type StoredSplit = typeof workoutSplits.$inferSelect

/** Prepared and named as the API names them: drizzle would take three times as long for the thousands of a run of days. */
const splitRowsOf = preparedOnce((tx) => {
  const named = Object.entries(getTableColumns(workoutSplits)).map(([name, column]) => `"${column.name}" AS "${name}"`)
  return tx.$client.prepare<StoredSplit, [string]>(
    `SELECT ${named.join(', ')} FROM workout_split WHERE workout_id = ? ORDER BY idx`,
  )
})

/** The splits of a run in the form of the API, by index. */
export function splitObjects(tx: Tx, workoutId: string): Omit<StoredSplit, 'id' | 'workoutId'>[] {
  return splitRowsOf(tx)
    .all(workoutId)
    .map(({ id: _, workoutId: __, ...split }) => split)
}

/** Unchanged efforts are not written. @returns number of rows that were */
function writeEfforts(
  tx: Tx,
  workoutId: string,
  { bestEfforts, archivedEfforts }: Pick<RunRows, 'bestEfforts' | 'archivedEfforts'>,
): number {
  const own = effortsOf(tx).all({ is: workoutId })
  const beside = archivedOf(tx).all({ is: workoutId })
  let written = 0
  const gone = own.filter(({ distanceIndex }) => !bestEfforts.some((effort) => effort.distanceIndex === distanceIndex))
  if (gone.length > 0) {
    const indexes = gone.map(({ distanceIndex }) => distanceIndex)
    const isGone = and(eq(workoutBestEfforts.workoutId, workoutId), inArray(workoutBestEfforts.distanceIndex, indexes))
    tx.delete(workoutBestEfforts).where(isGone).run()
    written += gone.length
  }
  for (const { workoutId: _, distanceIndex, ...effort } of bestEfforts) {
    const known = own.find((one) => one.distanceIndex === distanceIndex)
    if (known !== undefined && Bun.deepEquals(known, { ...known, ...effort })) continue
    if (known === undefined) insertRow(tx, workoutBestEfforts, { ...effort, workoutId, distanceIndex })
    else updateRows(tx, workoutBestEfforts, { set: effort, where: { workoutId, distanceIndex } })
    written += 1
  }
  const byDistance = (a: { distanceIndex: number }, b: { distanceIndex: number }) => a.distanceIndex - b.distanceIndex
  if (Bun.deepEquals(beside.toSorted(byDistance), archivedEfforts.toSorted(byDistance))) return written
  tx.delete(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, workoutId)).run()
  for (const effort of archivedEfforts)
    insertRow(tx, archivedBestEfforts, { ...effort, id: freeEffortId(tx, effort.id) })
  return written + 1
}

/** An archive may give one id to efforts of two runs. */
function freeEffortId(tx: Tx, id: string): string {
  return tx.$client.query('SELECT 1 FROM archived_best_effort WHERE id = ?').get(id) === null ? id : Bun.randomUUIDv7()
}

/** @param index null: the run has no route and gets no row @returns whether it was written */
function writeRoute(tx: Tx, { id: workoutId, startedAt }: WorkoutRow, index: RouteIndex | null): boolean {
  const stored = routeOf(tx).get({ is: workoutId })
  const row = index && {
    workoutId,
    startedAt,
    lengthM: index.lengthM,
    ...index.bounds,
    sketch: buffer(index.sketch),
    path: buffer(index.path),
    trace: buffer(index.trace),
  }
  if (row === null ? stored === undefined : Bun.deepEquals(stored, row)) return false
  if (stored !== undefined) tx.delete(routeIndexes).where(eq(routeIndexes.workoutId, workoutId)).run()
  if (row !== null) insertRow(tx, routeIndexes, row)
  return true
}

/** A view of the same bytes, not a copy. */
export function buffer({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(bytes, byteOffset, byteLength)
}

/** Removes the rows of a run; those of the other tables of numbers go with it. */
export function removeRows(tx: Tx, id: string): void {
  tx.delete(workouts).where(eq(workouts.id, id)).run()
}

/** Writes the weather that a run has now. */
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

/** The ids of some of them. */
export function someOlder(tx: Tx, most: number): string[] {
  const rows = tx.select({ id: workouts.id }).from(workouts).where(IS_OLDER).limit(most).all()
  return rows.map(({ id }) => id)
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

/** Writes the training data of a run where it differs. @returns whether it does */
function writeTraining(tx: Tx, workoutId: string, packed: PackedTraining): boolean {
  const made = Object.entries(packed).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? buffer(value) : value,
  ])
  const row = { ...(Object.fromEntries(made) as typeof workoutTrainings.$inferInsert), workoutId }
  const stored = trainingOf(tx).get({ is: workoutId })
  if (stored !== undefined && Bun.deepEquals(stored, row)) return false
  if (stored !== undefined) tx.delete(workoutTrainings).where(eq(workoutTrainings.workoutId, workoutId)).run()
  insertRow(tx, workoutTrainings, row)
  return true
}
