import type { Static } from '@sinclair/typebox'
import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { apart } from '../db/apart.ts'
import type { Db, Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import type { Deps } from '../deps.ts'
import { isDiskFull } from '../disk-full.ts'
import { invalid, notFound } from '../errors.ts'
import { dayText } from '../library/receipts/day-text.ts'
import { purgeUndo } from '../library/receipts/purge.ts'
import { finishReceipt, itemWriter, leaveReceipt, type NewReceipt, tellReceipt } from '../library/receipts/record.ts'
import { UNDOABLE } from '../library/receipts/restorable.ts'
import { judge, pretend, undoItem } from '../library/receipts/undo-item.ts'
import type { Effect, StoredItem } from '../library/receipts/undo-types.ts'
import { createPace } from '../pace.ts'
import { tellEffects } from './effects.ts'
import { mark, standAgain } from './marks.ts'
import { runNames } from './queries.ts'
import type { UndoAnswer } from './schemas.ts'

type Answer = Static<typeof UndoAnswer>
type Receipt = typeof receipts.$inferSelect

/** Most items per transaction, and how long it may block other requests unless its items belong together. */
const MOST_AT_ONCE = 16
const TRANSACTION_MS = 20
/** Their items move recordings from run to run, so that some without the others would be no run; at most 10 each. */
const TOGETHER: readonly Receipt['kind'][] = ['join', 'split']

interface Asked {
  readonly isDry: boolean
  /** Whether imported runs that were changed since are moved to the trash as well. */
  readonly isForced: boolean
}

/**
 * Undoes a receipt, newest item first, each workout in one transaction, and all runs of a join or a split; when
 * interrupted, calling it again continues.
 * Items that were changed since are kept and named. The undoing leaves a receipt and can be undone itself.
 * @throws AppError 404; 400 for a receipt that cannot be undone, is undone already, or is in progress
 */
export async function undoReceipt(deps: Deps, id: string, asked: Asked): Promise<Answer> {
  const { db } = deps
  const receipt = undoable(deps, id)
  const kept: Kept[] = []
  if (asked.isDry) {
    const undone = await dryRun(deps, receipt, { asked, kept })
    return { receiptId: null, undone, kept: named(db, kept), dryRun: true }
  }
  const effects: Effect[] = []
  const undoId = begin(deps, receipt)
  let undone = 0
  let isComplete = false
  try {
    undone = await undoAll(deps, receipt, { undoId, isForced: asked.isForced, kept, effects })
    isComplete = true
  } finally {
    const isLeft = ended(deps, receipt, { undoId, isComplete })
    tellEffects(deps, effects)
    if (isLeft) tellReceipt(deps, undoId)
    if (isLeft) deps.events.emit({ event: 'receipt.undone', data: { id } })
  }
  if (undone === 0 && kept.length === 0 && receipt.undoneAt !== null) throw invalid('It was undone already')
  await purgeUndo(deps)
  return { receiptId: undone === 0 ? null : undoId, undone, kept: named(db, kept), dryRun: false }
}

/** @throws AppError 404, 400 */
function undoable({ db, config, now }: Deps, id: string): Receipt {
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

interface DryWork {
  readonly asked: Asked
  readonly kept: Kept[]
}

async function dryRun(deps: Deps, { id }: Receipt, { asked, kept }: DryWork): Promise<number> {
  const pace = createPace()
  const pretended = { revisions: new Map<string, number | null>() }
  let undone = 0
  for (let items = itemsBefore(deps.db, id, null); items.length > 0; ) {
    for (const item of items) {
      const verdict = judge(deps.db, { ...deps, isForced: asked.isForced }, item, pretended)
      if (verdict === 'undone') {
        pretend(pretended, item)
        undone += 1
      } else if (verdict !== 'nothing') kept.push({ workoutId: item.workoutId, reason: verdict.kept })
    }
    if (pace.needsRest()) await pace.rest()
    items = itemsBefore(deps.db, id, items.at(-1)!.seq)
  }
  return undone
}

/** The receipt of the undoing: a new one, or that of an interrupted attempt. */
function begin(deps: Deps, receipt: Receipt): string {
  return deps.db.transaction((tx) => {
    const isCutOff = receipt.undoneBy !== null && receipt.undoneAt === null
    const about: NewReceipt = {
      kind: 'undo',
      title: titleOf(receipt),
      undoes: receipt.id,
      ...(receipt.origin === null ? {} : { origin: receipt.origin }),
      ...(receipt.workoutId === null ? {} : { workoutId: receipt.workoutId }),
    }
    const author = deps.author ?? { actor: 'command_line', left: () => {} }
    const undoId = isCutOff ? receipt.undoneBy : leaveReceipt(tx, { ...deps, author }, about, [])
    tx.update(receipts).set({ finishedAt: null }).where(eq(receipts.id, undoId!)).run()
    tx.update(receipts).set({ undoneBy: undoId }).where(eq(receipts.id, receipt.id)).run()
    return undoId!
  })
}

function titleOf({ kind, title }: Pick<Receipt, 'kind' | 'title'>): string {
  const [, word, rest] = /^(Undid|Redid): (.*)$/s.exec(title) ?? []
  if (kind !== 'undo' || rest === undefined) return `Undid: ${title}`
  return `${word === 'Undid' ? 'Redid' : 'Undid'}: ${rest}`
}

interface UndoWork {
  readonly undoId: string
  readonly isForced: boolean
  readonly kept: Kept[]
  readonly effects: Effect[]
}

/** @returns number of undone items */
async function undoAll(deps: Deps, receipt: Receipt, work: UndoWork): Promise<number> {
  const { db } = deps
  const pace = createPace()
  const writer = itemWriter(deps, work.undoId, nextSeq(db, work.undoId))
  const limitMs = TOGETHER.includes(undoneAtFirst(db, receipt).kind) ? Number.POSITIVE_INFINITY : TRANSACTION_MS
  let undone = 0
  for (let before: number | null = null; ; ) {
    const items = itemsBefore(db, receipt.id, before)
    if (items.length === 0) return undone
    const group = db.transaction((tx) => undoSome(tx, deps, { items, ...work, receipt, writer, limitMs }))
    undone += group.effects.length
    work.effects.push(...group.effects.filter((effect) => effect !== null))
    work.kept.push(...group.kept)
    before = group.last
    if (pace.needsRest()) await pace.rest()
  }
}

/** What a chain of undoing and redoing began with. */
function undoneAtFirst(db: Db, receipt: Receipt): Receipt {
  const before = receipt.undoes && db.select().from(receipts).where(eq(receipts.id, receipt.undoes)).get()
  return before ? undoneAtFirst(db, before) : receipt
}

function nextSeq(db: Db, receiptId: string): number {
  const row = db.$client
    .query<{ next: number | null }, [string]>('SELECT max(seq) + 1 AS next FROM receipt_item WHERE receipt_id = ?')
    .get(receiptId)
  return row?.next ?? 0
}

interface Group extends UndoWork {
  readonly items: readonly StoredItem[]
  readonly receipt: Receipt
  readonly writer: ReturnType<typeof itemWriter>
  readonly limitMs: number
}

/** Undoes as many items as fit into one transaction, at least one; an error concerns all of them. */
function undoSome(tx: Tx, deps: Deps, { items, isForced, undoId, receipt, writer, limitMs }: Group) {
  const untilMs = performance.now() + limitMs
  const effects: (Effect | null)[] = []
  const kept: Kept[] = []
  let last = 0
  for (const item of items) {
    const { workoutId } = item
    last = item.seq
    const done = apart(tx, (inner) => undoOne(inner, deps, { item, isForced, undoId, receipt, writer }))
    if ('error' in done) {
      if (isDiskFull(done.error)) throw done.error
      deps.log.error(`The item ${item.seq} of the receipt ${receipt.id} could not be undone`, done.error)
      kept.push({ workoutId, reason: 'Something of it is stored again' })
    } else if (done.value !== null) {
      if ('kept' in done.value) kept.push({ workoutId, reason: done.value.kept })
      else effects.push(done.value.effect)
    }
    if (performance.now() >= untilMs) break
  }
  return { effects, kept, last }
}

type One = Pick<Group, 'isForced' | 'undoId' | 'receipt' | 'writer'> & { readonly item: StoredItem }

/** @returns why it is kept, or the effect to announce; null: there was nothing to do */
function undoOne(
  tx: Tx,
  deps: Deps,
  { item, isForced, undoId, receipt, writer }: One,
): { readonly kept: string } | { readonly effect: Effect | null } | null {
  const verdict = judge(tx, { ...deps, isForced }, item)
  if (verdict !== 'undone') return verdict === 'nothing' ? null : verdict
  const { item: made, effect } = undoItem(tx, { ...deps, isForced }, item)
  const { capsuleId } = writer(tx, made)
  mark(tx, { receiptId: receipt.id, seq: item.seq, undoneBy: undoId })
  standAgain(tx, receipt.undoes, { seq: item.undoesSeq, oldValues: made.before ?? null, capsuleId, nowMs: deps.now() })
  return { effect }
}

/** @returns false when nothing was undone, in which case there is no receipt */
function ended(
  { db, now }: Deps,
  { id, undoneBy }: Receipt,
  { undoId, isComplete }: { readonly undoId: string; readonly isComplete: boolean },
): boolean {
  const isLeft = nextSeq(db, undoId) > 0
  db.transaction((tx) => {
    if (isLeft) {
      const undoneAt = isComplete ? now() : null
      tx.update(receipts).set({ undoneAt, undoneBy: undoId }).where(eq(receipts.id, id)).run()
      return
    }
    tx.delete(receipts).where(eq(receipts.id, undoId)).run()
    tx.update(receipts).set({ undoneBy }).where(eq(receipts.id, id)).run()
  })
  if (isLeft) finishReceipt(db, undoId, { nowMs: now() })
  return isLeft
}
