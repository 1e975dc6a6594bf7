import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { AppError } from '../errors.ts'
import { FormatError } from '../formats/format.ts'
import type { StravaRow } from '../formats/strava/rows.ts'
import type { ImportOutcome } from '../library/add-run.ts'
import { type OpenReceipt, touchRevision } from '../library/receipts/record.ts'
import { type MediaRow, mediaOfWorkout } from '../media/queries.ts'
import { mediaFilename, storeMedia } from '../media/store.ts'
import { printableName } from '../texts.ts'
import type { ZipEntry } from '../zip/reader.ts'
import { baseName, unpacked } from '../zip/unpack.ts'
import { ZipError } from '../zip/zip-error.ts'
import type { BulkWarning } from './schemas.ts'
import type { StravaZip } from './zip.ts'

/**
 * Adds the photos and videos that a row names to its workout, except those that it has already. A file that cannot be
 * added gives a warning and does not affect the others.
 */
export async function importMedia(
  deps: Deps,
  source: StravaZip,
  { row, outcome, receipt }: MediaOfRow,
): Promise<{ readonly stored: number; readonly warnings: readonly BulkWarning[] }> {
  const warnings: BulkWarning[] = []
  let stored = 0
  for (const named of row.media) {
    try {
      const media = await importFile(deps, source, { named, workoutId: outcome.id })
      if (media === null) continue
      stored += 1
      // media of a run created by this import is undone together with the run
      if (outcome.action !== 'created') noteAdded(deps, receipt, media)
    } catch (error) {
      warnings.push({ filename: printableName(named), message: sentenceOf(deps, error) })
    }
  }
  return { stored, warnings }
}

interface MediaOfRow {
  readonly row: StravaRow
  /** The outcome for its run. */
  readonly outcome: Exclude<ImportOutcome, { readonly error: string }>
  readonly receipt: OpenReceipt | null
}

function noteAdded({ db }: Deps, receipt: OpenReceipt | null, { id, workoutId, filename }: MediaRow): void {
  db.transaction((tx) => {
    const revision = touchRevision(tx, workoutId)
    receipt?.write(tx, {
      outcome: 'changed',
      workoutId,
      filename,
      before: { what: 'media', mediaId: id },
      beforeRevision: revision?.before ?? null,
      afterRevision: revision?.after ?? null,
    })
  })
}

/** @returns null when the workout already has a file of that name and size */
async function importFile(
  deps: Deps,
  source: StravaZip,
  { named, workoutId }: { readonly named: string; readonly workoutId: string },
): Promise<MediaRow | null> {
  const { dataDir, mediaMaxFileBytes } = deps.config
  const entry = source.entry(named)
  if (isThere(deps, workoutId, entry)) return null
  const options = { tmpDir: join(dataDir, 'tmp'), maxBytes: mediaMaxFileBytes }
  const path = await unpacked(source.zip, entry, options)
  try {
    const file = { filename: baseName(entry), size: entry.size, path, bytes: () => Bun.file(path).bytes() }
    const outcome = await storeMedia(deps, file, { workoutId, caption: source.caption(named) })
    if ('error' in outcome) throw new FormatError(outcome.error)
    return outcome
  } finally {
    await rm(path, { force: true })
  }
}

function isThere({ db }: Deps, workoutId: string, entry: ZipEntry): boolean {
  const filename = mediaFilename(baseName(entry))
  return mediaOfWorkout(db, workoutId).some((row) => row.filename === filename && row.fileSizeBytes === entry.size)
}

function sentenceOf({ log }: Deps, error: unknown): string {
  if (error instanceof FormatError || error instanceof ZipError || error instanceof AppError) return error.message
  log.error('A media file of a Strava export could not be stored', error)
  return reasonOf(error, 'The file could not be stored')
}
