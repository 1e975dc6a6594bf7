import type { Static } from '@sinclair/typebox'
import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { documents } from '../db/schema-documents.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { notFound } from '../errors.ts'
import type { Gone } from '../library/commit.ts'
import { HAS_FORMER, UNDOABLE } from '../library/receipts/record.ts'
import { paging } from '../workouts/list.ts'
import type { ItemsQuery, Receipt, ReceiptDetail, ReceiptPage, ReceiptsQuery } from './schemas.ts'

export const PAGE_SIZE = { standard: 20, largest: 100 }

type Row = typeof receipts.$inferSelect

/** One page of receipts, newest first. @throws AppError 404 for a page past the end of a list that is not empty */
export function listReceipts(tx: Tx, asked: Static<typeof ReceiptsQuery>): Static<typeof ReceiptPage> {
  const where = conditions(asked)
  const total = tx.select({ n: count() }).from(receipts).where(where).get()?.n ?? 0
  const page = pageOf(total, asked)
  const rows = tx
    .select()
    .from(receipts)
    .where(where)
    .orderBy(desc(receipts.madeAt), desc(receipts.id))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  const names = runNames(
    tx,
    rows.flatMap(({ workoutId }) => workoutId ?? []),
  )
  return { items: rows.map((row) => receiptObject(row, names)), ...page }
}

/** @throws AppError 404 */
export function receiptDetail(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  id: string,
  { outcome, ...asked }: Static<typeof ItemsQuery>,
): Static<typeof ReceiptDetail> {
  const row = db.select().from(receipts).where(eq(receipts.id, id)).get()
  if (row === undefined) throw notFound('Receipt')
  const where = and(
    eq(receiptItems.receiptId, id),
    outcome === undefined ? undefined : eq(receiptItems.outcome, outcome),
  )
  const total = db.select({ n: count() }).from(receiptItems).where(where).get()?.n ?? 0
  const page = pageOf(total, asked)
  const items = db
    .select(ITEM)
    .from(receiptItems)
    .where(where)
    .orderBy(asc(receiptItems.seq))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  const names = runNames(
    db,
    [row.workoutId, ...items.map(({ workoutId }) => workoutId)].filter((one) => one !== null),
  )
  const isOpen = row.kind !== 'recalculate' && row.finishedAt !== null && (row.undoUntil ?? 0) >= now()
  const objects = items.map(({ hasFormer, undoneBy, ...item }) => ({
    ...item,
    workoutName: names.get(item.workoutId ?? '')?.name ?? null,
    startedAt: timeOrNull(names.get(item.workoutId ?? '')?.startedAt ?? null),
    canUndo: isOpen && undoneBy === null && hasFormer === 1 && UNDOABLE.includes(item.outcome),
  }))
  return { ...receiptObject(row, names), warnings: [...row.warnings], items: { items: objects, ...page } }
}

const ITEM = {
  seq: receiptItems.seq,
  filename: receiptItems.filename,
  workoutId: receiptItems.workoutId,
  outcome: receiptItems.outcome,
  reason: receiptItems.reason,
  undoneBy: receiptItems.undoneBy,
  hasFormer: sql<0 | 1>`${sql.raw(HAS_FORMER)}`,
}

function conditions({ kind, workoutId }: Static<typeof ReceiptsQuery>): SQL | undefined {
  const id = workoutId?.toLowerCase()
  const ofRun = id && tableOf(id)
  return and(
    kind === undefined ? undefined : eq(receipts.kind, kind),
    id === undefined ? undefined : or(eq(receipts.workoutId, id), ofRun || undefined),
  )
}

function tableOf(workoutId: string): SQL {
  return sql`${receipts.id} IN (SELECT receipt_id FROM receipt_item WHERE workout_id = ${workoutId})`
}

/** @throws AppError 404 */
export function pageOf(totalCount: number, asked: { page?: number; pageSize?: number }) {
  const { page, pageSize } = paging(asked, PAGE_SIZE)
  const totalPages = Math.ceil(totalCount / pageSize)
  if (totalPages > 0 && page > totalPages) throw notFound('Page')
  return { totalCount, page, pageSize, totalPages }
}

interface RunName {
  readonly name: string | null
  readonly startedAt: number
}

/** Names of workouts, including those in the trash; one deleted for good has none. */
export function runNames(tx: Tx, ids: readonly string[]): ReadonlyMap<string, RunName> {
  if (ids.length === 0) return new Map()
  const { id, name, startedAt } = workouts
  const trashed = tx
    .select({ id: documents.id, gone: documents.gone })
    .from(documents)
    .where(and(inArray(documents.id, [...ids]), isNull(documents.body)))
    .all()
    .map(({ id: runId, gone }) => ({ ...(JSON.parse(gone ?? '{}') as Gone), id: runId }))
  const stored = tx
    .select({ id, name, startedAt })
    .from(workouts)
    .where(inArray(id, [...ids]))
    .all()
  return new Map([...trashed, ...stored].map((row) => [row.id, row]))
}

function receiptObject(row: Row, names: ReadonlyMap<string, RunName>): Static<typeof Receipt> {
  const { id, kind, origin, actor, title, undoneBy, workoutId } = row
  const { error: errors, ...counts } = row.counts
  return {
    id,
    kind,
    origin,
    actor,
    title,
    madeAt: isoTime(row.madeAt),
    finishedAt: timeOrNull(row.finishedAt),
    undoUntil: timeOrNull(row.undoUntil),
    undoneAt: timeOrNull(row.undoneAt),
    undoneBy,
    counts: { ...counts, errors },
    workoutId,
    workoutName: names.get(workoutId ?? '')?.name ?? null,
  }
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms)
}
