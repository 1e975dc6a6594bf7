import type { Static } from '@sinclair/typebox'
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { invalid, notFound } from '../../base/errors.ts'
import { emitRunEvents } from '../../base/events.ts'
import { gently } from '../../base/pace.ts'
import type { Tx } from '../../db/open.ts'
import { documents, earlierVersions } from '../../db/schema-documents.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { DAY_MS } from '../../engine/units.ts'
import { whileCurrent } from '../../library/change-run.ts'
import { removeFiles } from '../../library/collect.ts'
import { discardRun, type Gone } from '../../library/commit.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { documentRow } from '../../library/documents/run.ts'
import { announceReceipt, beginReceipt } from '../../library/receipts/record.ts'
import { STORED_AGAIN } from '../../library/stretches.ts'
import { judge, plannedUndo, type StoredItem } from '../../library/undo.ts'
import { pageOf } from '../workouts/list.ts'
import type { PageQuery, TrashPage } from './schemas.ts'
import { noteEffects, undoUnit, unitBefore } from './undo.ts'

const SLICE = 50

/** One page of the trash, last deleted first. @throws AppError 404 for a page past the end */
export function listTrash({ db, config }: Deps, asked: Static<typeof PageQuery>): Static<typeof TrashPage> {
  const all = db.select({ id: documents.id, gone: documents.gone }).from(documents).where(isNull(documents.body)).all()
  const gone = all.flatMap((row) => (row.gone === null ? [] : { id: row.id, ...(JSON.parse(row.gone) as Gone) }))
  const page = pageOf(gone.length, asked)
  const first = (page.page - 1) * page.pageSize
  const shown = gone
    .toSorted((a, b) => b.deletedAt - a.deletedAt || b.receiptId.localeCompare(a.receiptId) || a.id.localeCompare(b.id))
    .slice(first, first + page.pageSize)
  const items = shown.map(
    ({ id: workoutId, utcOffsetMinutes = null, runType = null, movingTimeS, startedAt, deletedAt, ...run }) => ({
      ...run,
      workoutId,
      utcOffsetMinutes,
      runType,
      movingTimeS: movingTimeS ?? run.durationS,
      startedAt: isoTime(startedAt),
      deletedAt: isoTime(deletedAt),
      purgeAt: isoTime(deletedAt + config.undoDays * DAY_MS),
    }),
  )
  return { items, ...page, keptDays: config.undoDays }
}

/**
 * Brings a run back with everything that it had.
 * @throws AppError 404 for one that is not in the trash; 400 when the same run is stored again
 */
export async function restoreFromTrash(deps: DepsBy, workoutId: string): Promise<void> {
  const { db, events, config, now } = deps
  const { item, plan, receiptId, isUndone } = await whileCurrent(db, [workoutId], async () => {
    const item = itemOf(db, workoutId)
    const [verdict] = judge(db, { dataDir: config.dataDir, isForced: false, pretended: new Map() }, [item])
    if (typeof verdict === 'object')
      throw invalid(verdict.kept, { code: verdict.kept === STORED_AGAIN ? 'would_overlap' : 'not_undoable' })
    const plan = await plannedUndo(deps, item)
    return db.transaction((tx) => {
      const about = { kind: 'undo', title: 'Restored from the trash', workoutId, undoes: item.receiptId } as const
      const left = beginReceipt(tx, deps, about)
      undoUnit(tx, deps, [{ item, plan }], left)
      left.end(tx)
      return { item, plan, receiptId: left.id, isUndone: markReceipt(tx, item.receiptId, left.id, now()) }
    })
  })
  emitRunEvents(events, noteEffects(deps, item, plan))
  announceReceipt(deps, receiptId)
  if (isUndone) events.emit({ event: 'receipt.undone', data: { id: item.receiptId } })
}

/** The item that moved the run to the trash; made up when receipts that old are no longer kept. @throws AppError 404 */
function itemOf(tx: Tx, workoutId: string): StoredItem {
  const kept = tx
    .select({ receiptId: earlierVersions.receiptId, seq: earlierVersions.itemSeq })
    .from(earlierVersions)
    .where(
      and(eq(earlierVersions.documentId, workoutId), eq(earlierVersions.kind, 'run'), isNotNull(earlierVersions.body)),
    )
    .orderBy(desc(earlierVersions.seq))
    .get()
  if (kept === undefined || !isTrashed(tx, workoutId)) throw notFound('Workout')
  const isItem = and(eq(receiptItems.receiptId, kept.receiptId), eq(receiptItems.seq, kept.seq))
  const unknown = { filename: null, reason: null, undoesSeq: null, undoneBy: null, unit: kept.seq }
  return tx.select().from(receiptItems).where(isItem).get() ?? { ...unknown, ...kept, workoutId, outcome: 'deleted' }
}

/** Marks a receipt as undone once none of its items is left to undo. @returns whether it is */
function markReceipt(tx: Tx, receiptId: string, undoneBy: string, nowMs: number): boolean {
  if (unitBefore(tx, receiptId).length > 0) return false
  const set = tx.update(receipts).set({ undoneAt: nowMs, undoneBy }).where(eq(receipts.id, receiptId))
  return set.returning({ id: receipts.id }).all().length > 0
}

function isTrashed(tx: Tx, id: string): boolean {
  return documentRow(tx, id)?.body === null
}

export async function deleteFromTrash(deps: Deps, workoutId: string): Promise<void> {
  if (!isTrashed(deps.db, workoutId)) throw notFound('Workout')
  await discard(deps, [workoutId])
}

/** Deletes everything that is in the trash now permanently; other requests are served in between. */
export async function emptyTrash(deps: Deps): Promise<void> {
  const trashed = deps.db.select({ id: documents.id }).from(documents).where(isNull(documents.body)).all()
  for (let at = 0; at < trashed.length; at += SLICE) {
    await discard(
      deps,
      trashed.slice(at, at + SLICE).map(({ id }) => id),
    )
    await gently()
  }
}

async function discard(deps: Deps, ids: readonly string[]): Promise<void> {
  const files = deps.db.transaction((tx) =>
    ids.flatMap((id) => (isTrashed(tx, id) ? discardRun(tx, id, deps.now()) : [])),
  )
  await removeFiles(deps, files)
}
