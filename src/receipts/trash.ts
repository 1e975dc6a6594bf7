import type { Static } from '@sinclair/typebox'
import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { capsules, receiptItems, receipts } from '../db/schema-receipts.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { invalid, notFound } from '../errors.ts'
import { type Capsule, DAY_MS, trashedCapsule } from '../library/receipts/kept.ts'
import { dropCapsules, removeFiles } from '../library/receipts/purge.ts'
import { leaveReceipt, tellReceipt } from '../library/receipts/record.ts'
import { UNDOABLE } from '../library/receipts/restorable.ts'
import { judge, undoItem } from '../library/receipts/undo-item.ts'
import type { StoredItem } from '../library/receipts/undo-types.ts'
import { createPace } from '../pace.ts'
import { tellEffects } from './effects.ts'
import { mark, standAgain } from './marks.ts'
import { pageOf } from './queries.ts'
import type { PageQuery, TrashPage } from './schemas.ts'

/** Capsules removed in one transaction. */
const SLICE = 50

/** One page of the trash, last deleted first. @throws AppError 404 for a page past the end */
export function listTrash({ db, config }: Deps, asked: Static<typeof PageQuery>): Static<typeof TrashPage> {
  const isTrashed = eq(capsules.isDeleted, true)
  const total = db.select({ n: count() }).from(capsules).where(isTrashed).get()?.n ?? 0
  const page = pageOf(total, asked)
  const { workoutId, receiptId, name, startedAt, distanceM, durationS, madeAt } = capsules
  const rows = db
    .select({ workoutId, receiptId, name, startedAt, distanceM, durationS, madeAt })
    .from(capsules)
    .where(isTrashed)
    .orderBy(desc(madeAt), desc(capsules.id))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  const items = rows.map(({ madeAt: deletedMs, startedAt: startedMs, ...row }) => ({
    ...row,
    startedAt: isoTime(startedMs),
    deletedAt: isoTime(deletedMs),
    purgeAt: isoTime(deletedMs + config.undoDays * DAY_MS),
  }))
  return { items, ...page, keptDays: config.undoDays }
}

/**
 * Brings a workout back with everything that it had.
 * @throws AppError 404 for one that is not in the trash; 400 when the same run is stored again
 */
export function restoreFromTrash(deps: Deps, workoutId: string): void {
  const { db } = deps
  const { receiptId, effect, undoneId } = db.transaction((tx) => {
    const capsule = trashedCapsule(tx, workoutId)
    if (capsule === null) throw notFound('Workout')
    const item = itemOf(tx, capsule)
    const verdict = judge(tx, { ...deps, isForced: false }, item)
    if (typeof verdict === 'object') throw invalid(verdict.kept)
    const { item: made, effect } = undoItem(tx, { ...deps, isForced: false }, item)
    const about = { kind: 'undo', title: 'Brought back from the trash', workoutId, undoes: item.receiptId } as const
    const receiptId = leaveReceipt(tx, deps, about, [made])
    const isUndone = receiptId !== null && noteUndone(tx, deps, item, receiptId)
    return { receiptId, effect, undoneId: isUndone ? item.receiptId : null }
  })
  tellEffects(deps, effect === null ? [] : [effect])
  tellReceipt(deps, receiptId)
  if (undoneId !== null) deps.events.emit({ event: 'receipt.undone', data: { id: undoneId } })
}

/** The last item that moved the workout to the trash; made up when it is no longer kept. */
function itemOf(tx: Tx, { id, workoutId, receiptId }: Capsule): StoredItem {
  const isItem = and(eq(receiptItems.workoutId, workoutId), eq(receiptItems.capsuleId, id))
  return (
    tx.select().from(receiptItems).where(isItem).orderBy(desc(receiptItems.receiptId)).get() ?? {
      receiptId,
      seq: -1,
      workoutId,
      filename: null,
      outcome: 'deleted',
      reason: null,
      capsuleId: id,
      oldValues: null,
      beforeRevision: null,
      afterRevision: null,
      undoesSeq: null,
      undoneBy: null,
    }
  )
}

/** Marks the item as undone, and the receipt when none of its items is left to undo. @returns whether it is undone */
function noteUndone(tx: Tx, { now }: Deps, { receiptId, seq, undoesSeq }: StoredItem, undoneBy: string): boolean {
  mark(tx, { receiptId, seq, undoneBy })
  const receipt = tx.select({ undoes: receipts.undoes }).from(receipts).where(eq(receipts.id, receiptId)).get()
  standAgain(tx, receipt?.undoes ?? null, { seq: undoesSeq, oldValues: null, capsuleId: null, nowMs: now() })
  const rest = and(
    eq(receiptItems.receiptId, receiptId),
    isNull(receiptItems.undoneBy),
    inArray(receiptItems.outcome, [...UNDOABLE]),
  )
  if (tx.select({ seq: receiptItems.seq }).from(receiptItems).where(rest).get() !== undefined) return false
  const set = tx.update(receipts).set({ undoneAt: now(), undoneBy }).where(eq(receipts.id, receiptId))
  return set.returning({ id: receipts.id }).all().length > 0
}

/** Deletes one workout in the trash for good. @throws AppError 404 */
export async function deleteFromTrash(deps: Deps, workoutId: string): Promise<void> {
  const files = deps.db.transaction((tx) => {
    const isOfRun = and(eq(capsules.workoutId, workoutId), eq(capsules.isDeleted, true))
    const ids = tx.select({ id: capsules.id }).from(capsules).where(isOfRun).all()
    if (ids.length === 0) throw notFound('Workout')
    return dropCapsules(
      tx,
      ids.map(({ id }) => id),
    )
  })
  await removeFiles(deps, files)
}

/** Deletes everything that is in the trash now for good; other requests are served in between. */
export async function emptyTrash(deps: Deps): Promise<void> {
  const pace = createPace()
  const ids = deps.db
    .select({ id: capsules.id })
    .from(capsules)
    .where(eq(capsules.isDeleted, true))
    .all()
    .map(({ id }) => id)
  for (let at = 0; at < ids.length; at += SLICE) {
    const slice = ids.slice(at, at + SLICE)
    await removeFiles(
      deps,
      deps.db.transaction((tx) => dropCapsules(tx, slice)),
    )
    if (pace.needsRest()) await pace.rest()
  }
}
