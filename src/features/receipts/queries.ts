import type { Static } from '@sinclair/typebox'
import { and, asc, count, desc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { documents } from '../../db/schema-documents.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { MOST_IDS, SHORT_RECORDING } from '../../engine/limits.ts'
import type { Gone } from '../../library/commit.ts'
import type { Deps } from '../../library/deps.ts'
import { HAS_EARLIER, HAS_UNDOABLE, UNDOABLE } from '../../library/receipts/record.ts'
import { pageOf } from '../workouts/list.ts'
import type { ItemsQuery, Receipt, ReceiptDetail, ReceiptPage, ReceiptsQuery } from './schemas.ts'

type Row = typeof receipts.$inferSelect & { readonly hasUndoable: 0 | 1 }

const ROW = { ...getTableColumns(receipts), hasUndoable: sql<0 | 1>`${sql.raw(HAS_UNDOABLE)}` }

type Needs = Pick<Deps, 'db' | 'config' | 'now'>

/** One page of receipts, newest first. @throws AppError 404 for a page past the end of a list that is not empty */
export function listReceipts(deps: Needs, asked: Static<typeof ReceiptsQuery>): Static<typeof ReceiptPage> {
  const { db } = deps
  const where = conditions(asked)
  const page = pageOf(rowCount(db, receipts, where), asked)
  const rows = db
    .select(ROW)
    .from(receipts)
    .where(where)
    .orderBy(desc(receipts.madeAt), desc(receipts.id))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  const names = runNames(db, rows)
  return { items: rows.map((row) => receiptObject(deps, row, names)), ...page }
}

const GONE = 'The run was deleted permanently'

/** @throws AppError 404 */
export function receiptDetail(
  deps: Needs,
  id: string,
  { outcome, ...asked }: Static<typeof ItemsQuery>,
): Static<typeof ReceiptDetail> {
  const { db } = deps
  const row = db.select(ROW).from(receipts).where(eq(receipts.id, id)).get()
  if (row === undefined) throw notFound('Receipt')
  const isAsked = outcome === undefined ? undefined : eq(receiptItems.outcome, outcome)
  const where = and(eq(receiptItems.receiptId, id), isAsked)
  const page = pageOf(rowCount(db, receiptItems, where), asked)
  const items = db
    .select(ITEM)
    .from(receiptItems)
    .where(where)
    .orderBy(desc(startOf), asc(receiptItems.filename), asc(receiptItems.seq))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  const names = runNames(db, [row, ...items])
  const isOpen = isStillOpen(deps, row)
  const objects = items.map(({ hasEarlier, undoneBy, ...item }) => {
    const run = names.get(item.workoutId ?? '')
    const isUndoable = UNDOABLE.includes(item.outcome)
    return {
      ...item,
      reason: item.reason ?? (isUndoable && item.workoutId !== null && run === undefined ? GONE : null),
      workoutName: run?.name ?? null,
      startedAt: isoTimeOrNull(run?.startedAt),
      utcOffsetMinutes: run?.utcOffsetMinutes ?? null,
      canUndo: isOpen && undoneBy === null && hasEarlier === 1 && isUndoable,
    }
  })
  const warnings = [...row.warnings]
  return {
    ...receiptObject(deps, row, names),
    warnings,
    items: { items: objects, ...page },
    shortRuns: shortRuns(db, id),
  }
}

/** Runs that came with a receipt, are short enough to be mistakes, and count; oldest first. */
function shortRuns(tx: Tx, receiptId: string): string[] {
  const { id, startedAt, distanceM, durationS, leftOut } = workouts
  const cameWith = sql`EXISTS (SELECT 1 FROM receipt_item AS item
    WHERE item.workout_id = ${id} AND item.receipt_id = ${receiptId} AND item.outcome = 'created')`
  return tx
    .select({ id })
    .from(workouts)
    .where(
      and(
        or(lt(distanceM, SHORT_RECORDING.distanceM), lt(durationS, SHORT_RECORDING.durationS)),
        eq(leftOut, false),
        cameWith,
      ),
    )
    .orderBy(asc(startedAt))
    .limit(MOST_IDS)
    .values()
    .map(([one]) => one)
}

/** When the run of an item began, also of one in the trash. */
const startOf = sql`coalesce((SELECT started_at FROM workout WHERE id = ${receiptItems.workoutId}),
  (SELECT gone ->> 'startedAt' FROM document WHERE id = ${receiptItems.workoutId}))`

const ITEM = {
  seq: receiptItems.seq,
  filename: receiptItems.filename,
  workoutId: receiptItems.workoutId,
  outcome: receiptItems.outcome,
  reason: receiptItems.reason,
  undoneBy: receiptItems.undoneBy,
  hasEarlier: sql<0 | 1>`${sql.raw(HAS_EARLIER)}`,
}

function conditions({ kind, workoutId }: Static<typeof ReceiptsQuery>): SQL | undefined {
  const id = workoutId?.toLowerCase()
  const isInItems = sql`${receipts.id} IN (SELECT receipt_id FROM receipt_item WHERE workout_id = ${id})`
  return and(
    kind === undefined ? undefined : eq(receipts.kind, kind),
    id === undefined ? undefined : or(eq(receipts.workoutId, id), isInItems),
  )
}

function rowCount(tx: Tx, table: typeof receipts | typeof receiptItems, where: SQL | undefined): number {
  return tx.select({ n: count() }).from(table).where(where).get()?.n ?? 0
}

interface RunName {
  readonly name: string | null
  readonly startedAt: number
  readonly utcOffsetMinutes?: number | null
}

/** Names of the workouts that rows are about, including those in the trash; one deleted permanently has none. */
export function runNames(tx: Tx, rows: readonly { readonly workoutId: string | null }[]): ReadonlyMap<string, RunName> {
  const ids = rows.flatMap(({ workoutId }) => workoutId ?? [])
  if (ids.length === 0) return new Map()
  const { id, name, startedAt, utcOffsetMinutes } = workouts
  const trashed = tx
    .select({ id: documents.id, gone: documents.gone })
    .from(documents)
    .where(and(inArray(documents.id, ids), isNull(documents.body)))
    .all()
    .map(({ id: runId, gone }) => ({ ...(JSON.parse(gone ?? '{}') as Gone), id: runId }))
  const stored = tx.select({ id, name, startedAt, utcOffsetMinutes }).from(workouts).where(inArray(id, ids)).all()
  return new Map([...trashed, ...stored].map((row) => [row.id, row]))
}

function isStillOpen({ config, now }: Needs, { kind, finishedAt, undoUntil }: Row): boolean {
  return config.undoDays > 0 && kind !== 'recalculate' && finishedAt !== null && (undoUntil ?? 0) >= now()
}

function receiptObject(deps: Needs, stored: Row, names: ReadonlyMap<string, RunName>): Static<typeof Receipt> {
  const {
    counts: { error: errors, ...counts },
    warnings: _,
    undoes: __,
    hasUndoable,
    ...row
  } = stored
  return {
    ...row,
    madeAt: isoTime(row.madeAt),
    finishedAt: isoTimeOrNull(row.finishedAt),
    undoUntil: deps.config.undoDays === 0 ? null : isoTimeOrNull(row.undoUntil),
    undoneAt: isoTimeOrNull(row.undoneAt),
    canUndo: hasUndoable === 1 && isStillOpen(deps, stored),
    counts: { ...counts, errors },
    workoutName: names.get(row.workoutId ?? '')?.name ?? null,
  }
}
