import { type Static, Type } from '@sinclair/typebox'
import { and, asc, count, desc, eq, max } from 'drizzle-orm'
import { printableName } from '../../base/texts.ts'
import type { Db } from '../../db/open.ts'
import { watchFiles } from '../../db/schema-account.ts'
import { receipts } from '../../db/schema-receipts.ts'
import type { WatchOutcome } from '../../db/stored.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { pageOf } from '../../features/workouts/list.ts'
import { choice, integer, nullable, PAGE, PAGING, Timestamp, Uuid } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { workoutExists } from '../../library/ids.ts'
import { runsOfFiles } from '../../library/stretches.ts'
import { isIn, WATCH_ACTOR } from './table.ts'
import type { Watch } from './watch.ts'

const OUTCOMES = ['created', 'updated', 'merged', 'skipped', 'ignored', 'error', 'waiting'] as const

/** Names of the numbers of files by result; of unreadable ones `errors`. */
const COUNTED = OUTCOMES.map((word) => (word === 'error' ? 'errors' : word))
const countsOf = <T>(of: (word: WatchOutcome) => T) =>
  Object.fromEntries(OUTCOMES.map((word, at) => [COUNTED[at]!, of(word)])) as Record<(typeof COUNTED)[number], T>
const moment = (description: string) => nullable(Type.String({ format: 'date-time', description }))

export const WatchFolder = Type.Object({
  enabled: Type.Boolean({ description: 'false: no folder is configured' }),
  folders: Type.Array(
    Type.Object({
      path: Type.String({ description: 'As configured' }),
      state: {
        ...choice('watching', 'unreachable', 'unreadable'),
        description:
          'unreachable: it does not exist, or is not mounted; unreadable: Harrier has no permission to read it',
      },
      since: Timestamp,
      unreadableFolders: Type.Array(Type.String(), { description: 'Folders in it that cannot be read, at most 20' }),
    }),
  ),
  lastLookAt: moment('null: not yet since the start'),
  nextLookAt: moment('null: none is planned'),
  lastReceiptId: nullable(Uuid),
  lastErrorAt: moment('When the latest unreadable file was found'),
  counts: Type.Object(
    countsOf(() => integer({ minimum: 0 })),
    { description: 'Files by result' },
  ),
})

export type WatchFolderAnswer = Static<typeof WatchFolder>

export const FilesQuery = Type.Object({
  ...PAGING,
  outcome: Type.Optional(choice(...OUTCOMES)),
})

export const WatchFilesPage = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Uuid,
      folder: Type.String({ description: 'As configured' }),
      name: Type.String({ description: 'Below the folder' }),
      sizeBytes: integer(),
      modifiedAt: Timestamp,
      outcome: choice(...OUTCOMES),
      reason: nullable(Type.String()),
      workoutIds: Type.Array(Uuid, { description: 'Stored runs that have its recordings' }),
      isDeleted: Type.Boolean({ description: 'It had runs, and all of them were deleted' }),
      receiptId: nullable(Uuid),
      lookedAt: Timestamp,
      failingSince: moment('Unreadable since; null: it is readable'),
      nextAt: moment('When it is read or tried again; null: its result is final'),
    }),
  ),
  ...PAGE,
})

export type WatchFilesAnswer = Static<typeof WatchFilesPage>

export function watchStatus({ db, config }: Pick<Deps, 'db' | 'config'>, watch: Watch): WatchFolderAnswer {
  const { folders, lastLookAt, nextLookAt } = watch.status()
  const { outcome, lookedAt } = watchFiles
  const ofFolders = db.select({ outcome, files: count(), last: max(lookedAt) }).from(watchFiles)
  const rows = ofFolders.where(isIn(config.watchDirs)).groupBy(outcome).all()
  return {
    enabled: watch.isOn,
    folders: folders.map(({ since, unreadable, ...folder }) => {
      return { ...folder, since: isoTime(since), unreadableFolders: unreadable.map(printableName) }
    }),
    lastLookAt: isoTimeOrNull(lastLookAt),
    nextLookAt: isoTimeOrNull(nextLookAt),
    lastReceiptId: lastReceiptId(db),
    lastErrorAt: isoTimeOrNull(rows.find((row) => row.outcome === 'error')?.last ?? null),
    counts: countsOf((word) => rows.find((row) => row.outcome === word)?.files ?? 0),
  }
}

/** One page of the files, the last decided first. @throws AppError 404 for a page past the end */
export function watchFilesPage(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { outcome: asked, ...paging }: Static<typeof FilesQuery>,
): WatchFilesAnswer {
  const where = and(isIn(config.watchDirs), asked === undefined ? undefined : eq(watchFiles.outcome, asked))
  const page = pageOf(db.select({ n: count() }).from(watchFiles).where(where).get()?.n ?? 0, paging)
  const rows = db
    .select()
    .from(watchFiles)
    .where(where)
    .orderBy(desc(watchFiles.lookedAt), asc(watchFiles.id))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  const counting = runsOfFiles(
    db,
    rows.flatMap(({ sha256, workoutIds }) => (sha256 === null || workoutIds.length === 0 ? [] : [sha256])),
  )
  const items = rows.map((row) => {
    const { id, folder, name, outcome, reason, receiptId, size } = row
    // runs that were merged, joined or separated since hold its recordings under other ids
    const workoutIds =
      counting.get(row.sha256 ?? '') ?? row.workoutIds.filter((workoutId) => workoutExists(db, workoutId))
    return {
      ...{ id, folder, name: printableName(name), outcome, reason, receiptId, workoutIds },
      ...{ sizeBytes: Math.max(0, size), modifiedAt: isoTime(row.modifiedAt) },
      isDeleted: row.workoutIds.length > 0 && workoutIds.length === 0,
      lookedAt: isoTime(row.lookedAt),
      failingSince: isoTimeOrNull(row.failingSince),
      nextAt: isoTimeOrNull(row.nextAt),
    }
  })
  return { items, ...page }
}

/** Receipt of the last round or archive that stored something or failed. */
function lastReceiptId(db: Db): string | null {
  const { id, actor, madeAt } = receipts
  const isOurs = eq(actor, WATCH_ACTOR)
  return db.select({ id }).from(receipts).where(isOurs).orderBy(desc(madeAt), desc(id)).limit(1).get()?.id ?? null
}
