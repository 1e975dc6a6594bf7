import { rm } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { invalid, refusedFile } from '../../base/errors.ts'
import { reasonOf } from '../../db/disk-full.ts'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import type { ReceiptWarning } from '../../db/schema-receipts.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import type { ImportAnswer, ImportSummary, SingleImport } from '../../features/workouts/schemas.ts'
import { type Activity, FormatError } from '../../formats/format.ts'
import type { Sports } from '../../formats/sport-words.ts'
import type { StravaRow } from '../../formats/strava/rows.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { type ImportOutcome, RUNS_A_GROUP, type RunOrigin, storeRuns } from '../../library/add-run.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { type Original, syncFile, temporaryFile } from '../../library/files/paths.ts'
import { externalsOf, firstDeleted } from '../../library/forgotten.ts'
import { elevationOptions } from '../../library/inputs.ts'
import type { ImportAction } from '../../library/outcomes.ts'
import { progressOf } from '../../library/progress.ts'
import { joinReceipt, type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import { recordingsOf } from '../../library/recordings.ts'
import { splitUnitM, type UnitPreference, unitPreference, zonesOrDefault } from '../../library/settings.ts'
import { NOTHING_TOLD, type ToldBy, toldOf, withTold } from '../../library/told.ts'
import { type AnalyzedFile, type AnalyzedRun, analyzeActivity } from '../../workers/analyze-file.ts'
import { analyzedParts } from '../../workers/worker-line.ts'
import { type FileOutcome, type ImportResults, importResults } from './results.ts'

const MESSAGES: Readonly<Record<ImportAction, string>> = {
  created: 'Workout imported successfully',
  updated: 'Workout completed with the data of this file',
  skipped: 'Workout is already in your library',
}
const MERGED = 'Merged into the workout that it is another recording of'

/** How files arrived, and data sent with them. */
export interface Manner {
  readonly origin: 'upload' | 'share_target' | 'health_auto_export'
  /** Decides the length of the splits of this call only; null: the stored preference. */
  readonly units: UnitPreference | null
  /** Notes for runs whose files have none; null: none. */
  readonly notes: string | null
  /** The receipt of an earlier import of the same upload, which these files are added to; null: they get their own. */
  readonly receiptId: string | null
  /** How its sender wants to be answered, whatever the result; absent: a single run answers itself. */
  readonly as?: 'summary'
}

/** What became of uploaded files: a single run answers itself. */
export interface ImportedFiles {
  readonly summary: Static<typeof ImportSummary>
  readonly answer: Static<typeof ImportAnswer> | Static<typeof ImportResults>
  /** Whether the service failed on a file, which may be stored when it is sent again. */
  readonly hasFailed: boolean
}

/**
 * Imports the runs of uploaded files, in order; each is committed alone, and a bad file does not affect others.
 * @throws AppError 400 with the reason when the only file cannot be read, unless the answer is to be a summary; 404, 409
 * when the receipt cannot be joined
 */
export async function importFiles(
  deps: DepsBy,
  files: readonly UploadedFile[],
  manner: Manner,
): Promise<ImportedFiles> {
  const { origin, notes, units } = manner
  const taking = { origin, notes, unitM: splitUnitM(units ?? unitPreference(deps.db)) }
  using progress = progressOf(deps, { kind: 'files', total: files.length })
  const receipt = receiptFor(deps, files, manner)
  try {
    const { outcomes, skippedOther, warnings, hasFailed } = await importEach(deps, files, { taking, receipt, progress })
    const receiptId = receipt?.id ?? null
    const cut = progress.stopped()
    if (cut.stopped !== undefined) {
      outcomes.push({ filename: '', outcome: { error: cut.stopped } })
      receipt?.note({ outcome: 'error', reason: cut.stopped })
    }
    const left = { skippedOther, receiptId, warnings }
    const summary = importSummary(outcomes, { ...left, ...cut })
    if (manner.as === 'summary') return { summary, answer: importResults(summary, outcomes), hasFailed }
    const [only] = outcomes
    const isOne = files.length === 1 && outcomes.length === 1 && only !== undefined
    return { summary, answer: isOne ? singleAnswer(deps.db, only.outcome, left) : summary, hasFailed }
  } finally {
    receipt?.finish()
  }
}

function receiptFor(deps: DepsBy, files: readonly UploadedFile[], { origin, receiptId }: Manner): OpenReceipt | null {
  if (receiptId !== null) return joinReceipt(deps, { id: receiptId, origin, files: files.length })
  const title = files.length === 1 ? files[0]!.filename : `${files.length} files`
  return openReceipt(deps, { kind: 'import', origin, title })
}

interface EachImport {
  readonly taking: Taking
  readonly receipt: OpenReceipt | null
  readonly progress: (filename: string) => void
}

async function importEach(deps: DepsBy, files: readonly UploadedFile[], { taking, receipt, progress }: EachImport) {
  let [skippedOther, hasFailed] = [0, false]
  const outcomes: FileOutcome[] = []
  const warnings: ReceiptWarning[] = []
  for (const file of files) {
    if (deps.events.closed.aborted || deps.damage.isFound) break
    const noted = receipt && { receipt, filename: file.filename }
    const warn = (message: string) => {
      warnings.push({ filename: file.filename, message })
      receipt?.warn({ filename: file.filename, message })
    }
    const imported = await importFile(deps, file, { ...taking, noted, warn }).catch((error: unknown) => {
      const reason = reasonOf(error, 'The file could not be stored', deps.damage)
      if (files.length === 1) {
        receipt?.note({ outcome: 'error', filename: file.filename, reason })
        throw error
      }
      deps.log.error('Storing one of several uploaded files failed', error)
      hasFailed = true
      return { outcomes: [{ error: reason }], skippedOther: 0 }
    })
    skippedOther += imported.skippedOther
    for (const outcome of imported.outcomes) {
      outcomes.push({ filename: file.filename, outcome })
      if ('error' in outcome) receipt?.note({ outcome: 'error', filename: file.filename, reason: outcome.error })
    }
    receipt?.ignored(imported.skippedOther, otherReason(file.filename, imported.skippedOther))
    progress(file.filename)
  }
  return { outcomes, skippedOther, warnings, hasFailed }
}

/** How runs are stored; `noted`: the receipt for outcomes except errors, which the caller notes. */
export interface StoringRuns extends Pick<RunOrigin, 'origin' | 'unitM' | 'noted' | 'fills' | 'warn'> {
  /** Set where many are imported, of which a single event is sent at the end. */
  readonly isQuiet?: boolean
  /** In place of storing: what it would do. */
  readonly pretend?: typeof storeRuns | undefined
}

export interface Taking extends StoringRuns {
  /** Notes for runs whose files have none. */
  readonly notes?: string | null
  readonly told?: ToldBy
  /** The row of a Strava export that names the file. */
  readonly row?: StravaRow | undefined
  /** Waited for before anything is stored, so that the runs of several files come in their order. */
  readonly before?: Promise<void>
}

function otherReason(filename: string, count: number): string {
  return `${filename}: ${count === 1 ? '1 activity that is not a run' : `${count} activities that are not runs`}`
}

/** Imports one file: it is written to disk while the Worker analyses it, then its runs are stored in groups. */
export async function importFile(
  deps: DepsBy,
  file: UploadedFile,
  taking: Taking,
): Promise<{ readonly outcomes: readonly ImportOutcome[]; readonly skippedOther: number; readonly sports: Sports }> {
  const path = taking.pretend === undefined ? onDisk(deps, file) : Promise.resolve('')
  // a failure is handled where the path is awaited
  path.catch(() => {})
  try {
    const outcomes: ImportOutcome[] = []
    let [skippedOther, sports]: [number, Sports] = [0, new Map()]
    const job = {
      // a copy, since the buffer is transferred to the Worker and the original is still needed
      file: file.path ?? new Uint8Array(await file.bytes()),
      filename: file.filename,
      ...conditions(deps, taking.unitM),
      ...(taking.row && { row: taking.row }),
    }
    for await (const part of analyzedParts(deps.worker, job)) {
      await taking.before
      const { type, sha256, warning } = part
      ;[skippedOther, sports] = [part.skippedOther, part.sports]
      const { noted, warn = (message) => noted?.receipt.warn({ filename: file.filename, message }) } = taking
      // the warning concerns the whole file, so only its first part notes it
      if (warning !== null && part.fromRun === 0) warn(warning)
      const original = { name: file.filename, type, sha256, path, isSynced: true }
      outcomes.push(...(await storedPart(deps, part, original, taking)))
    }
    return { outcomes, skippedOther, sports }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const { message, problem, sport } = error
    return {
      outcomes: [{ error: message, problem, ...(sport === null ? {} : { sport }) }],
      skippedOther: 0,
      sports: new Map(),
    }
  } finally {
    const written = file.path === null ? await path.catch(() => null) : null
    if (written !== null) await rm(written, { force: true })
  }
}

async function storedPart(
  deps: DepsBy,
  { runs, fromRun, left }: AnalyzedFile & { readonly fromRun: number },
  original: Omit<Original, 'session'>,
  { notes = null, told = null, isQuiet = false, pretend: store = storeRuns, ...how }: Taking,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = []
  const all = fromRun + runs.length + left
  for (let from = 0; from < runs.length; from += RUNS_A_GROUP) {
    const group = runs.slice(from, from + RUNS_A_GROUP)
    const stored = await store(
      deps,
      group.flatMap((run, place) => {
        const origin = { ...how, original: { ...original, session: fromRun + from + place } }
        if ('error' in run) return []
        return [{ run: withNotes(withTold(run, toldOf(told, run, all === 1)), notes), origin }]
      }),
    )
    for (const run of group) {
      if ('error' in run) outcomes.push(run)
      else outcomes.push(announceStored(deps, stored.shift()!, { isOnly: all === 1, isQuiet }))
    }
  }
  return outcomes
}

function withNotes(run: AnalyzedRun, notes: string | null): AnalyzedRun {
  return run.notes === null && notes !== null ? withTold(run, { ...NOTHING_TOLD, notes }) : run
}

/** @returns path of the file with its bytes synced; the caller removes it when the upload has no file of its own */
async function onDisk({ config }: Deps, file: UploadedFile): Promise<string> {
  if (file.path === null) return await temporaryFile(config.dataDir, await file.bytes())
  await syncFile(file.path)
  return file.path
}

function conditions(deps: Deps, splitLengthM: number) {
  const { db, now } = deps
  return { nowMs: now(), splitLengthM, zones: zonesOrDefault(db), elevation: elevationOptions(deps) }
}

/** Imports a run of which there are totals and no file. @throws errors of disk and database */
export async function importTotals(
  deps: DepsBy,
  activity: Activity,
  { isQuiet = false, pretend: store = storeRuns, ...how }: StoringRuns,
): Promise<ImportOutcome> {
  try {
    const run = analyzeActivity(activity, conditions(deps, how.unitM))
    const [stored] = await store(deps, [{ run, origin: { ...how, original: null } }])
    return announceStored(deps, stored!, { isOnly: true, isQuiet })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { error: error.message, problem: error.problem }
  }
}

/**
 * Announces a stored run, or turns its error into an outcome.
 * @param how with several runs, an error must not prevent the outcomes of the others
 * @throws the error of the only run
 */
function announceStored(
  { events, log, damage }: Deps,
  stored: Awaited<ReturnType<typeof storeRuns>>[number],
  { isOnly, isQuiet }: { readonly isOnly: boolean; readonly isQuiet: boolean },
) {
  if ('error' in stored) {
    if (isOnly) throw stored.error
    log.error('Storing one of several runs of a file failed', stored.error)
    return { error: reasonOf(stored.error, 'The run could not be stored', damage) }
  }
  const { isStored: _, ...done } = stored.value
  const { action, id } = done
  if (isQuiet) return done
  if (action === 'created') events.emit({ event: 'workout.created', data: { id } })
  if (action === 'updated') events.emit({ event: 'workout.updated', data: { id } })
  return done
}

type Left = Pick<Static<typeof ImportSummary>, 'skippedOther' | 'receiptId' | 'warnings'>

/** Its numbers are those of the stored workout: a cropped or edited one differs from the file that was sent again. */
export function singleAnswer(
  db: Db,
  outcome: ImportOutcome,
  { skippedOther, receiptId, warnings }: Left,
): Static<typeof SingleImport> {
  if ('error' in outcome) throw refusedFile(outcome.error, outcome.problem)
  const { startedAt, durationS, distanceM, avgPaceS, elevGainM, splitsCount } = workouts
  const shown = { startedAt, durationS, distanceM, avgPaceS, elevGainM, splitsCount }
  const stored = db.select(shown).from(workouts).where(eq(workouts.id, outcome.id)).get()
  if (stored === undefined)
    throw invalid('The workout was deleted while its file was read', { code: 'workout_not_found' })
  const trashedId = outcome.action === 'created' ? trashedOf(db, outcome.id) : null
  return {
    id: outcome.id,
    ...stored,
    startedAt: isoTime(stored.startedAt),
    action: outcome.action,
    message: outcome.merged ? MERGED : MESSAGES[outcome.action],
    ...(outcome.merged ? { merged: true } : {}),
    ...(skippedOther > 0 ? { skippedOther } : {}),
    ...(trashedId === null ? {} : { inTrash: true, trashedId }),
    warnings,
    receiptId,
  }
}

/** Id of the run in the trash that is the same as a stored run; null: there is none. */
function trashedOf(db: Db, id: string): string | null {
  for (const recording of recordingsOf(db, id)) {
    const files = [{ sha256: recording.fileSha256, session: recording.fileSession ?? 0 }]
    const deleted = firstDeleted(db, { files, externals: externalsOf(recording) })
    if (deleted?.isInTrash === true) return deleted.workoutId
  }
  return null
}

/** The summary of docs/api.md 7.2, for outcomes in the order of the files. */
export function importSummary(
  outcomes: readonly FileOutcome[],
  more: Left & Pick<Static<typeof ImportSummary>, 'stopped'>,
): Static<typeof ImportSummary> {
  const count = (action: ImportAction) =>
    outcomes.filter(({ outcome }) => 'action' in outcome && outcome.action === action).length
  const merged = outcomes.filter(({ outcome }) => 'merged' in outcome).length
  const errorDetails = outcomes.flatMap(({ filename, outcome }) =>
    'error' in outcome ? [{ filename, error: outcome.error }] : [],
  )
  return {
    totalProcessed: outcomes.length,
    successful: count('created'),
    skipped: count('skipped'),
    updated: count('updated'),
    ...(merged === 0 ? {} : { merged }),
    errors: errorDetails.length,
    errorDetails,
    ...more,
  }
}
