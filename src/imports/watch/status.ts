import { type Static, Type } from '@sinclair/typebox'
import { and, asc, count, desc, eq, max } from 'drizzle-orm'
import { printableName } from '../../base/texts.ts'
import type { Db } from '../../db/open.ts'
import { watchFiles } from '../../db/schema-account.ts'
import { receipts } from '../../db/schema-receipts.ts'
import type { WatchOutcome } from '../../db/stored.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { pageOf } from '../../features/workouts/list.ts'
import { choice, flag, integer, meaning, moment, nullable, PAGE, PAGING, text, uuid } from '../../http/schemas.ts'
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
const ABOUT: Readonly<Record<WatchOutcome, string>> = {
  created: 'Files that brought a run',
  updated: 'Files that completed a stored run, also by merging',
  merged: 'Always 0: these count in updated',
  skipped: 'Duplicates, and runs that were deleted',
  ignored: 'Files without a run',
  error: 'Files that could not be read',
  waiting: 'Files that are not read yet, or tried again',
}
const Outcome = { ...choice(...OUTCOMES), title: 'WatchOutcome' }

export const WatchFolder = Type.Object(
  {
    enabled: flag('false: no folder is configured (WATCH_DIR)'),
    folders: Type.Array(
      Type.Object(
        {
          path: text('As configured'),
          state: meaning(
            'unreachable: missing, not mounted or suddenly empty; unreadable: Harrier has no permission to read it',
            choice('watching', 'unreachable', 'unreadable'),
          ),
          since: moment('Since when it is in this state'),
          unreadableFolders: Type.Array(text('As below the folder'), {
            description: 'Folders in it that cannot be read, at most 20',
          }),
        },
        { title: 'WatchedFolder' },
      ),
      { description: 'In the order of WATCH_DIR' },
    ),
    lastLookAt: nullable(moment('null: not yet since the start')),
    nextLookAt: nullable(moment('null: none is planned')),
    lastReceiptId: nullable(uuid('Receipt of the last round or archive that stored something or failed; null: none')),
    lastErrorAt: nullable(moment('When the latest unreadable file was found; null: there is none')),
    counts: Type.Object(
      countsOf((word) => integer({ minimum: 0, description: ABOUT[word] })),
      { title: 'WatchCounts', description: 'Files by result' },
    ),
  },
  { title: 'WatchFolder' },
)

export type WatchFolderAnswer = Static<typeof WatchFolder>

export const FilesQuery = Type.Object({
  ...PAGING,
  outcome: Type.Optional(meaning('Only files with this result', Outcome)),
})

export const WatchFilesPage = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: uuid('For the import'),
          folder: text('As configured'),
          name: text('Path below the folder'),
          sizeBytes: integer('Bytes'),
          modifiedAt: moment('By the file system'),
          outcome: meaning(
            'skipped: a duplicate, or its run was deleted; ignored: no run in it; error: unreadable; waiting: not read yet, ' +
              'or locked and tried again after 1, 5, 30 and 120 minutes, then daily',
            Outcome,
          ),
          reason: nullable(text('Why it has this result, for people; null: nothing to say')),
          workoutIds: Type.Array(uuid('Of a run'), { description: 'Stored runs that have its recordings' }),
          isDeleted: flag('true: it had runs, and all of them were deleted'),
          receiptId: nullable(uuid('Receipt of the round or import that read it; null: none was left')),
          lookedAt: moment('When it was last read, or first seen'),
          failingSince: nullable(moment('Unreadable since; null: it is readable')),
          nextAt: nullable(moment('When it is read or tried again; null: its result is final')),
        },
        { title: 'WatchedFile' },
      ),
      { description: 'Latest result first' },
    ),
    ...PAGE,
  },
  { title: 'WatchFilesPage' },
)

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
