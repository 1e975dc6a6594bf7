import type { Static } from '@sinclair/typebox'
import { printableName } from '../../base/texts.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import type { Deps } from '../../library/deps.ts'
import { runsOfFiles } from '../../library/stretches.ts'
import { filesPage, lastReceiptId, outcomeCounts, storedIds } from './ledger.ts'
import type { FilesQuery, WatchFilesAnswer, WatchFolderAnswer } from './schemas.ts'
import type { Watch } from './watch.ts'

export function watchStatus({ db, config }: Pick<Deps, 'db' | 'config'>, watch: Watch): WatchFolderAnswer {
  const { folders, lastLookAt, nextLookAt } = watch.status()
  const { counts, lastErrorAt } = outcomeCounts(db, config.watchDirs)
  const { error: errors, ...others } = counts
  return {
    enabled: watch.isOn,
    folders: folders.map(({ since, unreadable, ...folder }) => {
      return { ...folder, since: isoTime(since), unreadableFolders: unreadable.map(printableName) }
    }),
    lastLookAt: isoTimeOrNull(lastLookAt),
    nextLookAt: isoTimeOrNull(nextLookAt),
    lastReceiptId: lastReceiptId(db),
    lastErrorAt: isoTimeOrNull(lastErrorAt),
    counts: { ...others, errors },
  }
}

/** @throws AppError 404 for a page past the end */
export function watchFilesPage(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  asked: Static<typeof FilesQuery>,
): WatchFilesAnswer {
  const { rows, ...page } = filesPage(db, config.watchDirs, asked)
  const stored = storedIds(
    db,
    rows.flatMap(({ workoutIds }) => workoutIds),
  )
  const counting = runsOfFiles(
    db,
    rows.flatMap(({ sha256, workoutIds }) => (sha256 === null || workoutIds.length === 0 ? [] : [sha256])),
  )
  const items = rows.map((row) => {
    const { id, folder, name, outcome, reason, receiptId } = row
    // runs that were merged, joined or separated since hold its recordings under other ids
    const workoutIds = counting.get(row.sha256 ?? '') ?? row.workoutIds.filter((workoutId) => stored.has(workoutId))
    return {
      id,
      folder,
      name: printableName(name),
      outcome,
      reason,
      receiptId,
      workoutIds,
      sizeBytes: Math.max(0, row.size),
      modifiedAt: isoTime(row.modifiedAt),
      isDeleted: row.workoutIds.length > 0 && workoutIds.length === 0,
      lookedAt: isoTime(row.lookedAt),
      failingSince: isoTimeOrNull(row.failingSince),
      nextAt: isoTimeOrNull(row.nextAt),
    }
  })
  return { items, ...page }
}
