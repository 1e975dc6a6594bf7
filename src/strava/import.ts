import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { progressOf } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../formats/gzip.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from '../formats/registry.ts'
import { type StravaRow, summaryActivity } from '../formats/strava/rows.ts'
import { createCollector } from '../garbage.ts'
import { type ImportOutcome, storeRun } from '../library/add-run.ts'
import type { Original } from '../library/files/paths.ts'
import { elevationOptions } from '../library/inputs.ts'
import { zonesOrDefault } from '../library/settings.ts'
import { cutText, printableName } from '../texts.ts'
import { type AnalyzedRun, analyzeActivity } from '../workers/analyze-file.ts'
import type { ZipEntry } from '../zip/reader.ts'
import { baseName, type HeadCheck, unpacked } from '../zip/unpack.ts'
import { ZipError } from '../zip/zip-error.ts'
import { importMedia } from './media.ts'
import { type NamedFiles, namedFiles } from './named-files.ts'
import type { BulkSummary } from './schemas.ts'
import type { StravaZip } from './zip.ts'

/** Files that are unpacked and analysed while the one before them is stored, so that two cores have work. */
const AHEAD = 3
/**
 * The upload leaves 40 MB of garbage and each row some hundred KB; while there is work the collector takes neither away. With
 * the heap of this service collecting takes 3 ms.
 */
const ROWS_A_COLLECTION = 6
/** The table in which a row without file stands. */
const TABLE = 'activities.csv'
/** Characters of a name in the summary: the table may hold any text. */
const SHOWN_CHARACTERS = 255

/** A row whose file was read, refused with a sentence, or named by an earlier row. */
type Read =
  | { readonly row: StravaRow; readonly again: string }
  | {
      readonly row: StravaRow
      readonly run: AnalyzedRun
      readonly original: Original | null
      /** null: the row names none. */
      readonly entry: string | null
    }
  | { readonly row: StravaRow; readonly error: string; readonly entry: string | null }

/**
 * The Run rows of an export, in order: each is committed on its own, and what is wrong with one, or with the whole once it
 * has begun, is told in the summary.
 * @param unitM length of a split, metres
 * @param signal nobody waits for it any more: it ends before the next row
 */
export async function importStrava(
  deps: Deps,
  source: StravaZip,
  { unitM, signal }: { readonly unitM: number; readonly signal: AbortSignal },
): Promise<BulkSummary> {
  const tally = tallyOf(source)
  const progress = progressOf(deps, { kind: 'bulk', total: source.runs })
  const ahead: Promise<Read>[] = []
  const files = namedFiles()
  const collect = createCollector(ROWS_A_COLLECTION)
  const finish = async (reading: Promise<Read>) => {
    const read = await reading
    const outcome = await outcomeOf(deps, source, { read, files, unitM })
    tally.addRow(shownName(read.row), outcome)
    if ('id' in outcome && read.row.media.length > 0) {
      tally.addMedia(await importMedia(deps, source, { row: read.row, workoutId: outcome.id }))
    }
    progress(shownName(read.row))
    collect()
  }
  try {
    for await (const row of source.rows()) {
      if (signal.aborted) break
      ahead.push(readRow(deps, source, { row, files, unitM }))
      const first = ahead.length > AHEAD ? ahead.shift() : undefined
      if (first !== undefined) await finish(first)
    }
    while (ahead.length > 0 && !signal.aborted) await finish(ahead.shift()!)
  } catch (error) {
    endedEarly(deps, tally, error)
  }
  // what was read ahead leaves no file behind
  for (const reading of ahead) await discarded(await reading)
  return tally.summary()
}

/** Stores what was read; a row whose file an earlier row named fares as that one. */
async function outcomeOf(
  deps: Deps,
  source: StravaZip,
  { read, files, unitM }: { readonly read: Read; readonly files: NamedFiles; readonly unitM: number },
): Promise<ImportOutcome> {
  if ('again' in read) {
    const known = files.outcomeOf(deps.db, read.again)
    if (known !== null) return known
    const anew = await readRow(deps, source, { row: read.row, files: null, unitM })
    return await outcomeOf(deps, source, { read: anew, files, unitM })
  }
  const outcome = await stored(deps, read, unitM)
  // what the disk or the database refused may fare better
  if (read.entry !== null && ('error' in read || 'id' in outcome)) files.note(read.entry, outcome)
  return outcome
}

/**
 * Unpacks and analyses the file of a row; never fails.
 * @param files null: whatever earlier rows named
 */
async function readRow(
  deps: Deps,
  source: StravaZip,
  { row, files, unitM }: { readonly row: StravaRow; readonly files: NamedFiles | null; readonly unitM: number },
): Promise<Read> {
  const { db, config, now, log } = deps
  const conditions = {
    nowMs: now(),
    splitLengthM: unitM,
    zones: zonesOrDefault(db),
    elevation: elevationOptions(deps),
  }
  const tmpDir = join(config.dataDir, 'tmp')
  let path: string | null = null
  let named: string | null = null
  try {
    if (row.filename === null) {
      return { row, run: analyzeActivity(summaryActivity(row), conditions), original: null, entry: null }
    }
    const entry = source.entry(row.filename)
    if (files?.isFirst(entry.name) === false) return { row, again: entry.name }
    named = entry.name
    path = await unpacked(source.zip, entry, { tmpDir, maxBytes: MAX_UNPACKED_BYTES, head: workoutHead(entry) })
    const filename = baseName(entry)
    const { runs, type, sha256 } = await deps.analyzer.analyze({ ...conditions, file: path, filename, row })
    const [run] = runs
    if (run === undefined) throw new FormatError('The file has no run')
    if ('error' in run) throw new FormatError(run.error)
    return { row, run, original: { name: filename, type, sha256, session: 0, bytes: path }, entry: named }
  } catch (error) {
    if (path !== null) await rm(path, { force: true })
    if (error instanceof FormatError || error instanceof ZipError) return { row, error: error.message, entry: named }
    log.error('A file of a Strava export could not be read', error)
    return { row, error: reasonOf(error, 'The file could not be read'), entry: named }
  }
}

/** What is no workout need not be unpacked to its end. */
function workoutHead({ name }: ZipEntry): HeadCheck {
  return {
    bytes: HEAD_BYTES,
    expect: (head) => {
      if (!isGzip(head) && detectFormat(head, name) === null) throw unknownContent(head)
    },
  }
}

/** Stores what was read and removes the temporary file; never fails. */
async function stored(deps: Deps, read: Exclude<Read, { again: string }>, unitM: number): Promise<ImportOutcome> {
  if ('error' in read) return { error: read.error }
  const { run, original } = read
  try {
    return await storeRun(deps, run, { origin: 'strava_archive', original, unitM })
  } catch (error) {
    deps.log.error('A run of a Strava export could not be stored', error)
    return { error: reasonOf(error, 'The workout could not be stored') }
  } finally {
    await discarded(read)
  }
}

async function discarded(read: Read): Promise<void> {
  const bytes = 'run' in read ? read.original?.bytes : null
  if (typeof bytes === 'string') await rm(bytes, { force: true })
}

function shownName({ filename }: StravaRow): string {
  return cutText(printableName(filename ?? TABLE), SHOWN_CHARACTERS)
}

/** What is stored stays stored and counted. */
export function endedEarly({ log }: Pick<Deps, 'log'>, tally: Tally, error: unknown): Tally {
  log.error('The import of a Strava export ended early', error)
  const otherwise = 'The import ended early because of an unexpected error; it can be repeated'
  tally.addRow(TABLE, { error: reasonOf(error, otherwise) })
  return tally
}

export type Tally = ReturnType<typeof tallyOf>

/** Counts of what became of the rows. */
export function tallyOf({ skippedOther, captionsProblem }: StravaZip) {
  const counts = { created: 0, skipped: 0, updated: 0 }
  const errorDetails: BulkSummary['errorDetails'] = []
  const warnings: BulkSummary['warnings'] = []
  let mediaImported = 0
  if (captionsProblem !== null) warnings.push({ filename: 'media.csv', message: captionsProblem })
  return {
    addRow: (filename: string, outcome: ImportOutcome) => {
      if ('error' in outcome) errorDetails.push({ filename, error: outcome.error })
      else counts[outcome.action] += 1
    },
    addMedia: (media: Awaited<ReturnType<typeof importMedia>>) => {
      mediaImported += media.stored
      warnings.push(...media.warnings)
    },
    summary: (): BulkSummary => ({
      totalProcessed: counts.created + counts.skipped + counts.updated + errorDetails.length,
      successful: counts.created,
      skipped: counts.skipped,
      updated: counts.updated,
      errors: errorDetails.length,
      errorDetails,
      skippedOther,
      mediaImported,
      warnings,
    }),
  }
}
