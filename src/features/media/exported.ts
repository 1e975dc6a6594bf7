import { rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { reasonOf } from '../../db/disk-full.ts'
import { FormatError } from '../../formats/format.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import type { Deps } from '../../library/deps.ts'
import type { Done } from '../../library/outcomes.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import { baseName } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { mediaOfWorkout } from './queries.ts'
import { mediaFilename, storeMedia } from './store.ts'

/** A temporary file. */
export interface UnpackedFile extends Omit<UploadedFile, 'filename'> {
  readonly path: string
}

/** A photo or video of the export of a service. */
export interface MediaItem {
  /** With its folders. */
  readonly filename: string
  readonly caption: string | null
  /** Bytes. */
  readonly size: number
  /** Asked for when the run is stored; the temporary file is then removed. Throws where the export does not have it. */
  readonly file: (maxBytes: number) => Promise<UnpackedFile>
}

/**
 * Adds a photo or video to a run that was imported, unless it has it.
 * @returns whether it was added, or why it cannot be
 */
export async function addExportedMedia(
  deps: Deps,
  { filename: path, caption, size, file }: MediaItem,
  { outcome, receipt }: { readonly outcome: Done; readonly receipt: OpenReceipt | null },
): Promise<boolean | { readonly error: string }> {
  const { db, config, log } = deps
  try {
    const filename = mediaFilename(baseName({ name: path }))
    const known = mediaOfWorkout(db, outcome.id)
    if (known.some((row) => row.filename === filename && row.fileSizeBytes === size)) return false
    const unpacked = await file(config.mediaMaxFileBytes)
    try {
      // media of a run created by this import is undone together with the run
      const noted = outcome.action === 'created' ? null : receipt
      const stored = await storeMedia(deps, { ...unpacked, filename }, { workoutId: outcome.id, caption }, noted)
      return 'error' in stored ? { error: stored.error } : true
    } finally {
      await rm(unpacked.path, { force: true })
    }
  } catch (error) {
    if (error instanceof FormatError || error instanceof ZipError || error instanceof AppError)
      return { error: error.message }
    log.error('A photo or video of an export could not be stored', error)
    return { error: reasonOf(error, 'The file could not be stored', deps.damage) }
  }
}
