import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { RunnerWord } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { deriveRun } from '../workers/derive.ts'
import { insertWorkout } from './add-workout.ts'
import { duplicateOf, type RunIdentity } from './duplicates.ts'
import { removeRawFiles } from './files/paths.ts'
import { type Original, placeRunFiles } from './files/place.ts'
import { shoeIdByGearName } from './gear.ts'
import { runJob } from './inputs.ts'
import { splitRows, touchInputs, writeRun } from './numbers.ts'
import { choosePrimary, insertRecording, type NewRecording, recordingsOf } from './recordings.ts'
import { settle } from './repairs.ts'
import { nameKey, searchText } from './search-text.ts'
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
  const { db, config, now } = deps
  const id = Bun.randomUUIDv7()
  const nowMs = now()
  let isStored = false
  try {
    await placeRunFiles(config.dataDir, { id, original: origin.original, rawData: run.rawData })
    isStored = db.transaction(
      (tx) => {
        // looked for once more, now that nobody else can write
        const stored = duplicateOf(tx, identityOf(run, origin))
        if ((stored?.id ?? null) !== knownId || (stored !== null && !isCompletedBy(stored, origin))) return false
        const recordings = recordingsOfRun(run, { id, origin, nowMs })
        if (knownId === null) create(tx, run, { id, recordings, origin, nowMs })
        else complete(tx, deps, { id: knownId, run, recordings, origin, nowMs })
        if (run.firstPosition !== null && config.weatherEnabled) enqueueWeather(tx, knownId ?? id, nowMs)
        // zones that were stored while the file was read are those of its effort, too
        if (knownId === null) scoreWithStoredZones(tx, { id, run, nowMs })
        return true
      },
      { behavior: 'immediate' },
    )
  } finally {
    // whatever happened, files stay only beside the row that names them
    if (!isStored) await removeRawFiles(config.dataDir, id)
  }
  return isStored ? { action: knownId === null ? 'created' : 'updated', id: knownId ?? id } : null
}

interface Made {
  readonly id: string
  readonly recordings: readonly NewRecording[]
  readonly origin: RunOrigin
  readonly nowMs: number
}

/** The first recording has the name of the files; a row beside its file has none of its own. */
function recordingsOfRun(run: AnalyzedRun, { id, origin, nowMs }: Omit<Made, 'recordings'>): NewRecording[] {
  const { original } = origin
  const weather = run.weather === null ? null : JSON.stringify(storedWeather(run.weather, nowMs))
  return run.tellings.map(({ kind, said, words }, seq) => ({
    id: seq === 0 ? id : Bun.randomUUIDv7(),
    origin: origin.origin,
    kind,
    externalId: null,
    file: seq === 0 && original !== null ? { ...original, isStored: true } : null,
    startedAtMs: run.startedAtMs,
    utcOffsetMinutes: run.fileOffsetMinutes,
    said,
    words,
    weather: seq === 0 ? weather : null,
    samples: seq === 0 ? run.samples : null,
    channels: seq === 0 ? run.channels : [],
    hasRaw: seq === 0 && run.rawData !== null,
    hasEstimatedTimes: false,
    addedAtMs: nowMs,
  }))
}

function create(tx: Tx, run: AnalyzedRun, { id, recordings, origin, nowMs }: Made): void {
  const { name, notes, runType, rpe, source, device, gear, analysis, weather } = run
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  insertWorkout(tx, {
    id,
    startedAtMs: run.startedAtMs,
    createdAtMs: nowMs,
    numbers: analysis,
    preview: analysis.preview,
    hasHeartRate: run.hasHeartRate,
    splits: splitRows(id, analysis.splits),
    bestEfforts: analysis.bestEfforts,
    routeIndex: run.routeIndex,
    words: {
      name,
      notes,
      runType,
      rpe,
      source,
      device,
      shoeId: gear === null ? defaultShoeId(tx) : shoeIdByGearName(tx, gear),
    },
    timeZone: place.zone,
    utcOffsetMinutes: place.utcOffsetMinutes,
    weather: weather === null ? null : JSON.stringify(storedWeather(weather, nowMs)),
    hasRawHeartRate: run.hasRawHr,
    engineVersion: ENGINE_VERSION,
    splitUnitM: origin.unitM,
    zones: run.zones,
    elevation: run.elevation,
    ours: [],
    runnerSet: [],
    recordings,
    primary: 0,
  })
}

/**
 * A workout without original gets this one as a further recording: it fills what is null, in numbers and words, and its
 * samples count when it has more channels. Distance, duration, what the runner set and existing splits stay.
 */
function complete(
  tx: Tx,
  deps: Deps,
  { id, run, recordings, origin, nowMs }: Made & { readonly run: AnalyzedRun },
): void {
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) return
  const before = recordingsOf(tx, id).length
  for (const [place, recording] of recordings.entries()) {
    insertRecording(tx, id, { recording, seq: before + place, position: before + place })
  }
  choosePrimary(tx, id)
  touchInputs(tx, id)
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  const fill = <T>(word: RunnerWord, now: T | null, fresh: T | null) =>
    now === null && !stored.runnerSet.includes(word) ? fresh : now
  const name = fill('name', stored.name, run.name)
  const source = stored.source ?? run.source
  const device = stored.device ?? run.device
  const weather = stored.weather === null && run.weather !== null ? storedWeather(run.weather, nowMs) : null
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
      ...(weather === null
        ? {}
        : { weather: JSON.stringify(weather), ...weatherColumns(servedWeather(JSON.stringify(weather))) }),
    })
    .where(eq(workouts.id, id))
    .run()
  settle(tx, deps, { id, nowMs })
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
