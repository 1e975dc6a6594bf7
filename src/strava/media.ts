import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { AppError } from '../errors.ts'
import { FormatError } from '../formats/format.ts'
import type { StravaRow } from '../formats/strava/rows.ts'
import type { ImportOutcome } from '../library/add-run.ts'
import { commitItem } from '../library/commit.ts'
import type { OpenReceipt } from '../library/receipts/record.ts'
import { type MediaRow, mediaOfWorkout } from '../media/queries.ts'
import { addingMedia, mediaFilename, storeMedia } from '../media/store.ts'
import { printableName } from '../texts.ts'
import type { ZipEntry } from '../zip/reader.ts'
import { baseName, unpacked } from '../zip/unpack.ts'
import { ZipError } from '../zip/zip-error.ts'
import type { BulkWarning } from './schemas.ts'
import type { StravaZip } from './zip.ts'

/** Adds the photos and videos that a row names to its workout, unless it has them; failures are warnings. */
export async function importMedia(
  deps: Deps,
  source: StravaZip,
  { row, outcome, receipt }: MediaOfRow,
): Promise<{ readonly stored: number; readonly warnings: readonly BulkWarning[] }> {
  const warnings: BulkWarning[] = []
  let stored = 0
  const add: Write = (tx, added) => commitItem(tx, deps, addingMedia(tx, added), receipt)
  for (const named of row.media) {
    try {
      // media of a run created by this import is undone together with the run
      const write = outcome.action === 'created' ? undefined : add
      if (await importFile(deps, source, { named, workoutId: outcome.id, write })) stored += 1
    } catch (error) {
      warnings.push({ filename: printableName(named), message: sentenceOf(deps, error) })
    }
  }
  return { stored, warnings }
}

interface MediaOfRow {
  readonly row: StravaRow
  readonly outcome: Exclude<ImportOutcome, { readonly error: string }>
  readonly receipt: OpenReceipt | null
}

type Write = (tx: Tx, row: MediaRow) => void

/** @returns false when the workout already has a file of that name and size */
async function importFile(
  deps: Deps,
  source: StravaZip,
  {
    named,
    workoutId,
    write,
  }: { readonly named: string; readonly workoutId: string; readonly write: Write | undefined },
): Promise<boolean> {
  const { dataDir, mediaMaxFileBytes } = deps.config
  const entry = source.entry(named)
  if (isThere(deps, workoutId, entry)) return false
  const options = { tmpDir: join(dataDir, 'tmp'), maxBytes: mediaMaxFileBytes }
  const path = await unpacked(source.zip, entry, options)
  try {
    const file = { filename: baseName(entry), size: entry.size, path, bytes: () => Bun.file(path).bytes() }
    const outcome = await storeMedia(deps, file, { workoutId, caption: source.caption(named) }, write)
    if ('error' in outcome) throw new FormatError(outcome.error)
    return true
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
