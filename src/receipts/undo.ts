import type { Static } from '@sinclair/typebox'
import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { apart } from '../db/apart.ts'
import type { Db, Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import type { DepsBy } from '../deps.ts'
import { isDiskFull } from '../disk-full.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { Outdated } from '../library/commit.ts'
import { purgeUndo } from '../library/purge.ts'
import { dayText } from '../library/receipts/day-text.ts'
import {
  appendTo,
  beginReceipt,
  finishReceipt,
  IS_TOGETHER,
  removeReceipt,
  tellReceipt,
  UNDOABLE,
} from '../library/receipts/record.ts'
import {
  commitUndo,
  type Effect,
  effectsOf,
  judge,
  type PlannedUndo,
  type Pretended,
  plannedUndo,
  pretend,
  type StoredItem,
  type Verdict,
} from '../library/undo.ts'
import { createPace } from '../pace.ts'
import { tellEffects } from './effects.ts'
import { markUndone } from './marks.ts'
import { runNames } from './queries.ts'
import type { UndoAnswer } from './schemas.ts'

type Answer = Static<typeof UndoAnswer>
type Receipt = typeof receipts.$inferSelect

/** Most items per transaction, and how long it may block other requests unless its items belong together. */
const MOST_AT_ONCE = 16
const TRANSACTION_MS = 20
interface Asked {
  readonly isDry: boolean
  /** Whether runs that were changed since are undone as well: those of an import, or of a join or split. */
  readonly isForced: boolean
}

/**
 * Undoes a receipt, newest item first, each run in one transaction, and all runs of a join or a split; when interrupted,
 * calling it again continues. What was changed since is kept and named. The undoing leaves a receipt and can be undone
 * itself.
 * @throws AppError 404; 400 for a receipt that cannot be undone, is undone already, or is in progress
 */
export async function undoReceipt(deps: DepsBy, id: string, { isDry, isForced }: Asked): Promise<Answer> {
  const { db, events } = deps
  const receipt = undoable(deps, id)
  // their items hand recordings from run to run: all of them are undone or none; at most 10 each
  const isTogether = db.$client.query(`SELECT 1 WHERE ${IS_TOGETHER}`).get(id) !== null
  const undoing = { receipt, undoId: '', isForced, isTogether, kept: [], effects: [] }
  if (isDry) {
    const undone = await dryRun(deps, undoing)
    return { receiptId: null, undone, kept: named(db, undoing.kept), dryRun: true }
  }
  const undoId = begin(deps, receipt)
  let undone = 0
  let isComplete = false
  try {
    undone = await undoAll(deps, { ...undoing, undoId })
    isComplete = true
  } finally {
    const isLeft = ended(deps, receipt, { undoId, isComplete })
    tellEffects(deps, undoing.effects)
    if (isLeft) tellReceipt(deps, undoId)
    if (isLeft) events.emit({ event: 'receipt.undone', data: { id } })
  }
  if (undone === 0 && undoing.kept.length === 0 && receipt.undoneAt !== null) throw invalid('It was undone already')
  await purgeUndo(deps)
  return { receiptId: undone === 0 ? null : undoId, undone, kept: named(db, undoing.kept), dryRun: false }
}

/** @throws AppError 404, 400 */
function undoable({ db, config, now }: DepsBy, id: string): Receipt {
  const receipt = db.select().from(receipts).where(eq(receipts.id, id)).get()
  if (receipt === undefined) throw notFound('Receipt')
  if (receipt.kind === 'recalculate') throw invalid('A recalculation cannot be undone; it can be repeated')
  if (receipt.finishedAt === null) throw invalid('It is still under way')
  if (receipt.undoUntil === null) {
    throw invalid(
      `It cannot be undone: nothing ${config.undoDays === 0 ? 'is kept here (UNDO_DAYS=0)' : 'of it was kept'}`,
    )
  }
  if (receipt.undoUntil < now()) throw invalid(`It could be undone until ${dayText(receipt.undoUntil)}`)
  if (receipt.undoneAt !== null && itemsBefore(db, receipt.id, null).length === 0) {
    throw invalid('It was undone already')
  }
  return receipt
}

interface Kept {
  readonly workoutId: string | null
  readonly reason: string
}

function named(db: Db, kept: readonly Kept[]): Answer['kept'] {
  const names = runNames(
    db,
    kept.flatMap(({ workoutId }) => workoutId ?? []),
  )
  return kept.map(({ workoutId, reason }) => ({
    workoutId,
    workoutName: workoutId === null ? null : (names.get(workoutId)?.name ?? null),
    reason,
  }))
}

/** The next items that are not undone yet, newest first. @param before index of the last one; null: from the end */
function itemsBefore(tx: Tx, receiptId: string, before: number | null): StoredItem[] {
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

interface Undoing {
  readonly receipt: Receipt
  readonly undoId: string
  readonly isForced: boolean
  readonly isTogether: boolean
  readonly kept: Kept[]
  readonly effects: Effect[]
}

interface Judged {
  readonly item: StoredItem
  readonly verdict: Verdict
}

/** Judges items in order, each as if those before it were undone; of those that belong together all are kept when one is. */
function judged(
  tx: Tx,
  deps: DepsBy,
  { isForced, isTogether }: Undoing,
  items: readonly StoredItem[],
  before: Pretended = new Map(),
): Judged[] {
  const pretended = before
  const judging = { dataDir: deps.config.dataDir, isForced, isTogether, pretended }
  const all = items.map((item) => {
    const verdict = judge(tx, judging, item)
    if (verdict === 'undone') pretend(pretended, item)
    return { item, verdict }
  })
  const first = isTogether ? all.find(({ verdict }) => typeof verdict === 'object') : undefined
  if (first === undefined || typeof first.verdict !== 'object') return all
  const { kept } = first.verdict
  return all.map(({ item, verdict }) => ({
    item,
    verdict: typeof verdict === 'object' ? verdict : { kept: `It belongs to one that stays: ${kept}` },
  }))
}

async function dryRun(deps: DepsBy, undoing: Undoing): Promise<number> {
  const pace = createPace()
  const { db } = deps
  const pretended: Pretended = new Map()
  let undone = 0
  for (let items = itemsBefore(db, undoing.receipt.id, null); items.length > 0; ) {
    for (const { item, verdict } of judged(db, deps, undoing, items, pretended)) {
      if (verdict === 'undone') undone += 1
      else if (verdict !== 'nothing') undoing.kept.push({ workoutId: item.workoutId, reason: verdict.kept })
    }
    if (pace.needsRest()) await pace.rest()
    items = itemsBefore(db, undoing.receipt.id, items.at(-1)!.seq)
  }
  return undone
}

/** The receipt of the undoing: a new one, or that of an interrupted attempt. */
function begin(deps: DepsBy, receipt: Receipt): string {
  return deps.db.transaction((tx) => {
    const isCutOff = receipt.undoneBy !== null && receipt.undoneAt === null
    const { origin, workoutId } = receipt
    const undoId = isCutOff
      ? receipt.undoneBy!
      : beginReceipt(tx, deps, {
          kind: 'undo',
          title: titleOf(receipt),
          undoes: receipt.id,
          ...(origin === null ? {} : { origin }),
          ...(workoutId === null ? {} : { workoutId }),
        }).id
    tx.update(receipts).set({ finishedAt: null }).where(eq(receipts.id, undoId)).run()
    tx.update(receipts).set({ undoneBy: undoId }).where(eq(receipts.id, receipt.id)).run()
    return undoId
  })
}

function titleOf({ kind, title }: Pick<Receipt, 'kind' | 'title'>): string {
  const [, word, rest] = /^(Undid|Redid): (.*)$/s.exec(title) ?? []
  if (kind !== 'undo' || rest === undefined) return `Undid: ${title}`
  return `${word === 'Undid' ? 'Redid' : 'Undid'}: ${rest}`
}

/** @returns number of undone items */
async function undoAll(deps: DepsBy, undoing: Undoing): Promise<number> {
  const { db } = deps
  const pace = createPace()
  let undone = 0
  for (let before: number | null = null; ; ) {
    const items = itemsBefore(db, undoing.receipt.id, before)
    if (items.length === 0) return undone
    const plans = await planned(deps, undoing, items)
    try {
      const done = db.transaction((tx) => undoSome(tx, deps, undoing, { items, plans }))
      undone += done.undone
      before = done.last ?? before
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    }
    if (pace.needsRest()) await pace.rest()
  }
}

/** What undoing the items changes, with numbers derived; an item without a plan is kept as things stand. */
type Plans = ReadonlyMap<StoredItem, PlannedUndo | { readonly error: unknown }>

async function planned(deps: DepsBy, undoing: Undoing, items: readonly StoredItem[]): Promise<Plans> {
  const wanted = judged(deps.db, deps, undoing, items).filter(({ verdict }) => verdict === 'undone')
  const plans = wanted.map(async ({ item }) => {
    const plan = await plannedUndo(deps, item).catch((error: unknown) => ({ error }))
    return [item, plan] as const
  })
  return new Map(await Promise.all(plans))
}

interface Some {
  readonly items: readonly StoredItem[]
  readonly plans: Plans
}

interface Done {
  readonly undone: number
  /** `seq` of the last item that is dealt with; null: none, since a run changed after the planning. */
  readonly last: number | null
}

/** Undoes as many items as fit into one transaction, at least one. */
function undoSome(tx: Tx, deps: DepsBy, undoing: Undoing, { items, plans }: Some): Done {
  const { isTogether, kept, effects } = undoing
  const untilMs = performance.now() + (isTogether ? Number.POSITIVE_INFINITY : TRANSACTION_MS)
  const left = appendTo(tx, undoing.undoId)
  const verdicts = isTogether ? judged(tx, deps, undoing, items) : null
  let undone = 0
  let last: number | null = null
  for (const [place, item] of items.entries()) {
    const verdict = verdicts?.[place]?.verdict ?? judged(tx, deps, undoing, [item])[0]!.verdict
    const plan = plans.get(item)
    if (verdict === 'undone') {
      // a run changed after the planning, which is then repeated
      if (plan === undefined) break
      const done = 'error' in plan ? plan : apart(tx, (inner) => undoOne(inner, deps, undoing, { item, plan, left }))
      if ('error' in done && done.error instanceof Outdated) {
        if (isTogether) throw done.error
        break
      }
      if ('error' in done) kept.push({ workoutId: item.workoutId, reason: whyKept(deps, undoing, item, done.error) })
      else {
        undone += 1
        effects.push(...effectsOf(plan as PlannedUndo))
      }
    } else if (verdict !== 'nothing') kept.push({ workoutId: item.workoutId, reason: verdict.kept })
    last = item.seq
    if (performance.now() >= untilMs) break
  }
  return { undone, last }
}

/** @throws errors that concern more than this item */
function whyKept({ log }: DepsBy, { receipt, isTogether }: Undoing, { seq }: StoredItem, error: unknown): string {
  if (isDiskFull(error) || isTogether) throw error
  if (error instanceof AppError) return error.message
  log.error(`The item ${seq} of the receipt ${receipt.id} could not be undone`, error)
  return 'Something of it cannot be read'
}

interface One {
  readonly item: StoredItem
  readonly plan: PlannedUndo
  readonly left: ReturnType<typeof appendTo>
}

function undoOne(tx: Tx, deps: DepsBy, { undoId }: Undoing, { item, plan, left }: One): void {
  const itemSeq = left.nextSeq()
  left.write(tx, commitUndo(tx, deps, plan, { receiptId: undoId, itemSeq }), itemSeq)
  markUndone(tx, item, undoId, deps.now())
}

/** @returns false when nothing was undone, in which case there is no receipt */
function ended(
  { db, now }: DepsBy,
  { id, undoneBy }: Receipt,
  { undoId, isComplete }: { readonly undoId: string; readonly isComplete: boolean },
): boolean {
  const isLeft = appendTo(db, undoId).nextSeq() > 0
  db.transaction((tx) => {
    if (isLeft) {
      const undoneAt = isComplete ? now() : null
      tx.update(receipts).set({ undoneAt, undoneBy: undoId }).where(eq(receipts.id, id)).run()
      return
    }
    removeReceipt(tx, undoId)
    tx.update(receipts).set({ undoneBy }).where(eq(receipts.id, id)).run()
  })
  if (isLeft) finishReceipt(db, undoId, { nowMs: now() })
  return isLeft
}
