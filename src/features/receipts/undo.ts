import type { Static } from '@sinclair/typebox'
import { and, desc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import { emitRunEvents } from '../../base/events.ts'
import { gently } from '../../base/pace.ts'
import { isDiskFull } from '../../db/disk-full.ts'
import type { Db, Tx } from '../../db/open.ts'
import { preparedOnce } from '../../db/prepared.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import { commitUnsynced } from '../../db/transactions.ts'
import { type ChangeGroup, commitUnit, Outdated } from '../../library/commit.ts'
import type { DepsBy } from '../../library/deps.ts'
import { dayText } from '../../library/receipts/known-reason.ts'
import {
  announceReceipt,
  appendTo,
  beginReceipt,
  finishReceipt,
  removeReceipt,
  UNDOABLE,
  type WrittenReceipt,
} from '../../library/receipts/record.ts'
import { judge, type Pretended, plannedUndo, type StoredItem, type Verdict } from '../../library/undo.ts'
import { runNames } from './queries.ts'
import type { UndoAnswer } from './schemas.ts'

type Answer = Static<typeof UndoAnswer>
type Receipt = typeof receipts.$inferSelect

interface Asked {
  readonly isDry: boolean
  /** Whether runs that were changed since are undone as well: those of an import, a join, a split or the like. */
  readonly isForced: boolean
}

/**
 * Undoes a receipt, newest unit first, each in one transaction; when interrupted, calling it again continues. What was
 * changed since is kept and named. The undoing leaves a receipt and can be undone itself.
 * @throws AppError 404; 400 for a receipt that cannot be undone, is undone already, or is in progress
 */
export async function undoReceipt(deps: DepsBy, id: string, { isDry, isForced }: Asked): Promise<Answer> {
  const { db, events } = deps
  const receipt = undoable(deps, id)
  const units =
    'SELECT 1 FROM receipt_item WHERE receipt_id = ? GROUP BY receipt_id HAVING count(*) > 1 AND max(unit) = 0'
  const isOneUnit = db.$client.query(units).get(id) !== null
  const undoing: Undoing = { receipt, undoId: '', isForced, isOneUnit }
  const done: Done = { undone: 0, kept: [], runs: new Map() }
  if (isDry) {
    await dryRun(deps, undoing, done)
    return { receiptId: null, undone: done.undone, kept: named(db, done.kept), dryRun: true }
  }
  const undoId = begin(deps, receipt)
  let isComplete = false
  try {
    await eachUnit(deps, undoing, async (unit) =>
      note(deps, done, await undoneUnit(deps, { ...undoing, undoId }, unit)),
    )
    isComplete = true
  } finally {
    const isLeft = ended(deps, receipt, { undoId, isComplete })
    emitRunEvents(events, done.runs)
    if (isLeft) {
      announceReceipt(deps, undoId)
      events.emit({ event: 'receipt.undone', data: { id } })
    }
  }
  const { undone, kept } = done
  if (undone === 0 && kept.length === 0 && receipt.undoneAt !== null)
    throw invalid('It was already undone', { code: 'already_undone' })
  return { receiptId: undone === 0 ? null : undoId, undone, kept: named(db, kept), dryRun: false }
}

/** @throws AppError 404, 400 */
function undoable({ db, config, now }: DepsBy, id: string): Receipt {
  const receipt = db.select().from(receipts).where(eq(receipts.id, id)).get()
  if (receipt === undefined) throw notFound('Receipt')
  if (receipt.kind === 'recalculate')
    throw invalid('A recalculation cannot be undone; it can be repeated', { code: 'not_undoable' })
  if (receipt.finishedAt === null) throw invalid('It is still in progress', { code: 'in_progress' })
  if (config.undoDays === 0)
    throw invalid('It cannot be undone: nothing is kept here (UNDO_DAYS=0)', { code: 'not_undoable' })
  if (receipt.undoUntil === null)
    throw invalid('It cannot be undone: nothing was kept for it', { code: 'not_undoable' })
  if (receipt.undoUntil < now())
    throw invalid(`It could be undone until ${dayText(receipt.undoUntil)}`, { code: 'not_undoable' })
  if (receipt.undoneAt !== null && unitBefore(db, receipt.id).length === 0)
    throw invalid('It was already undone', { code: 'already_undone' })
  return receipt
}

interface Kept {
  readonly workoutId: string | null
  readonly reason: string
}

function named(db: Db, kept: readonly Kept[]): Answer['kept'] {
  const names = runNames(db, kept)
  return kept.map((one) => ({ ...one, workoutName: names.get(one.workoutId ?? '')?.name ?? null }))
}

/** The items of the newest unit that are not undone yet, newest first. @param before index of the last one of the unit after it */
export function unitBefore(tx: Tx, receiptId: string, before: number = Number.MAX_SAFE_INTEGER): StoredItem[] {
  return openUnit(tx).all({ receiptId, before })
}

// prepared, since it is asked for each of many runs
const openUnit = preparedOnce((tx) => {
  const { seq, undoneBy, outcome, unit } = receiptItems
  const isOpen = and(
    eq(receiptItems.receiptId, sql.placeholder('receiptId')),
    lt(seq, sql.placeholder('before')),
    isNull(undoneBy),
    inArray(outcome, [...UNDOABLE]),
  )
  const newest = tx.select({ unit }).from(receiptItems).where(isOpen).orderBy(desc(seq)).limit(1)
  return tx
    .select()
    .from(receiptItems)
    .where(and(isOpen, gte(seq, sql`(${newest})`)))
    .orderBy(desc(seq))
    .prepare()
})

interface Undoing {
  readonly receipt: Receipt
  readonly undoId: string
  readonly isForced: boolean
  /** Whether it is a join, a split or the like, which fails as one. */
  readonly isOneUnit: boolean
}

interface Done {
  undone: number
  readonly kept: Kept[]
  readonly runs: RunEffects
}

interface Judged {
  readonly item: StoredItem
  readonly verdict: Verdict
  readonly plan?: ChangeGroup
}

/** Judges a unit. @param pretended what undoing those before it would have left */
function judged(
  tx: Tx,
  { config: { dataDir } }: DepsBy,
  { isForced, isOneUnit }: Undoing,
  unit: readonly StoredItem[],
  pretended: Pretended = new Map(),
): Judged[] {
  const verdicts = judge(tx, { dataDir, isForced, isOneUnit, pretended }, unit)
  return unit.map((item, place) => ({ item, verdict: verdicts[place]! }))
}

async function dryRun(deps: DepsBy, undoing: Undoing, done: Done): Promise<void> {
  const pretended: Pretended = new Map()
  await eachUnit(deps, undoing, (unit) => note(deps, done, judged(deps.db, deps, undoing, unit, pretended)))
}

async function eachUnit(
  { db }: DepsBy,
  { receipt: { id } }: Undoing,
  work: (unit: readonly StoredItem[]) => void | Promise<void>,
): Promise<void> {
  for (let unit = unitBefore(db, id); unit.length > 0; unit = unitBefore(db, id, unit.at(-1)!.seq)) {
    await work(unit)
    await gently()
  }
}

function note(deps: DepsBy, done: Done, all: readonly Judged[]): void {
  for (const { item, verdict, plan } of all) {
    if (verdict === 'undone') done.undone += 1
    else if (verdict !== 'nothing') done.kept.push({ workoutId: item.workoutId, reason: verdict.kept })
    if (plan !== undefined) noteEffects(deps, item, plan, done.runs)
  }
}

type RunEffects = Map<string, 'created' | 'updated' | 'deleted'>

/** Notes the result of runs, which are announced together, and announces the rest. */
export function noteEffects(
  { events }: DepsBy,
  item: StoredItem,
  { changes }: ChangeGroup,
  runs: RunEffects = new Map(),
): RunEffects {
  for (const change of changes) {
    if (change.kind === 'run') {
      const isBack = item.outcome === 'deleted' && change.derived !== undefined
      runs.set(change.id, change.to === null ? 'deleted' : isBack ? 'created' : 'updated')
    } else if (change.kind === 'shoe') {
      events.emit({ event: change.to === null ? 'shoe.deleted' : 'shoe.created', data: { id: change.id } })
    } else if (change.kind === 'settings' || change.kind === 'place')
      events.emit({ event: 'settings.updated', data: {} })
  }
  return runs
}

/** The receipt of the undoing: a new one, or that of an interrupted attempt. */
function begin(deps: DepsBy, receipt: Receipt): string {
  const { id, origin, workoutId, undoneAt, undoneBy } = receipt
  return deps.db.transaction((tx) => {
    const about = { kind: 'undo', title: titleOf(receipt), undoes: id, origin, workoutId } as const
    const undoId = undoneBy !== null && undoneAt === null ? undoneBy : beginReceipt(tx, deps, about).id
    tx.update(receipts).set({ finishedAt: null }).where(eq(receipts.id, undoId)).run()
    tx.update(receipts).set({ undoneBy: undoId }).where(eq(receipts.id, id)).run()
    return undoId
  })
}

function titleOf({ kind, title }: Pick<Receipt, 'kind' | 'title'>): string {
  const [, word, rest] = /^(Undid|Redid): (.*)$/s.exec(title) ?? []
  if (kind !== 'undo' || rest === undefined) return `Undid: ${title}`
  return `${word === 'Undid' ? 'Redid' : 'Undid'}: ${rest}`
}

/** Undoes a unit; again when something of it was changed after the planning. @returns the result of its items */
async function undoneUnit(deps: DepsBy, undoing: Undoing, unit: readonly StoredItem[]): Promise<Judged[]> {
  const { db } = deps
  for (;;) {
    const all = judged(db, deps, undoing, unit)
    try {
      const planned: Judged[] = []
      for (const one of all)
        planned.push(one.verdict === 'undone' ? { ...one, plan: await plannedUndo(deps, one.item) } : one)
      // not synced: the end of the receipt is, and with it this
      commitUnsynced(db, () =>
        db.transaction((tx) => {
          if (!Bun.deepEquals(judged(tx, deps, undoing, unit), all)) throw new Outdated()
          const plans = planned.flatMap(({ item, plan }) => (plan === undefined ? [] : { item, plan }))
          undoUnit(tx, deps, plans, appendTo(tx, undoing.undoId))
        }),
      )
      return planned
    } catch (error) {
      if (error instanceof Outdated) continue
      const kept = whyKept(deps, undoing, unit[0]!, error)
      return all.map(({ item, verdict }) => ({ item, verdict: verdict === 'undone' ? { kept } : verdict }))
    }
  }
}

/** @throws errors that concern more than this unit */
function whyKept({ log }: DepsBy, { receipt, isOneUnit }: Undoing, { seq }: StoredItem, error: unknown): string {
  if (isDiskFull(error) || isOneUnit) throw error
  if (error instanceof AppError) return error.message
  log.error(`The item ${seq} of the receipt ${receipt.id} could not be undone`, error)
  return 'A part of it cannot be read'
}

/** Commits the undoing of a unit, with its items of the receipt. @throws Outdated; AppError 400 as `commitGroup` */
export function undoUnit(
  tx: Tx,
  deps: DepsBy,
  unit: readonly { readonly item: StoredItem; readonly plan: ChangeGroup }[],
  left: WrittenReceipt,
): void {
  commitUnit(
    tx,
    deps,
    unit.map(({ plan }) => plan),
    left,
  )
  for (const { item } of unit) markUndone(tx, item, left.id, deps.now())
}

/** @returns false when nothing was undone, in which case there is no receipt */
function ended(
  { db, now }: DepsBy,
  { id, undoneBy }: Receipt,
  { undoId, isComplete }: { readonly undoId: string; readonly isComplete: boolean },
): boolean {
  const isLeft = appendTo(db, undoId).nextSeq() > 0
  const state = isLeft ? { undoneAt: isComplete ? now() : null, undoneBy: undoId } : { undoneBy }
  db.transaction((tx) => {
    tx.update(receipts).set(state).where(eq(receipts.id, id)).run()
    if (isLeft) finishReceipt(tx, undoId, { nowMs: now() })
    else removeReceipt(tx, undoId)
  })
  return isLeft
}

// Which items of which receipts are undone. Undoing can itself be undone, so the state of each item depends on the item
// that undid it.

interface ItemPlace {
  readonly receiptId: string
  readonly seq: number
}

/**
 * Marks an item as undone by a receipt; null: as not undone, since what undid it was undone. An item that it had undone
 * itself changes the other way round, and so on down to the original change.
 */
function markUndone(tx: Tx, { receiptId, seq }: ItemPlace, undoneBy: string | null, nowMs: number): void {
  const { $client: client } = tx
  client.query('UPDATE receipt_item SET undone_by = ? WHERE receipt_id = ? AND seq = ?').run(undoneBy, receiptId, seq)
  const undone = client
    .query<ItemPlace, [string, number]>(
      `SELECT receipt.undoes AS receiptId, item.undoes_seq AS seq FROM receipt_item AS item
       JOIN receipt ON receipt.id = item.receipt_id
       WHERE item.receipt_id = ? AND item.seq = ? AND receipt.undoes IS NOT NULL AND item.undoes_seq IS NOT NULL`,
    )
    .get(receiptId, seq)
  if (undone === null) return
  const by = undoneBy === null ? receiptId : null
  markUndone(tx, undone, by, nowMs)
  const others = client.query('SELECT 1 FROM receipt_item WHERE receipt_id = ? AND undone_by IS NOT NULL LIMIT 1')
  if (by === null && others.get(undone.receiptId) !== null) return
  const state = { undoneAt: by === null ? null : nowMs, undoneBy: by }
  tx.update(receipts).set(state).where(eq(receipts.id, undone.receiptId)).run()
}
