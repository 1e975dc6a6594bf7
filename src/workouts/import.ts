import { rm } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { invalid } from '../errors.ts'
import { progressOf } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import type { UploadedFile } from '../http/multipart.ts'
import { type ImportAction, type ImportOutcome, RUNS_A_GROUP, storeRuns } from '../library/add-run.ts'
import { type Original, syncFile, temporaryFile } from '../library/files/paths.ts'
import { elevationOptions } from '../library/inputs.ts'
import { splitUnitM, type UnitPreference, unitPreference, zonesOrDefault } from '../library/settings.ts'
import type { AnalyzedFile } from '../workers/analyze-file.ts'
import { analyzedParts } from '../workers/analyzer.ts'
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
  using progress = progressOf(deps, { kind: 'files', total: files.length })
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

/** One file: written to the disk while it is analysed off the main thread, then stored in groups of its runs. */
export async function importFile(
  deps: Deps,
  file: UploadedFile,
  unitM: number,
): Promise<{ readonly outcomes: readonly ImportOutcome[]; readonly skippedOther: number }> {
  const path = onDisk(deps, file)
  // whoever needs it is told
  path.catch(() => {})
  try {
    const outcomes: ImportOutcome[] = []
    let skippedOther = 0
    for await (const part of await analyzed(deps, file, unitM)) {
      skippedOther = part.skippedOther
      const { type, sha256 } = part
      for (const outcome of await storedPart(deps, part, { name: file.filename, type, sha256, path }, unitM)) {
        outcomes.push(outcome)
      }
    }
    return { outcomes, skippedOther }
  } catch (error) {
    if (error instanceof FormatError) return { outcomes: [{ error: error.message }], skippedOther: 0 }
    throw error
  } finally {
    const written = file.path === null ? await path.catch(() => null) : null
    if (written !== null) await rm(written, { force: true })
  }
}

async function storedPart(
  deps: Deps,
  { runs, fromRun, left }: AnalyzedFile & { readonly fromRun: number },
  original: Omit<Original, 'session'>,
  unitM: number,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = []
  for (let from = 0; from < runs.length; from += RUNS_A_GROUP) {
    const group = runs.slice(from, from + RUNS_A_GROUP)
    const stored = await storeRuns(
      deps,
      group.flatMap((run, place) => {
        const origin = { origin: 'upload', original: { ...original, session: fromRun + from + place }, unitM } as const
        return 'error' in run ? [] : [{ run, origin }]
      }),
    )
    const all = fromRun + runs.length + left
    for (const run of group) outcomes.push('error' in run ? run : told(deps, stored.shift()!, all))
  }
  return outcomes
}

/** @returns path of the file with its bytes on the disk; it is the caller's where the upload has none */
async function onDisk({ config }: Deps, file: UploadedFile): Promise<string> {
  if (file.path === null) return await temporaryFile(config.dataDir, await file.bytes())
  await syncFile(file.path)
  return file.path
}

/** @throws FormatError */
async function analyzed(deps: Deps, file: UploadedFile, unitM: number): Promise<ReturnType<typeof analyzedParts>> {
  return analyzedParts(deps.analyzer, {
    // a copy, since the worker takes the memory of what it is given and the original is still to be kept
    file: file.path ?? new Uint8Array(await file.bytes()),
    filename: file.filename,
    nowMs: deps.now(),
    splitLengthM: unitM,
    zones: zonesOrDefault(deps.db),
    elevation: elevationOptions(deps),
  })
}

/**
 * @param runsCount of several runs the others are still to be stored, and those that were are still to be told of
 * @throws what the only run failed with
 */
function told({ events, log }: Deps, stored: Awaited<ReturnType<typeof storeRuns>>[number], runsCount: number) {
  if ('error' in stored) {
    if (runsCount === 1) throw stored.error
    log.error('Storing one of several runs of a file failed', stored.error)
    return { error: reasonOf(stored.error, 'The run could not be stored') }
  }
  const { action, id } = stored.value
  if (action === 'created') events.emit({ event: 'workout.created', data: { id } })
  if (action === 'updated') events.emit({ event: 'workout.updated', data: { id } })
  return { action, id }
}

const shownOf = preparedOnce((tx) => {
  const { startedAt, durationS, distanceM, avgPaceS, elevGainM, splitsCount } = workouts
  return tx
    .select({ startedAt, durationS, distanceM, avgPaceS, elevGainM, splitsCount })
    .from(workouts)
    .where(eq(workouts.id, sql.placeholder('id')))
    .prepare()
})

/** The numbers are those of the stored workout: a cropped or edited one differs from the file that was sent again. */
function single(db: Db, outcome: ImportOutcome, skippedOther: number): Static<typeof SingleImport> {
  if ('error' in outcome) throw invalid(outcome.error)
  const stored = shownOf(db).get({ id: outcome.id })
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
