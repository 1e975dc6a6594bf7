import { rm } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { invalid } from '../errors.ts'
import { progressOf } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import type { UploadedFile } from '../http/multipart.ts'
import { type ImportAction, type ImportOutcome, storeRun } from '../library/add-run.ts'
import { temporaryFile } from '../library/files/paths.ts'
import { elevationOptions } from '../library/inputs.ts'
import { splitUnitM, type UnitPreference, unitPreference, zonesOrDefault } from '../library/settings.ts'
import type { AnalyzedFile } from '../workers/analyze-file.ts'
import type { ImportAnswer, ImportSummary, SingleImport } from './schemas.ts'

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
): Promise<Static<typeof ImportAnswer>> {
  const unitM = splitUnitM(units ?? unitPreference(deps.db))
  const progress = progressOf(deps, { kind: 'files', total: files.length })
  let skippedOther = 0
  const outcomes: { readonly filename: string; readonly outcome: ImportOutcome }[] = []
  for (const file of files) {
    const imported = await importFile(deps, file, unitM).catch((error: unknown) => {
      if (files.length === 1) throw error
      deps.log.error('Storing one of several uploaded files failed', error)
      return { outcomes: [{ error: reasonOf(error, 'The file could not be stored') }], skippedOther: 0 }
    })
    skippedOther += imported.skippedOther
    for (const outcome of imported.outcomes) outcomes.push({ filename: file.filename, outcome })
    progress(file.filename)
  }
  const [only] = outcomes
  if (files.length === 1 && outcomes.length === 1 && only !== undefined)
    return single(deps.db, only.outcome, skippedOther)
  return importSummary(outcomes, skippedOther)
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
      elevation: elevationOptions(deps),
    })
  } catch (error) {
    if (error instanceof FormatError) return { outcomes: [{ error: error.message }], skippedOther: 0 }
    throw error
  }
  const { type, sha256, skippedOther } = analyzed
  const outcomes: ImportOutcome[] = []
  // a small upload as a file: the thousand rows of one table share its bytes as links
  const path = file.path ?? (analyzed.runs.length > 1 ? await temporaryFile(config.dataDir, await file.bytes()) : null)
  try {
    for (const [session, run] of analyzed.runs.entries()) {
      if ('error' in run) outcomes.push(run)
      else {
        const bytes = path ?? (() => file.bytes())
        const original = { name: file.filename, type, sha256, session, bytes }
        const stored = await storeRun(deps, run, { origin: 'upload', original, unitM }).catch(
          (error: unknown): ImportOutcome => {
            // of several runs the others are still to be stored, and those that were are still to be told of
            if (analyzed.runs.length === 1) throw error
            deps.log.error('Storing one of several runs of a file failed', error)
            return { error: reasonOf(error, 'The run could not be stored') }
          },
        )
        outcomes.push(told(deps, stored))
      }
    }
  } finally {
    if (path !== file.path && path !== null) await rm(path, { force: true })
  }
  return { outcomes, skippedOther }
}

function told({ events }: Deps, outcome: ImportOutcome): ImportOutcome {
  if ('error' in outcome) return outcome
  const { action, id } = outcome
  if (action === 'created') events.emit({ event: 'workout.created', data: { id } })
  if (action === 'updated') events.emit({ event: 'workout.updated', data: { id } })
  return outcome
}

/** The numbers are those of the stored workout: a cropped or edited one differs from the file that was sent again. */
function single(db: Db, outcome: ImportOutcome, skippedOther: number): Static<typeof SingleImport> {
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

/** The summary of 7.2 over outcomes in the order of their files. */
export function importSummary(
  outcomes: readonly { readonly filename: string; readonly outcome: ImportOutcome }[],
  skippedOther: number,
): Static<typeof ImportSummary> {
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
