import type { Static } from '@sinclair/typebox'
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { documents, formers } from '../db/schema-documents.ts'
import { receiptItems } from '../db/schema-receipts.ts'
import type { Deps, DepsBy } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { invalid, notFound } from '../errors.ts'
import { discardRun, type Gone, Outdated } from '../library/commit.ts'
import { documentRow } from '../library/documents/run.ts'
import { removeFiles } from '../library/purge.ts'
import { beginReceipt, DAY_MS, tellReceipt } from '../library/receipts/record.ts'
import { commitUndo, effectsOf, judge, plannedUndo, type StoredItem } from '../library/undo.ts'
import { createPace } from '../pace.ts'
import { tellEffects } from './effects.ts'
import { markReceipt, markUndone } from './marks.ts'
import { pageOf } from './queries.ts'
import type { PageQuery, TrashPage } from './schemas.ts'

/** Runs removed in one transaction. */
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
  const items = shown.map(({ id: workoutId, receiptId, name, startedAt, distanceM, durationS, deletedAt }) => ({
    workoutId,
    receiptId,
    name,
    startedAt: isoTime(startedAt),
    distanceM,
    durationS,
    deletedAt: isoTime(deletedAt),
    purgeAt: isoTime(deletedAt + config.undoDays * DAY_MS),
  }))
  return { items, ...page, keptDays: config.undoDays }
}

/**
 * Brings a run back with everything that it had.
 * @throws AppError 404 for one that is not in the trash; 400 when the same run is stored again
 */
export async function restoreFromTrash(deps: DepsBy, workoutId: string): Promise<void> {
  const { db, events, now } = deps
  const judging = { dataDir: deps.config.dataDir, isForced: false }
  for (;;) {
    const item = itemOf(db, workoutId)
    const verdict = judge(db, judging, item)
    if (typeof verdict === 'object') throw invalid(verdict.kept)
    const plan = await plannedUndo(deps, item)
    try {
      const { receiptId, isUndone } = db.transaction((tx) => {
        const about = { kind: 'undo', title: 'Brought back from the trash', workoutId, undoes: item.receiptId } as const
        const left = beginReceipt(tx, deps, about)
        const itemSeq = left.nextSeq()
        left.write(tx, commitUndo(tx, deps, plan, { receiptId: left.id, itemSeq }), itemSeq)
        left.end(tx)
        markUndone(tx, item, left.id, now())
        return { receiptId: left.id, isUndone: markReceipt(tx, item.receiptId, left.id, now()) }
      })
      tellEffects(deps, effectsOf(plan))
      tellReceipt(deps, receiptId)
      if (isUndone) events.emit({ event: 'receipt.undone', data: { id: item.receiptId } })
      return
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    }
  }
}

/** The item that moved the run to the trash; made up when receipts that old are no longer kept. @throws AppError 404 */
function itemOf(tx: Tx, workoutId: string): StoredItem {
  if (!isTrashed(tx, workoutId)) throw notFound('Workout')
  const kept = tx
    .select({ receiptId: formers.receiptId, seq: formers.itemSeq })
    .from(formers)
    .where(and(eq(formers.documentId, workoutId), eq(formers.kind, 'run'), isNotNull(formers.body)))
    .orderBy(desc(formers.seq))
    .get()
  if (kept === undefined) throw notFound('Workout')
  const { receiptId, seq } = kept
  const isItem = and(eq(receiptItems.receiptId, receiptId), eq(receiptItems.seq, seq))
  const nothing = {
    filename: null,
    reason: null,
    beforeRevision: null,
    afterRevision: null,
    undoesSeq: null,
    undoneBy: null,
  }
  return (
    tx.select().from(receiptItems).where(isItem).get() ?? { ...nothing, receiptId, seq, workoutId, outcome: 'deleted' }
  )
}

function isTrashed(tx: Tx, id: string): boolean {
  return documentRow(tx, id)?.body === null
}

/** Deletes one run in the trash for good. @throws AppError 404 */
export async function deleteFromTrash(deps: Deps, workoutId: string): Promise<void> {
  const files = deps.db.transaction((tx) => {
    if (!isTrashed(tx, workoutId)) throw notFound('Workout')
    return discardRun(tx, workoutId, deps.now())
  })
  await removeFiles(deps, files)
}

/** Deletes everything that is in the trash now for good; other requests are served in between. */
export async function emptyTrash(deps: Deps): Promise<void> {
  const pace = createPace()
  const ids = trashedIds(deps.db)
  for (let at = 0; at < ids.length; at += SLICE) {
    const slice = ids.slice(at, at + SLICE)
    const files = deps.db.transaction((tx) =>
      slice.flatMap((id) => (isTrashed(tx, id) ? discardRun(tx, id, deps.now()) : [])),
    )
    await removeFiles(deps, files)
    if (pace.needsRest()) await pace.rest()
  }
}

function trashedIds(db: Db): string[] {
  const rows = db.select({ id: documents.id }).from(documents).where(isNull(documents.body)).all()
  return rows.map(({ id }) => id)
}
