import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { progressOf } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import type { UploadedFile } from '../http/multipart.ts'
import { isoTime } from '../http/time.ts'
import { defaultShoeId, splitUnitM, type UnitPreference, unitPreference, zonesOrDefault } from '../settings/queries.ts'
import { enqueueWeather } from '../weather/queue.ts'
import type { AnalyzedFile, AnalyzedRun } from '../workers/analyze-file.ts'
import { duplicateOf, type RunIdentity } from './duplicates.ts'
import { mergeRawData } from './raw-data.ts'
import {
  makeRawFolder,
  placeBytes,
  placeLink,
  rawDataPath,
  rawFilePath,
  removeRawFiles,
  syncFile,
} from './raw-files.ts'
import { fillRun, insertRun } from './store.ts'
import { placeTime } from './time-zone.ts'

export type ImportAction = 'created' | 'updated' | 'skipped'

/** What became of one run of one file. */
export type ImportOutcome =
  | { readonly action: ImportAction; readonly id: string }
  | { readonly error: string }

/** The answer for one file that holds one run. */
export interface SingleImport {
  readonly id: string
  readonly startedAt: string
  readonly durationS: number
  readonly distanceM: number
  readonly avgPaceS: number
  readonly elevGainM: number | null
  readonly splitsCount: number
  readonly action: ImportAction
  readonly message: string
  readonly skippedOther?: number
}

/** The answer for several files, or several runs of one. */
export interface ImportSummary {
  readonly totalProcessed: number
  readonly successful: number
  readonly skipped: number
  readonly updated: number
  readonly errors: number
  readonly errorDetails: { readonly filename: string; readonly error: string }[]
  readonly skippedOther: number
}

const MESSAGES: Readonly<Record<ImportAction, string>> = {
  created: 'Workout imported successfully',
  updated: 'Workout completed with the data of this file',
  skipped: 'Workout is already in your library',
}

/**
 * The runs of the uploaded files, in order; each is committed on its own, and one bad file never affects another.
 * @param units decides the length of the splits of this call only; null: the stored preference
 * @throws AppError 400 with the reason when the only file cannot be read
 */
export async function importFiles(
  deps: Deps,
  files: readonly UploadedFile[],
  units: UnitPreference | null,
): Promise<SingleImport | ImportSummary> {
  const unitM = splitUnitM(units ?? unitPreference(deps.db))
  const progress = progressOf(deps, { kind: 'files', total: files.length })
  let skippedOther = 0
  const outcomes: { readonly filename: string; readonly outcome: ImportOutcome }[] = []
  for (const file of files) {
    const imported = await importFile(deps, file, unitM).catch((error: unknown) => {
      if (files.length === 1) throw error
      deps.log.error('Storing one of several uploaded files failed', error)
      return { outcomes: [{ error: 'The file could not be stored' }], skippedOther: 0 }
    })
    skippedOther += imported.skippedOther
    for (const outcome of imported.outcomes) outcomes.push({ filename: file.filename, outcome })
    progress(file.filename)
  }
  const [only] = outcomes
  if (files.length === 1 && outcomes.length === 1 && only !== undefined) return single(deps.db, only.outcome, skippedOther)
  return summary(outcomes, skippedOther)
}

/** One file: analysed off the main thread, then stored run by run. */
export async function importFile(
  deps: Deps,
  file: UploadedFile,
  unitM: number,
): Promise<{ readonly outcomes: readonly ImportOutcome[]; readonly skippedOther: number }> {
  const { config, db } = deps
  let analyzed: AnalyzedFile
  try {
    analyzed = await deps.analyzer.analyze({
      // a copy, since the worker takes the memory of what it is given and the original is still to be kept
      file: file.path ?? new Uint8Array(await file.bytes()),
      filename: file.filename,
      nowMs: deps.now(),
      splitLengthM: unitM,
      zones: zonesOrDefault(db),
      elevation: { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM },
    })
  } catch (error) {
    if (error instanceof FormatError) return { outcomes: [{ error: error.message }], skippedOther: 0 }
    throw error
  }
  const { type, sha256, skippedOther } = analyzed
  const outcomes: ImportOutcome[] = []
  const path = file.path ?? (analyzed.runs.length > 1 ? await spooled(config.dataDir, file) : null)
  try {
    for (const [session, run] of analyzed.runs.entries()) {
      outcomes.push('error' in run ? run : await storeRun(deps, run, { file, path, session, unitM, type, sha256 }))
    }
  } finally {
    if (path !== file.path && path !== null) await rm(path, { force: true })
  }
  return { outcomes, skippedOther }
}

/** The bytes of a small upload as a temporary file: the thousand rows of one table share its bytes as links. */
async function spooled(dataDir: string, file: UploadedFile): Promise<string> {
  const path = join(dataDir, 'tmp', crypto.randomUUID())
  await placeBytes(dataDir, path, await file.bytes())
  return path
}

interface Origin {
  readonly file: UploadedFile
  /** Where its bytes are on the disk; null: in memory only. */
  readonly path: string | null
  readonly session: number
  readonly type: AnalyzedFile['type']
  readonly sha256: string
  readonly unitM: number
}

/** Files first, rows after them in one transaction: a crash leaves an unused file, never a row without its file. */
async function storeRun(deps: Deps, run: AnalyzedRun, origin: Origin): Promise<ImportOutcome> {
  const { db, config, events } = deps
  const known = duplicateOf(db, identityOf(run, origin))
  if (known?.hasRawFile === true) return { action: 'skipped', id: known.id }

  const id = known?.id ?? Bun.randomUUIDv7()
  let outcome: ImportOutcome | undefined
  try {
    await placeRunFiles(deps, id, run, origin, known !== null)
    outcome = storeRows(deps, run, { id, isKnown: known !== null, origin })
  } finally {
    // whatever happened, files stay only beside the row that names them
    const isOurs = outcome !== undefined && 'action' in outcome && outcome.id === id
    if (!isOurs && known === null) await removeRawFiles(config.dataDir, id)
  }
  if ('action' in outcome && outcome.action === 'created') events.emit({ event: 'workout.created', data: { id } })
  if ('action' in outcome && outcome.action === 'updated') events.emit({ event: 'workout.updated', data: { id } })
  return outcome
}

function identityOf(run: AnalyzedRun, { sha256, session }: Origin): RunIdentity {
  const { distanceM, durationS } = run.analysis
  const isSummary = run.samples === null && run.source === 'strava_import'
  return { startedAtMs: run.startedAtMs, distanceM, durationS, isSummary, file: { sha256, session } }
}

/** Looks for the run once more, now that nobody else can write, and stores it. */
function storeRows(
  { db, config, now }: Deps,
  run: AnalyzedRun,
  { id, isKnown, origin }: { readonly id: string; readonly isKnown: boolean; readonly origin: Origin },
): ImportOutcome {
  const place = placeTime(run.firstPosition, run.fileOffsetMinutes, run.startedAtMs)
  const nowMs = now()
  const context = {
    id,
    createdAtMs: nowMs,
    splitUnitM: origin.unitM,
    zone: place.zone,
    utcOffsetMinutes: place.utcOffsetMinutes,
    file: { sha256: origin.sha256, session: origin.session, name: origin.file.filename, type: origin.type },
  }
  return db.transaction(
    (tx): ImportOutcome => {
      const stored = duplicateOf(tx, identityOf(run, origin))
      if (stored !== null && (stored.hasRawFile || stored.id !== id)) return { action: 'skipped', id: stored.id }
      if (stored === null && isKnown) return { error: 'The workout was deleted while its file was read' }
      if (stored === null) insertRun(tx, run, { ...context, shoeId: defaultShoeId(tx) })
      else fillRun(tx, run, { ...context, shoeId: null })
      if (run.firstPosition !== null && config.weatherEnabled) enqueueWeather(tx, id, nowMs)
      return { action: stored === null ? 'created' : 'updated', id }
    },
    { behavior: 'immediate' },
  )
}

async function placeRunFiles(
  { config: { dataDir } }: Deps,
  id: string,
  run: AnalyzedRun,
  { file, path }: Origin,
  isKnown: boolean,
): Promise<void> {
  await makeRawFolder(dataDir)
  const rawFile = rawFilePath(dataDir, id)
  if (path === null) await placeBytes(dataDir, rawFile, await file.bytes())
  else {
    await syncFile(path)
    await placeLink(path, rawFile)
  }
  if (run.rawData === null) return
  const rawPath = rawDataPath(dataDir, id)
  await placeBytes(dataDir, rawPath, isKnown ? await mergeRawData(rawPath, run.rawData) : run.rawData)
}

/** The numbers are those of the stored workout: a cropped or edited one differs from the file that was sent again. */
function single(db: Db, outcome: ImportOutcome, skippedOther: number): SingleImport {
  if ('error' in outcome) throw invalid(outcome.error)
  const stored = db
    .select({
      startedAt: workouts.startedAt,
      durationS: workouts.durationS,
      distanceM: workouts.distanceM,
      avgPaceS: workouts.avgPaceS,
      elevGainM: workouts.elevGainM,
      splitsCount: workouts.splitsCount,
    })
    .from(workouts)
    .where(eq(workouts.id, outcome.id))
    .get()
  if (stored === undefined) throw invalid('The workout was deleted while its file was read')
  return {
    id: outcome.id,
    ...stored,
    startedAt: isoTime(stored.startedAt),
    action: outcome.action,
    message: MESSAGES[outcome.action],
    ...(skippedOther > 0 ? { skippedOther } : {}),
  }
}

function summary(
  outcomes: readonly { readonly filename: string; readonly outcome: ImportOutcome }[],
  skippedOther: number,
): ImportSummary {
  const count = (action: ImportAction) =>
    outcomes.filter(({ outcome }) => 'action' in outcome && outcome.action === action).length
  const errorDetails = outcomes.flatMap(({ filename, outcome }) =>
    'error' in outcome ? [{ filename, error: outcome.error }] : [],
  )
  return {
    totalProcessed: outcomes.length,
    successful: count('created'),
    skipped: count('skipped'),
    updated: count('updated'),
    errors: errorDetails.length,
    errorDetails,
    skippedOther,
  }
}
