import { type Static, Type } from '@sinclair/typebox'
import { and, asc, count, desc, eq, max, sql } from 'drizzle-orm'
import { printableName } from '../../base/texts.ts'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { watchFiles } from '../../db/schema-account.ts'
import { receipts } from '../../db/schema-receipts.ts'
import type { WatchOutcome } from '../../db/stored.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { pageOf } from '../../features/workouts/list.ts'
import { choice, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { runsOfFiles } from '../../library/stretches.ts'
import { isIn, WATCH_ACTOR } from './table.ts'
import type { Watch } from './watch.ts'

const OUTCOMES = ['created', 'updated', 'merged', 'skipped', 'ignored', 'error', 'waiting'] as const

const amount = () => integer({ minimum: 0 })
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
    {
      created: amount(),
      updated: amount(),
      merged: amount(),
      skipped: amount(),
      ignored: amount(),
      errors: amount(),
      waiting: amount(),
    },
    { description: 'Files by result' },
  ),
})

export type WatchFolderAnswer = Static<typeof WatchFolder>

export const FilesQuery = Type.Object({
  page: Type.Optional(integer({ default: 1 })),
  pageSize: Type.Optional(integer({ default: 20, description: 'at most 100' })),
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
  totalCount: integer(),
  page: integer(),
  pageSize: integer(),
  totalPages: integer(),
})

export type WatchFilesAnswer = Static<typeof WatchFilesPage>

export function watchStatus({ db, config }: Pick<Deps, 'db' | 'config'>, watch: Watch): WatchFolderAnswer {
  const { folders, lastLookAt, nextLookAt } = watch.status()
  const { outcome, lookedAt } = watchFiles
  const ofFolders = db.select({ outcome, files: count(), last: max(lookedAt) }).from(watchFiles)
  const rows = ofFolders.where(isIn(config.watchDirs)).groupBy(outcome).all()
  const filesOf = (word: WatchOutcome) => rows.find((row) => row.outcome === word)?.files ?? 0
  return {
    enabled: watch.isOn,
    folders: folders.map(({ since, unreadable, ...folder }) => {
      return { ...folder, since: isoTime(since), unreadableFolders: unreadable.map(printableName) }
    }),
    lastLookAt: isoTimeOrNull(lastLookAt),
    nextLookAt: isoTimeOrNull(nextLookAt),
    lastReceiptId: lastReceiptId(db),
    lastErrorAt: isoTimeOrNull(rows.find((row) => row.outcome === 'error')?.last ?? null),
    counts: {
      created: filesOf('created'),
      updated: filesOf('updated'),
      merged: filesOf('merged'),
      skipped: filesOf('skipped'),
      ignored: filesOf('ignored'),
      errors: filesOf('error'),
      waiting: filesOf('waiting'),
    },
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

/** Receipt of the last round or archive that stored something or failed. */
function lastReceiptId(db: Db): string | null {
  const { id, actor, madeAt } = receipts
  const isOurs = eq(actor, WATCH_ACTOR)
  return db.select({ id }).from(receipts).where(isOurs).orderBy(desc(madeAt), desc(id)).limit(1).get()?.id ?? null
}

function storedIds(db: Db, ids: readonly string[]): ReadonlySet<string> {
  if (ids.length === 0) return new Set()
  const found = db
    .select({ id: workouts.id })
    .from(workouts)
    .where(sql`${workouts.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
  return new Set(found.all().map(({ id }) => id))
}
