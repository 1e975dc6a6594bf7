import { and, eq, getTableColumns, gte, inArray, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { insertRow, updateRows } from '../db/insert.ts'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { routeIndexes, workoutSplits, workouts } from '../db/schema.ts'
import { archivedBestEfforts, effortWords, workoutBestEfforts } from '../db/schema-efforts.ts'
import { trainingChoices } from '../db/schema-training.ts'
import type { Analysis, BestEffort, Split } from '../engine/analysis.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { eachNumber, type Numbers, type Said } from '../engine/numbers.ts'
import { changesEffort, changesSamples, offsetOf, type Repair, restated } from '../engine/repair/repairs.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { nameKey, searchText } from '../texts.ts'
import type { DerivedParts } from '../workers/derive.ts'
import { startMsOf } from '../workers/pack.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import {
  type Asked,
  activeRepairs,
  engineRepairs,
  isJoined,
  isLaterPart,
  plainRepair,
  type RunDocument,
  type RunTrack,
  recordingIds,
  wantedShoe,
} from './documents/run.ts'
import { primaryId, recordingsByIds, type StoredRecording, samplesOf } from './recordings.ts'
import { storedEffortId, storedSplitId } from './row-ids.ts'
import { placeTime, utcOffsetMinutes } from './time-zone.ts'
import { NO_CHOICE } from './training/choices.ts'
import { insertTraining, writeTraining } from './training/rows.ts'
import { observedWeather, servedWeather, weatherColumns } from './weather.ts'

// The only place that writes the numbers of a run: everything in the tables of runs follows from its document, the
// recordings that this names, and what deriving gave. All functions run within the caller's transaction.

/** What deriving a run gives, by whomever: the parsing of an import, the Worker, or an archive. */
export interface Derived extends Pick<DerivedParts, 'routeIndex' | 'firstPosition' | 'hasHeartRate'> {
  readonly analysis: Omit<Analysis, 'routeIndex'>
  /** Absent: it is computed later. */
  readonly training?: DerivedParts['training']
  /** Milliseconds by which repairs moved the start. */
  readonly startShiftMs: number
  /** Absent: this one. */
  readonly engineVersion?: number
}

type WorkoutRow = typeof workouts.$inferInsert
type SplitRow = typeof workoutSplits.$inferInsert

/** The rows of a run. */
export interface RunRows {
  readonly row: WorkoutRow
  readonly splits: readonly SplitRow[]
  readonly bestEfforts: readonly (typeof workoutBestEfforts.$inferInsert)[]
  readonly archivedEfforts: readonly (typeof archivedBestEfforts.$inferInsert)[]
  readonly routeIndex: RouteIndex | null
  readonly training?: DerivedParts['training']
}

/** A run with all that its rows follow from. */
export interface Run {
  readonly id: string
  readonly body: RunDocument
  readonly asked: Asked
}

/** The rows of a run. */
export function runRows(tx: Tx, run: Run, derived: Derived): RunRows {
  const { id, body } = run
  const { analysis, firstPosition, routeIndex, training } = derived
  const told = recordingsByIds(tx, recordingIds(body.track))
  const repairs = engineRepairs(body.track)
  const [first] = told
  if (first === undefined) throw new Error(`The run ${id} names no recording`)
  const startedAt = (isJoined(body.track) ? recordedStart(tx, body.track) : first.startedAt) + derived.startShiftMs
  const splits = splitRows(run, { told, repairs, computed: analysis.splits })
  const weather =
    observedWeather(tx, id, weatherHour(tx, body)) ?? told.find((one) => one.weather !== null)?.weather ?? null
  const efforts = effortRows(run, analysis.bestEfforts)
  return {
    ...efforts,
    splits,
    routeIndex,
    ...(training === undefined ? {} : { training }),
    row: {
      ...wordColumns(tx, body, told),
      id,
      startedAt,
      createdAt: body.createdAt,
      ...numberColumns(completed(analysis, body, repairs)),
      ...placeColumns({ body, told, repairs, firstPosition, startedAt }),
      splitsCount: splits.length,
      routePreview: analysis.preview?.map((point) => [...point]) ?? null,
      hasTimeSeriesHr: derived.hasHeartRate,
      hasRawHr: told.some(({ hasRawHr }) => hasRawHr),
      weather,
      ...weatherColumns(servedWeather(weather)),
      engineVersion: derived.engineVersion ?? ENGINE_VERSION,
    },
  }
}

/** When the samples of the earliest track begin, Unix milliseconds. */
function recordedStart(tx: Tx, track: RunTrack): number {
  if (isJoined(track)) return recordedStart(tx, track.join[0]!)
  const id = primaryId(tx, track)
  const samples = id === null ? null : samplesOf(tx, id)
  if (samples === null) throw new Error('A part of a joined run has no samples')
  return startMsOf(samples)
}

/** The hour whose weather is that of a run: of its start as it was stated, moved by the runner, whatever was cropped. */
export function weatherHour(tx: Tx, { track }: Pick<RunDocument, 'track'>): number {
  const start = (of: RunDocument['track']): number =>
    (isJoined(of) ? start(of.join[0]!) : (recordingsByIds(tx, of.recordings.slice(0, 1))[0]?.startedAt ?? 0)) +
    offsetOf(engineRepairs(of))
  return Math.floor(start(track) / 3_600_000)
}

const WORDS = ['name', 'notes', 'runType', 'rpe', 'source', 'device'] as const
type Word = (typeof WORDS)[number]

/** The words of a run: what the runner said, else what was carried, else the first that a recording states. */
export function settledWords(body: RunDocument, told: readonly Pick<StoredRecording, 'words'>[]) {
  const { words = {}, carried } = body
  const settled = (word: Word) => {
    const said = (words as Partial<Record<Word, unknown>>)[word]
    const kept = carried?.words?.[word]
    return said !== undefined
      ? said
      : kept !== undefined
        ? kept
        : (told.find((one) => one.words[word] !== null)?.words[word] ?? null)
  }
  return Object.fromEntries(WORDS.map((word) => [word, settled(word)])) as Pick<StoredRecording['words'], Word>
}

function wordColumns(tx: Tx, body: RunDocument, told: readonly StoredRecording[]) {
  const words = settledWords(body, told)
  const wantedShoeId = wantedShoe(body)
  return {
    ...words,
    searchText: searchText(words.name, words.device, words.source),
    nameKey: nameKey(words.name),
    wantedShoeId,
    shoeId: wantedShoeId !== null && isShoe(tx, wantedShoeId) ? wantedShoeId : null,
    leftOut: body.choices?.leftOut ?? false,
  }
}

function isShoe(tx: Tx, id: string): boolean {
  return shoeById(tx).get(id) !== null
}

const shoeById = preparedOnce((tx) =>
  tx.$client.prepare<{ n: number }, [string]>('SELECT 1 AS n FROM shoe WHERE id = ?'),
)

interface Placed {
  readonly body: RunDocument
  readonly told: readonly StoredRecording[]
  readonly repairs: readonly Repair[]
  readonly firstPosition: Derived['firstPosition']
  readonly startedAt: number
}

/** The local time: as the runner set it, as it was carried, of the place, or as a recording states it. */
function placeColumns({
  body,
  told,
  repairs,
  firstPosition,
  startedAt,
}: Placed): Pick<WorkoutRow, 'timeZone' | 'utcOffsetMinutes'> {
  const isMoved = repairs.some((repair) => changesSamples(repair) || offsetOf([repair]) !== 0)
  const carried = body.carried?.place
  const said = repairs.findLast((repair) => repair.kind === 'shift' && repair.timeZone !== null)
  const kept = carried ?? {
    timeZone: told.find(({ timeZone }) => timeZone !== null)?.timeZone ?? null,
    utcOffsetMinutes: told.find((one) => one.utcOffsetMinutes !== null)?.utcOffsetMinutes ?? null,
  }
  if (said === undefined && carried !== undefined && !isMoved) return carried
  const place = placeTime(firstPosition, kept.utcOffsetMinutes, startedAt)
  const zone = said?.kind === 'shift' ? said.timeZone : (place.zone ?? kept.timeZone)
  if (zone !== null) return { timeZone: zone, utcOffsetMinutes: utcOffsetMinutes(zone, startedAt) }
  return { timeZone: null, utcOffsetMinutes: place.utcOffsetMinutes }
}

/** Numbers that nothing gives come from what was carried, as far as the runner's own numbers leave it true. */
function completed(analysis: Numbers, { carried }: RunDocument, repairs: readonly Repair[]): Numbers {
  if (carried?.numbers === undefined) return analysis
  const known: Said = repairs.reduce<Said>(withRestated, carried.numbers)
  const value = <T>(now: T, before: T | null | undefined) => now ?? before ?? now
  return {
    ...(eachNumber((name) => value<number | null>(analysis[name], known[name])) as typeof analysis),
    hrZoneSeconds: value(analysis.hrZoneSeconds, known.hrZoneSeconds),
  }
}

/** Numbers after the runner set some; those that depend on these become unknown. */
function withRestated(known: Said, repair: Repair): Said {
  const { said = {} } = restated(repair)
  const isOther = said.distanceM !== undefined || said.durationS !== undefined
  return {
    ...known,
    ...(isOther ? { gapPaceS: null, avgSpeedMps: null, avgPaceS: null } : {}),
    ...(changesEffort(repair) ? { relativeEffort: null, hrZoneSeconds: null } : {}),
    ...said,
  }
}

interface Settled {
  readonly told: readonly StoredRecording[]
  readonly repairs: readonly Repair[]
}

/** Stated splits count for the whole run, until a recalculation or a repair of the samples. */
function splitRows(
  { id, asked, body }: Run,
  { told, repairs, computed }: Settled & { readonly computed: readonly Split[] },
): SplitRow[] {
  const isWhole = !repairs.some(changesSamples)
  const stated = told.find(({ splits }) => splits !== null)?.splits ?? []
  const whole = stated.filter((split) => typeof split === 'object' && split !== null)
  const isArchive = told.some(({ kind }) => kind === 'archive')
  const isStated = isArchive && isWhole && !asked.ours?.includes('splits') && (whole.length > 0 || told.length === 1)
  if (isStated)
    return whole.map((split) => ({ ...split, workoutId: id, id: storedSplitId({ ...split, workoutId: id }) }))
  const ids = isLaterPart(body) ? [] : stated.map((split) => (typeof split === 'object' ? (split?.id ?? null) : split))
  return computed.map((split) => ({
    ...split,
    workoutId: id,
    id: storedSplitId({ id: ids[split.idx] ?? null, workoutId: id, idx: split.idx }),
  }))
}

/** The computed efforts with the ids and times of equal stated ones, and the stated ones beside them. */
function effortRows(
  { id, body, asked }: Run,
  efforts: readonly BestEffort[],
): Pick<RunRows, 'bestEfforts' | 'archivedEfforts'> {
  const ids = body.carried?.effortIds
  const repairedAt = Math.max(...resamplings(body.track))
  const stated = (body.carried?.efforts ?? []).filter(
    ({ statedAt = Number.NEGATIVE_INFINITY }) => statedAt >= repairedAt,
  )
  const equal = (effort: Pick<BestEffort, 'distanceIndex' | 'timeMs'>) =>
    stated.findLast(({ distanceIndex, timeMs }) => distanceIndex === effort.distanceIndex && timeMs === effort.timeMs)
  const isEqual = (one: (typeof stated)[number]) =>
    efforts.some((effort) => equal(effort)?.timeMs === one.timeMs && effort.distanceIndex === one.distanceIndex)
  const beside = new Map(stated.filter((one) => !isEqual(one)).map((one) => [one.distanceIndex, one]))
  return {
    bestEfforts: efforts.map((effort) => ({
      ...effort,
      workoutId: id,
      id: storedEffortId({ ...effort, workoutId: id, id: equal(effort)?.id ?? ids?.[effort.distanceIndex] ?? null }),
      calculatedAt: equal(effort)?.calculatedAt ?? asked.effortTimes?.[effort.distanceIndex] ?? body.createdAt,
    })),
    archivedEfforts: asked.ours?.includes('bestEfforts')
      ? []
      : [...beside.values()].map(({ statedAt: _, ...one }) => ({ ...one, workoutId: id })),
  }
}

/** When the active repairs that change the samples were made, Unix milliseconds. */
function resamplings(track: RunTrack): number[] {
  const made = activeRepairs(track).filter((repair) => changesSamples(plainRepair(repair)))
  return [...(isJoined(track) ? [track] : []), ...made].map(({ madeAt }) => madeAt)
}

/** The columns that hold the numbers. */
export function numberColumns(numbers: Numbers) {
  const { hrZoneSeconds } = numbers
  return {
    ...(eachNumber((name) => numbers[name]) as Pick<Numbers, Exclude<keyof Numbers, 'hrZoneSeconds'>>),
    hrZoneSeconds: hrZoneSeconds === null ? null : [...hrZoneSeconds],
  }
}

/**
 * Writes the rows of a run where they differ from the stored ones. A distance or duration is never replaced by zero, nor
 * are numbers that depend on it.
 * @returns number of rows that were written
 */
export function writeRows(tx: Tx, { body }: Pick<Run, 'body'>, rows: RunRows): number {
  const { row } = rows
  const { id } = row
  const stored = rowOf(tx).get({ id })
  let written = 0
  const count = (isWritten: boolean) => {
    if (isWritten) written += 1
  }
  if (stored === undefined) {
    insertRow(tx, workouts, row)
    written += 1
  } else {
    const isLost = (before: number, now: number) => before > 0 && now <= 0
    const keepsAll = isLost(stored.distanceM, row.distanceM) || isLost(stored.durationS, row.durationS)
    const kept = keepsAll ? { ...row, ...numberColumns(storedNumbers(stored)) } : row
    count(updateRow(tx, stored, kept))
  }
  written += writeSplits(tx, id, rows.splits)
  written += writeEfforts(tx, id, rows)
  count(writeRoute(tx, row, rows.routeIndex))
  written += writeChoices(tx, id, body)
  if (rows.training === undefined) return written
  if (stored === undefined) insertTraining(tx, id, rows.training)
  else count(writeTraining(tx, id, rows.training))
  return written
}

// prepared, since they are asked for each of many runs

const rowOf = preparedOnce((tx) =>
  tx
    .select()
    .from(workouts)
    .where(eq(workouts.id, sql.placeholder('id')))
    .prepare(),
)
const wordsOf = preparedOnce((tx) => ofRun(tx, effortWords))
const choiceOf = preparedOnce((tx) => ofRun(tx, trainingChoices))
const effortsOf = preparedOnce((tx) => ofRun(tx, workoutBestEfforts))
const archivedOf = preparedOnce((tx) => ofRun(tx, archivedBestEfforts))
const routeOf = preparedOnce((tx) => ofRun(tx, routeIndexes))

function ofRun<T extends SQLiteTable & { readonly workoutId: SQLiteColumn }>(tx: Tx, table: T) {
  return tx
    .select()
    .from(table)
    .where(eq(table.workoutId, sql.placeholder('workoutId')))
    .prepare()
}

/** Only what differs is written. @returns whether anything does */
function updateRow(tx: Tx, stored: typeof workouts.$inferSelect, row: Partial<WorkoutRow>): boolean {
  const other = Object.entries(row).filter(
    ([name, value]) => !Bun.deepEquals(stored[name as keyof typeof stored], value ?? null),
  )
  if (other.length === 0) return false
  updateRows(tx, workouts, { set: Object.fromEntries(other), where: { id: stored.id } })
  return true
}

/** The numbers in the row of a run. */
export function storedNumbers(stored: typeof workouts.$inferSelect): Numbers {
  const numbers = eachNumber((name) => stored[name] as number)
  return { ...numbers, hrZoneSeconds: stored.hrZoneSeconds as Numbers['hrZoneSeconds'] }
}

/** Writes what follows from the words and choices of a document alone. */
export function writeWords(tx: Tx, { id, body }: Pick<Run, 'id' | 'body'>): void {
  const stored = rowOf(tx).get({ id })
  if (stored !== undefined) updateRow(tx, stored, wordColumns(tx, body, recordingsByIds(tx, recordingIds(body.track))))
  writeChoices(tx, id, body)
}

/** Writes the efforts of a run anew with the ids and times that its document states; the samples give the same ones. */
export function writeStatedEfforts(tx: Tx, run: Run): void {
  const efforts = effortsOf(tx).all({ workoutId: run.id })
  writeEfforts(tx, run.id, effortRows(run, efforts))
}

/** The choices that queries join: of efforts, and of the load. */
function writeChoices(tx: Tx, workoutId: string, { choices = {} }: RunDocument): number {
  const { efforts = {}, load = NO_CHOICE } = choices
  let written = 0
  const words = wordsOf(tx).all({ workoutId })
  const known = Object.fromEntries(words.map(({ distanceIndex, isRecord }) => [distanceIndex, isRecord]))
  if (!Bun.deepEquals(known, efforts)) {
    tx.delete(effortWords).where(eq(effortWords.workoutId, workoutId)).run()
    for (const [index, isRecord] of Object.entries(efforts)) {
      insertRow(tx, effortWords, { workoutId, distanceIndex: Number(index), isRecord })
    }
    written += 1
  }
  const chosen = choiceOf(tx).get({ workoutId })
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
  const own = effortsOf(tx).all({ workoutId })
  const beside = archivedOf(tx).all({ workoutId })
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
  const stored = routeOf(tx).get({ workoutId })
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

/** Takes a shoe off the runs that wear it, or puts it back on those that are to. */
export function wearShoe(tx: Tx, shoeId: string, isThere: boolean): void {
  tx.$client
    .query('UPDATE workout SET shoe_id = ?1 WHERE wanted_shoe_id = ?2 AND shoe_id IS NOT ?1')
    .run(isThere ? shoeId : null, shoeId)
}

/** Writes the weather that a run has now. */
export function writeWeather(tx: Tx, id: string, weather: string | null): void {
  tx.update(workouts)
    .set({ weather, ...weatherColumns(servedWeather(weather)) })
    .where(eq(workouts.id, id))
    .run()
}

/** Notes that this engine could not derive the numbers of a run again, which stay as they are. */
export function markUpgraded(tx: Tx, id: string): void {
  tx.update(workouts).set({ engineVersion: ENGINE_VERSION }).where(eq(workouts.id, id)).run()
}

/** Writes the relative effort of a run alone. @param effort null: it has none */
export function writeEffort(tx: Tx, id: string, effort: RelativeEffort | null): void {
  writeEffortColumns(tx, id, {
    relativeEffort: effort?.relativeEffort ?? null,
    hrZoneSeconds: effort?.zoneSeconds ?? null,
  })
}

export function writeEffortColumns(
  tx: Tx,
  id: string,
  { relativeEffort, hrZoneSeconds }: Pick<Numbers, 'relativeEffort' | 'hrZoneSeconds'>,
): void {
  updateRows(tx, workouts, {
    set: { relativeEffort, hrZoneSeconds: hrZoneSeconds && [...hrZoneSeconds] },
    where: { id },
  })
}

/** Writes splits of another length. @returns their number */
export function writeCut(tx: Tx, run: Run, splits: readonly Split[]): number {
  const told = recordingsByIds(tx, recordingIds(run.body.track))
  const rows = splitRows(run, { told, repairs: engineRepairs(run.body.track), computed: splits })
  writeSplits(tx, run.id, rows)
  updateRows(tx, workouts, { set: { splitsCount: rows.length }, where: { id: run.id } })
  return rows.length
}
