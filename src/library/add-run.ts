import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { RecordingOrigin, RunnerWord } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { storedLaps } from '../engine/laps.ts'
import { changesSamples } from '../engine/repair/repairs.ts'
import { nameKey, searchText } from '../texts.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import {
  type Inserted,
  insertRecording,
  insertWorkout,
  type NewRecording,
  type Stored,
  type Storing,
  storeGroup,
} from './add-workout.ts'
import { knownRun } from './duplicates.ts'
import type { Original } from './files/paths.ts'
import { shoeIdByGearName } from './gear.ts'
import { boundsOfZones } from './inputs.ts'
import { splitRows, touchInputs } from './numbers.ts'
import type { Done, Failure } from './outcomes.ts'
import { type PackedRun, packRun } from './receipts/capsule.ts'
import { firstDeleted, keysOfRun } from './receipts/deleted-runs.ts'
import { knownReason } from './receipts/known-reason.ts'
import { type OpenReceipt, touchRevision } from './receipts/record.ts'
import { activeRepairs, choosePrimary, recordingsOf } from './recordings.ts'
import { settle } from './repairs.ts'
import { scoreWithStoredZones } from './score-change.ts'
import { defaultShoeId } from './settings.ts'
import { placeTime } from './time-zone.ts'
import { enqueueWeather, servedWeather, storedWeather, weatherColumns } from './weather.ts'

/** The outcome for one run of one file. */
export type ImportOutcome = Done | Failure

export interface RunOrigin {
  readonly origin: Exclude<RecordingOrigin, 'archive'>
  /** null: a row of Strava's export without a file. */
  readonly original: Original | null
  /** Length of a split, metres. */
  readonly unitM: number
  /** The receipt that notes the outcome; errors are noted by the caller, which words them. */
  readonly noted?: NotedIn | null
}

/** The receipt of an import, and the name that it gives to the file. */
export interface NotedIn {
  readonly receipt: OpenReceipt
  readonly filename: string
}

/** Most runs committed together; more would make neither disk nor database faster. */
export const RUNS_A_GROUP = 16

/**
 * Stores up to `RUNS_A_GROUP` analysed runs in their order, each unless it is stored already. Every kind of import of
 * files and table rows stores through this function. When it returns, files and rows are on the disk. A run that cannot
 * be stored does not affect the others. The caller emits the event, since an import of many runs emits a single one.
 */
export async function storeRuns(
  deps: Deps,
  runs: readonly { readonly run: AnalyzedRun; readonly origin: RunOrigin }[],
): Promise<Stored<RunStored>[]> {
  const nowMs = deps.now()
  const outcomes: (Stored<RunStored> | null)[] = []
  const group: Storing<RunStored>[] = []
  for (const { run, origin } of runs) {
    // a known run needs no files
    const known = knownRun(deps.db, run, origin.original)
    const isSkipped = known !== null && !known.isCompleted
    const isNew = known === null
    const value = isSkipped ? skipped(deps.db, known.id, origin) : isNew ? stayingDeleted(deps, run, origin) : null
    outcomes.push(value && { value })
    if (value !== null) continue
    const id = Bun.randomUUIDv7()
    group.push({
      files: [{ id, original: origin.original, rawData: null }],
      insert: (tx) => insertRun(tx, deps, { id, run, origin, nowMs }),
    })
  }
  const stored = await storeGroup(deps, group)
  return outcomes.map((outcome) => outcome ?? stored.shift()!)
}

type RunStored = Inserted & Done

/** Stores a new workout, or a further recording of one that is known, which only the transaction can tell for sure. */
function insertRun(tx: Tx, deps: Deps, { run, ...made }: Made & { readonly run: AnalyzedRun }): RunStored {
  const { id, origin, nowMs } = made
  const known = knownRun(tx, run, origin.original)
  if (known !== null && !known.isCompleted) return skipped(tx, known.id, origin)
  const before = known !== null && origin.noted ? packRun(tx, known.id, 'whole') : null
  if (known === null) create(tx, run, made)
  else complete(tx, deps, { knownId: known.id, run, ...made })
  const workoutId = known?.id ?? id
  if (run.firstPosition !== null && deps.config.weatherEnabled) enqueueWeather(tx, workoutId, nowMs)
  // zones may have been changed while the file was parsed; the effort uses the current ones
  if (known === null) scoreWithStoredZones(tx, { id, run, nowMs })
  noteStored(tx, workoutId, { origin, before })
  return { isStored: true, action: known === null ? 'created' : 'updated', id: workoutId }
}

function skipped(tx: Tx, id: string, { noted, original }: RunOrigin): RunStored {
  const found = { isStored: false, action: 'skipped', id } as const
  if (!noted) return found
  const reason = knownReason(tx, id, original)
  noted.receipt.note({ outcome: 'skipped', workoutId: id, filename: noted.filename, reason })
  return { ...found, reason }
}

/**
 * The outcome for a deleted run that comes again automatically: it stays deleted. null: it was never deleted, or a
 * person asked for it.
 */
function stayingDeleted({ db, author }: Deps, run: AnalyzedRun, { original, noted }: RunOrigin): RunStored | null {
  const found = author?.isAutomatic ? firstDeleted(db, keysOfRun(run, original)) : null
  if (found === null) return null
  const { workoutId: id, reason } = found
  noted?.receipt.note({ outcome: 'skipped', filename: noted.filename, reason })
  return { isStored: false, action: 'skipped', id, reason }
}

/** @param of.before the workout that was completed */
function noteStored(
  tx: Tx,
  workoutId: string,
  { origin: { noted }, before }: { readonly origin: RunOrigin; readonly before: PackedRun | null },
): void {
  if (!noted) return
  const { receipt, filename } = noted
  if (before === null) {
    receipt.write(tx, { outcome: 'created', workoutId, filename, afterRevision: 0 })
    return
  }
  const revision = touchRevision(tx, workoutId)
  receipt.write(tx, {
    outcome: 'updated',
    workoutId,
    filename,
    capsule: before,
    beforeRevision: revision?.before ?? null,
    afterRevision: revision?.after ?? null,
  })
}

interface Made {
  /** Id of the first recording and of its files, and of the workout when it is new. */
  readonly id: string
  readonly origin: RunOrigin
  readonly nowMs: number
}

/**
 * The recordings of a run. The first one has the name of the file; a table row next to a file has no name of its own.
 * @param before number of recordings that the workout has already
 */
function recordingsOfRun(run: AnalyzedRun, { id, origin, nowMs }: Made, before: number): NewRecording[] {
  const { original } = origin
  const file = original && {
    fileSha256: original.sha256,
    fileSession: original.session,
    fileName: original.name,
    fileType: original.type,
    storedAs: id,
  }
  const ofFile = {
    id,
    ...file,
    weather: weatherText(run, nowMs),
    samples: run.samples,
    channels: run.channels,
    laps: storedLaps(run.laps),
    hasRaw: false,
    rawView: run.rawView,
  }
  return run.tellings.map(({ kind, said, words }, place) => ({
    ...(place === 0 ? ofFile : { id: Bun.randomUUIDv7(), samples: null, channels: [], laps: [], hasRaw: false }),
    seq: before + place,
    position: before + place,
    origin: run.external?.origin === 'health_auto_export' ? run.external.origin : origin.origin,
    kind,
    // the external id belongs to the last recording: the service's row beside the file
    externalId: place === run.tellings.length - 1 ? (run.external?.id ?? null) : null,
    totals: said,
    words,
    startedAt: run.startedAtMs,
    utcOffsetMinutes: run.fileOffsetMinutes,
    hasEstimatedTimes: false,
    addedAt: nowMs,
    receiptId: origin.noted?.receipt.id ?? null,
  }))
}

/** The weather that the file contains, in stored form. */
function weatherText({ weather }: AnalyzedRun, nowMs: number): string | null {
  return weather && JSON.stringify(storedWeather(weather, nowMs))
}

function create(tx: Tx, run: AnalyzedRun, made: Made): void {
  const { name, notes, runType, rpe, source, device, gear, analysis } = run
  const { id, origin, nowMs } = made
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  insertWorkout(tx, {
    row: {
      id,
      startedAt: run.startedAtMs,
      createdAt: nowMs,
      name,
      notes,
      runType,
      rpe,
      source,
      device,
      shoeId: gear === null ? defaultShoeId(tx) : shoeIdByGearName(tx, gear),
      timeZone: place.zone,
      utcOffsetMinutes: place.utcOffsetMinutes,
      weather: weatherText(run, nowMs),
      hasTimeSeriesHr: run.hasHeartRate,
      hasRawHr: run.hasRawHr,
      engineVersion: ENGINE_VERSION,
      splitUnitM: origin.unitM,
      effortZones: boundsOfZones(run.zones),
      elevationSettings: run.elevation,
    },
    numbers: analysis,
    preview: analysis.preview,
    splits: splitRows(id, analysis.splits),
    bestEfforts: analysis.bestEfforts,
    calculatedAtMs: nowMs,
    routeIndex: run.routeIndex,
    training: run.training,
    recordings: recordingsOfRun(run, made, 0),
  })
}

/**
 * Adds a file as a further recording to a workout without one: it fills numbers and words that are null, and its
 * samples count when it has more channels. Distance, duration, values set by the runner and existing splits stay.
 */
function complete(
  tx: Tx,
  deps: Deps,
  { knownId, run, ...made }: Made & { readonly knownId: string; readonly run: AnalyzedRun },
): void {
  const { origin, nowMs } = made
  const stored = tx.select().from(workouts).where(eq(workouts.id, knownId)).get()
  if (stored === undefined) return
  const before = recordingsOf(tx, knownId).length
  for (const recording of recordingsOfRun(run, made, before)) insertRecording(tx, knownId, recording)
  // the times of a repair are on the clock of the samples that counted when it was made
  if (!activeRepairs(tx, knownId).some(changesSamples)) choosePrimary(tx, knownId)
  touchInputs(tx, knownId)
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  const fill = <T>(word: RunnerWord, now: T | null, fresh: T | null) =>
    now === null && !stored.runnerSet.includes(word) ? fresh : now
  const name = fill('name', stored.name, run.name)
  const source = stored.source ?? run.source
  const device = stored.device ?? run.device
  const weather = stored.weather === null ? weatherText(run, nowMs) : null
  tx.update(workouts)
    .set({
      name,
      source,
      device,
      notes: fill('notes', stored.notes, run.notes),
      runType: fill('runType', stored.runType, run.runType),
      rpe: fill('rpe', stored.rpe, run.rpe),
      utcOffsetMinutes: stored.utcOffsetMinutes ?? place.utcOffsetMinutes,
      timeZone: stored.timeZone ?? place.zone,
      searchText: searchText(name, device, source),
      nameKey: nameKey(name),
      hasRawHr: stored.hasRawHr || run.hasRawHr,
      ...(stored.splitsCount === 0 ? { splitUnitM: origin.unitM } : {}),
      ...(weather === null ? {} : { weather, ...weatherColumns(servedWeather(weather)) }),
    })
    .where(eq(workouts.id, knownId))
    .run()
  settle(tx, deps, { id: knownId, nowMs })
}
