import type { Tx } from '../../db/open.ts'
import type { media } from '../../db/schema.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import { removeFiles } from '../../library/collect.ts'
import {
  commitGroup,
  commitItem,
  filesOfMedia,
  insertRecording,
  type NewRecording,
  putAsideMedia,
  type RunChange,
} from '../../library/commit.ts'
import type { RunFiles } from '../../library/files/paths.ts'
import type { RawData } from '../../library/files/raw-data.ts'
import { storeWithFiles } from '../../library/store.ts'
import type { RestoreWork } from './work.ts'

/** A recording with its files. */
export interface RestoredRecording {
  readonly recording: NewRecording
  /** Path of its original; null: it has none. */
  readonly original: string | null
  /** What no original gives. */
  readonly rawData: RawData | null
}

/** Everything of one run that is known before its transaction. */
interface RestoredRun {
  readonly id: string
  /** Its name in the receipt. */
  readonly filename: string | null
  /** Those that are not stored yet. */
  readonly recordings: readonly RestoredRecording[]
  readonly media: readonly (typeof media.$inferSelect)[]
  /** Checked again within the transaction, when no other request can write. */
  readonly isStored: (tx: Tx) => boolean
  /** Its document, once its recordings are stored. */
  readonly change: (tx: Tx) => RunChange
  /** Rows in other data files and originals, as far as they were restored. */
  readonly counts: Readonly<Record<'routes' | 'splits' | 'timeSeries' | 'rawFiles', number>>
}

/** Stores a run with all its parts in one transaction. @returns whether it was not stored in the meantime */
export async function storeRun({ deps, report, receipt }: RestoreWork, run: RestoredRun): Promise<boolean> {
  const { id, filename, recordings, media: photos, isStored, change, counts } = run
  const ids = photos.map((row) => row.id)
  let isOurs = false
  try {
    isOurs = await storeWithFiles(deps, recordings.map(filesOf), (tx) => {
      if (isStored(tx)) return false
      for (const { recording } of recordings) insertRecording(tx, { ...recording, receiptId: receipt?.id ?? null })
      putAsideMedia(tx, deps, id, ids)
      const item = { outcome: 'created' as const, workoutId: id, filename }
      commitItem(tx, deps, { changes: [change(tx)], item }, receipt)
      const changes = photos.map((row) => ({ kind: 'media' as const, id: row.id, to: row }))
      commitGroup(tx, deps, { changes }, null)
      return true
    })
  } finally {
    await removeFiles(deps, filesOfMedia(isOurs ? [] : ids))
  }
  if (!isOurs) {
    receipt?.note({ outcome: 'skipped', filename, reason: 'It was stored in the meantime' })
    return false
  }
  report.imported('workouts')
  report.imported('splits', counts.splits)
  report.imported('media', photos.length)
  report.imported('rawFiles', counts.rawFiles)
  report.imported('routes', counts.routes)
  if (counts.timeSeries <= MAX_ROWS) report.imported('timeSeries', counts.timeSeries)
  return true
}

/** The files of a recording as they are stored: the original unchanged, raw data packed. */
function filesOf({ recording: { id, hasRaw }, original, rawData }: RestoredRecording): RunFiles {
  const bytes = new TextEncoder().encode(JSON.stringify(rawData))
  return {
    id,
    original: original === null ? null : { path: original },
    rawData: hasRaw ? Bun.zstdCompressSync(bytes, { level: 3 }) : null,
  }
}
