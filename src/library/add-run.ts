import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { RunnerWord } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { folded, nameKey, searchText } from '../texts.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { deriveRun } from '../workers/derive.ts'
import {
  duplicateOf,
  insertRecording,
  insertWorkout,
  type NewRecording,
  type RunIdentity,
  storeWithFiles,
} from './add-workout.ts'
import type { Original } from './files/paths.ts'
import { boundsOfZones, runJob } from './inputs.ts'
import { splitRows, touchInputs, writeRun } from './numbers.ts'
import { choosePrimary, recordingsOf } from './recordings.ts'
import { settle } from './repairs.ts'
import { defaultShoeId, zonesOrDefault } from './settings.ts'
import { placeTime } from './time-zone.ts'
import { enqueueWeather, servedWeather, storedWeather, weatherColumns } from './weather.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

/** What became of one run of one file. */
export type ImportOutcome = { readonly action: ImportAction; readonly id: string } | { readonly error: string }

export interface RunOrigin {
  readonly origin: 'upload' | 'strava_archive'
  /** null: a row of Strava's export without file. */
  readonly original: Original | null
  /** Length of a split, metres. */
  readonly unitM: number
}

/**
 * Stores one analysed run unless it is there already; whoever imports, in whatever way, stores through this function.
 * Files first, rows after them in one transaction: a crash leaves an unused file, never a row without its file.
 * The caller emits the event: an import of many runs is told as one, that of a single run by itself.
 */
export async function storeRun(deps: Deps, run: AnalyzedRun, origin: RunOrigin): Promise<ImportOutcome> {
  for (;;) {
    const known = duplicateOf(deps.db, identityOf(run, origin))
    if (known !== null && !isCompletedBy(known, origin)) return { action: 'skipped', id: known.id }
    const outcome = await store(deps, run, { origin, knownId: known?.id ?? null })
    // null: while the files were written, others stored, completed or deleted the run
    if (outcome !== null) return outcome
  }
}

function identityOf(run: AnalyzedRun, { original }: RunOrigin): RunIdentity {
  const { distanceM, durationS } = run.analysis
  const isSummary = run.samples === null && run.source === 'strava_import'
  return { startedAtMs: run.startedAtMs, distanceM, durationS, isSummary, file: original }
}

/** Only a file completes a workout, and only one that has none. */
function isCompletedBy({ hasRawFile }: { readonly hasRawFile: boolean }, { original }: RunOrigin): boolean {
  return !hasRawFile && original !== null
}

/** The files of the run under a name that nobody else has, then a new workout or a further recording of a known one. */
async function store(
  deps: Deps,
  run: AnalyzedRun,
  { origin, knownId }: { readonly origin: RunOrigin; readonly knownId: string | null },
): Promise<ImportOutcome | null> {
  const { config, now } = deps
  const id = Bun.randomUUIDv7()
  const nowMs = now()
  const isStored = await storeWithFiles(deps, [{ id, original: origin.original, rawData: run.rawData }], (tx) => {
    // looked for once more, now that nobody else can write
    const stored = duplicateOf(tx, identityOf(run, origin))
    if ((stored?.id ?? null) !== knownId || (stored !== null && !isCompletedBy(stored, origin))) return false
    if (knownId === null) create(tx, run, { id, origin, nowMs })
    else complete(tx, deps, { id, knownId, run, origin, nowMs })
    if (run.firstPosition !== null && config.weatherEnabled) enqueueWeather(tx, knownId ?? id, nowMs)
    // zones that were stored while the file was read are those of its effort, too
    if (knownId === null) scoreWithStoredZones(tx, { id, run, nowMs })
    return true
  })
  return isStored ? { action: knownId === null ? 'created' : 'updated', id: knownId ?? id } : null
}

interface Made {
  /** Of the files. */
  readonly id: string
  readonly origin: RunOrigin
  readonly nowMs: number
}

/**
 * The first recording has the name of the files; a row beside its file has none of its own.
 * @param before how many recordings the workout has
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
    ...{ id, ...file, weather: weatherText(run, nowMs) },
    ...{ samples: run.samples, channels: run.channels, hasRaw: run.rawData !== null, rawView: run.rawView },
  }
  return run.tellings.map(({ kind, said, words }, place) => ({
    ...(place === 0 ? ofFile : { id: Bun.randomUUIDv7(), samples: null, channels: [], hasRaw: false }),
    ...{ seq: before + place, position: before + place, origin: origin.origin, kind, totals: said, words },
    startedAt: run.startedAtMs,
    utcOffsetMinutes: run.fileOffsetMinutes,
    hasEstimatedTimes: false,
    addedAt: nowMs,
  }))
}

/** What the file says of the weather, as it is stored. */
function weatherText({ weather }: AnalyzedRun, nowMs: number): string | null {
  return weather && JSON.stringify(storedWeather(weather, nowMs))
}

function create(tx: Tx, run: AnalyzedRun, made: Made): void {
  const { name, notes, runType, rpe, source, device, gear, analysis } = run
  const { id, origin, nowMs } = made
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  insertWorkout(tx, {
    row: {
      ...{ id, startedAt: run.startedAtMs, createdAt: nowMs, name, notes, runType, rpe, source, device },
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
    recordings: recordingsOfRun(run, made, 0),
  })
}

/**
 * A workout without original gets this one as a further recording: it fills what is null, in numbers and words, and its
 * samples count when it has more channels. Distance, duration, what the runner set and existing splits stay.
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
  choosePrimary(tx, knownId)
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

function scoreWithStoredZones(
  tx: Tx,
  { id, run, nowMs }: { readonly id: string; readonly run: AnalyzedRun; readonly nowMs: number },
): void {
  const zones = zonesOrDefault(tx)
  if (Bun.deepEquals(zones, run.zones)) return
  const job = runJob(tx, id, run.elevation)
  if (job !== null) writeRun(tx, id, { derived: deriveRun({ ...job, zones }), zones, elevation: run.elevation, nowMs })
}

/** The shoe whose `brand model` equals a gear name, ignoring case and outer blanks; the oldest of several, else null. */
export function shoeIdByGearName(tx: Tx, gearName: string): string | null {
  const wanted = folded(gearName.trim())
  const rows = tx
    .select({ id: shoes.id, brand: shoes.brand, model: shoes.model })
    .from(shoes)
    .orderBy(shoes.createdAt, shoes.id)
    .all()
  return rows.find(({ brand, model }) => folded(`${brand} ${model}`) === wanted)?.id ?? null
}
