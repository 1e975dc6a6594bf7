import { rm } from 'node:fs/promises'
import type { Tx } from '../db/open.ts'
import type { DepsBy } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { AppError } from '../errors.ts'
import { FormatError } from '../formats/format.ts'
import { commitItem } from '../library/commit.ts'
import type { Done } from '../library/outcomes.ts'
import type { OpenReceipt } from '../library/receipts/record.ts'
import { type MediaRow, mediaOfWorkout } from '../media/queries.ts'
import { addingMedia, mediaFilename, storeMedia } from '../media/store.ts'
import { baseName } from '../zip/unpack.ts'
import { ZipError } from '../zip/zip-error.ts'
import type { MediaItem } from './kind.ts'
import type { Tally } from './tally.ts'

interface Adding {
  readonly outcome: Done
  readonly receipt: OpenReceipt | null
  readonly tally: Tally
}

/** Adds photos and videos to a run that was imported, unless it has them; failures are warnings. */
export async function addMedia(deps: DepsBy, media: readonly MediaItem[], adding: Adding): Promise<void> {
  for (const item of media) {
    try {
      await addOne(deps, item, adding)
    } catch (error) {
      adding.tally.warn({ filename: item.filename, message: sentenceOf(deps, error) })
    }
  }
}

async function addOne(deps: DepsBy, item: MediaItem, { outcome, receipt, tally }: Adding): Promise<void> {
  const filename = mediaFilename(baseName({ name: item.filename }))
  const known = mediaOfWorkout(deps.db, outcome.id)
  if (known.some((row) => row.filename === filename && row.fileSizeBytes === item.size)) return
  const unpacked = await item.file(deps.config.mediaMaxFileBytes)
  try {
    // media of a run created by this import is undone together with the run
    const add = (tx: Tx, row: MediaRow) => commitItem(tx, deps, addingMedia(tx, row), receipt)
    const about = { workoutId: outcome.id, caption: item.caption }
    const stored = await storeMedia(
      deps,
      { ...unpacked, filename },
      about,
      outcome.action === 'created' ? undefined : add,
    )
    if ('error' in stored) throw new FormatError(stored.error)
    tally.addMedia()
  } finally {
    await rm(unpacked.path, { force: true })
  }
}

function sentenceOf({ log }: DepsBy, error: unknown): string {
  if (error instanceof FormatError || error instanceof ZipError || error instanceof AppError) return error.message
  log.error('A photo or video of an export could not be stored', error)
  return reasonOf(error, 'The file could not be stored')
}
