import type { Static } from '@sinclair/typebox'
import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import { emitRunEvents } from '../../base/events.ts'
import { gently } from '../../base/pace.ts'
import { isDiskFull } from '../../db/disk-full.ts'
import type { Db, Tx } from '../../db/open.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import { apart } from '../../db/transactions.ts'
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

/** Most items that are taken together, no unit has as many, and how long a transaction of several units may block others. */
const MOST_AT_ONCE = 32
const TRANSACTION_MS = 20
interface Asked {
  readonly isDry: boolean
  /** Whether runs that were changed since are undone as well: those of an import, a join, a split or the like. */
  readonly isForced: boolean
}

/**
 * Undoes a receipt, newest unit first, each in one transaction; when interrupted, calling it again continues. What was changed since is kept and named. The undoing leaves a receipt and can be undone
 * itself.
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
    await undoAll(deps, { ...undoing, undoId }, done)
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
  if (undone === 0 && kept.length === 0 && receipt.undoneAt !== null) throw invalid('It was already undone')
  return { receiptId: undone === 0 ? null : undoId, undone, kept: named(db, kept), dryRun: false }
}

/** @throws AppError 404, 400 */
function undoable({ db, config, now }: DepsBy, id: string): Receipt {
  const receipt = db.select().from(receipts).where(eq(receipts.id, id)).get()
  if (receipt === undefined) throw notFound('Receipt')
  if (receipt.kind === 'recalculate') throw invalid('A recalculation cannot be undone; it can be repeated')
  if (receipt.finishedAt === null) throw invalid('It is still in progress')
  if (config.undoDays === 0) throw invalid('It cannot be undone: nothing is kept here (UNDO_DAYS=0)')
  if (receipt.undoUntil === null) throw invalid('It cannot be undone: nothing was kept for it')
  if (receipt.undoUntil < now()) throw invalid(`It could be undone until ${dayText(receipt.undoUntil)}`)
  if (receipt.undoneAt !== null && itemsBefore(db, receipt.id, null).length === 0) {
    throw invalid('It was already undone')
  }
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

/** The next items that are not undone yet, newest first. @param before index of the last one; null: from the end */
export function itemsBefore(tx: Tx, receiptId: string, before: number | null): StoredItem[] {
  return tx
    .select()
    .from(receiptItems)
    .where(
      and(
        eq(receiptItems.receiptId, receiptId),
        isNull(receiptItems.undoneBy),
        inArray(receiptItems.outcome, [...UNDOABLE]),
        before === null ? undefined : lt(receiptItems.seq, before),
      ),
    )
    .orderBy(desc(receiptItems.seq))
    .limit(MOST_AT_ONCE)
    .all()
}

/** The next units, newest first, of which all items are read. */
function unitsBefore(tx: Tx, receiptId: string, before: number | null): StoredItem[][] {
  const found = itemsBefore(tx, receiptId, before)
  const units = [...Map.groupBy(found, ({ unit }) => unit).values()]
  return found.length === MOST_AT_ONCE && units.length > 1 ? units.slice(0, -1) : units
}

interface Undoing {
  readonly receipt: Receipt
  readonly undoId: string
  readonly isForced: boolean
  /** Whether it is a join, a split or the like, which fails as one. */
  readonly isOneUnit: boolean
}

/** What is committed so far, or would be. */
interface Done {
  undone: number
  readonly kept: Kept[]
  readonly runs: RunEffects
}

interface Judged {
  readonly item: StoredItem
  readonly verdict: Verdict
  /** Once it is undone. */
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
  const { db } = deps
  const pretended: Pretended = new Map()
  for (let units = unitsBefore(db, undoing.receipt.id, null); units.length > 0; ) {
    for (const unit of units) note(deps, done, judged(db, deps, undoing, unit, pretended))
    await gently()
    units = unitsBefore(db, undoing.receipt.id, units.at(-1)!.at(-1)!.seq)
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

async function undoAll(deps: DepsBy, undoing: Undoing, done: Done): Promise<void> {
  const { db } = deps
  for (let before: number | null = null; ; ) {
    const units = unitsBefore(db, undoing.receipt.id, before)
    if (units.length === 0) return
    const plans = await planned(deps, undoing, units)
    const some = db.transaction((tx) => undoSome(tx, deps, undoing, { units, plans }))
    note(deps, done, some)
    before = some.at(-1)?.item.seq ?? before
    await gently()
  }
}

/** What undoing the items changes, with numbers derived; an item without a plan is kept as things stand. */
type Plans = ReadonlyMap<StoredItem, ChangeGroup | { readonly error: unknown }>

async function planned(deps: DepsBy, undoing: Undoing, units: readonly (readonly StoredItem[])[]): Promise<Plans> {
  const pretended: Pretended = new Map()
  const all = units.flatMap((unit) => judged(deps.db, deps, undoing, unit, pretended))
  const plans = all
    .filter(({ verdict }) => verdict === 'undone')
    .map(async ({ item }) => {
      const plan = await plannedUndo(deps, item).catch((error: unknown) => ({ error }))
      return [item, plan] as const
    })
  return new Map(await Promise.all(plans))
}

/**
 * Undoes as many units as fit into one transaction, at least one unless a run was changed after the planning, which is then
 * repeated.
 * @returns the result of their items
 */
function undoSome(
  tx: Tx,
  deps: DepsBy,
  undoing: Undoing,
  { units, plans }: { readonly units: readonly (readonly StoredItem[])[]; readonly plans: Plans },
): Judged[] {
  const untilMs = performance.now() + TRANSACTION_MS
  const left = appendTo(tx, undoing.undoId)
  const done: Judged[] = []
  for (const unit of units) {
    const all = judged(tx, deps, undoing, unit)
    const tried = apart(tx, (inner) => undoneNow(inner, deps, { all, plans, left }))
    if ('value' in tried) done.push(...tried.value)
    else if (tried.error instanceof Outdated) break
    else {
      const kept = whyKept(deps, undoing, unit[0]!, tried.error)
      done.push(...all.map(({ item, verdict }) => ({ item, verdict: verdict === 'undone' ? { kept } : verdict })))
    }
    if (performance.now() >= untilMs) break
  }
  return done
}

interface Undone {
  readonly all: readonly Judged[]
  readonly plans: Plans
  readonly left: WrittenReceipt
}

/** @throws Outdated for an item that was not planned, errors of its planning, and as `undoUnit` */
function undoneNow(tx: Tx, deps: DepsBy, { all, plans, left }: Undone): Judged[] {
  const unit = all.map((one) => {
    if (one.verdict !== 'undone') return one
    const plan = plans.get(one.item)
    if (plan === undefined) throw new Outdated()
    if ('error' in plan) throw plan.error
    return { ...one, plan }
  })
  undoUnit(
    tx,
    deps,
    unit.flatMap(({ item, plan }) => (plan === undefined ? [] : { item, plan })),
    left,
  )
  return unit
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
