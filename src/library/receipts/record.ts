import { eq } from 'drizzle-orm'
import { insertRow } from '../../db/insert.ts'
import { commitUnsynced } from '../../db/log-sync.ts'
import type { Db, Tx } from '../../db/open.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import type { Outcome, ReceiptCounts, ReceiptKind, ReceiptOrigin, ReceiptWarning } from '../../db/stored-receipts.ts'
import type { By, Deps } from '../../deps.ts'

// Receipts are written in the transaction of the change that they describe. What an item needs to be undone are the
// former documents that are kept for it (library/commit.ts).

export const DAY_MS = 86_400_000

/** Dependencies for writing a receipt. */
export type Noting = Pick<Deps, 'config' | 'now'> & { readonly by: By }

export interface NewReceipt {
  readonly kind: ReceiptKind
  readonly origin?: ReceiptOrigin
  /** A short description for the runner, without the name of the run. */
  readonly title: string
  /** Set when it concerns a single workout. */
  readonly workoutId?: string
  /** The receipt that it undoes. */
  readonly undoes?: string
}

/** The outcome for one workout, file, shoe or photo. */
export interface NewItem {
  readonly outcome: Outcome
  readonly workoutId?: string | null
  readonly filename?: string | null
  /** Why it was skipped, ignored or failed; set for every such file. */
  readonly reason?: string | null
  readonly beforeRevision?: number | null
  /** Revision of the workout after the change; undoing checks that it is still the same. */
  readonly afterRevision?: number | null
  readonly undoesSeq?: number
}

export const NO_COUNTS: ReceiptCounts = {
  created: 0,
  updated: 0,
  merged: 0,
  skipped: 0,
  ignored: 0,
  error: 0,
  changed: 0,
  deleted: 0,
}

/** Outcomes that can be undone. */
export const UNDOABLE: readonly Outcome[] = ['created', 'updated', 'merged', 'changed', 'deleted']

/** Most items that wait for a transaction. */
const MOST_WAITING = 500

/** A receipt of work that takes a while, such as an import. */
export interface OpenReceipt {
  readonly id: string
  /** The place of the next item that is written. */
  nextSeq(): number
  /** Notes what was stored, in the transaction that stores it. @param seq from `nextSeq`; absent: the next */
  write(tx: Tx, item: NewItem, seq?: number): void
  /** Notes what was not stored; it is written at the latest by `finish`. */
  note(item: NewItem): void
  /** Notes files that are not runs, all of them in one item. */
  ignored(count: number, reason: string): void
  warn(warning: ReceiptWarning): void
  /** Writes waiting items and the counts, and announces the receipt. */
  finish(): void
  /**
   * Called instead of `finish` when there is nothing to note; if something was stored after all, the receipt is
   * finished as usual.
   */
  drop(): void
}

/**
 * Opens the receipt of work that takes a while. Its author learns its id at once, since the headers of an answer may be
 * sent before the work ends.
 * @returns null when the disk is full
 */
export function openReceipt(deps: Noting & Pick<Deps, 'db' | 'events' | 'log'>, about: NewReceipt): OpenReceipt | null {
  const { db, by, events, log } = deps
  const id = Bun.randomUUIDv7()
  /** A failure of the receipt must not affect the runs. */
  const unlessFailed = (write: () => void) => {
    try {
      write()
      return true
    } catch (error) {
      log.error(`The receipt ${id} could not be written`, error)
      return false
    }
  }
  // not synced: the commits that follow are, and with them this one
  const insert = () => insertReceipt(db, deps, { ...about, id, finishedAt: null })
  if (!unlessFailed(() => commitUnsynced(db, insert))) return null
  by.left(id)
  let seq = 0
  const nextSeq = () => seq++
  const write = (tx: Tx, item: NewItem, at = nextSeq()) =>
    insertRow(tx, receiptItems, { ...item, receiptId: id, seq: at })
  const waiting: NewItem[] = []
  const warnings: ReceiptWarning[] = []
  let ignored = 0
  const flush = () => {
    const items = waiting.splice(0)
    if (items.length === 0) return
    unlessFailed(() => db.transaction((tx) => items.forEach((item) => void write(tx, item))))
  }
  const finish = () => {
    flush()
    // not synced: a receipt that a power cut leaves open is finished at the next start
    const ended = { nowMs: deps.now(), warnings, ignored }
    unlessFailed(() => commitUnsynced(db, () => finishReceipt(db, id, ended)))
    events.emit({ event: 'receipt.created', data: { id } })
  }
  return {
    id,
    nextSeq,
    write,
    note: (item) => {
      waiting.push(item)
      if (waiting.length >= MOST_WAITING) flush()
    },
    ignored: (count, reason) => {
      if (count === 0) return
      ignored += count - 1
      waiting.push({ outcome: 'ignored', reason })
    },
    warn: (warning) => void warnings.push(warning),
    finish,
    drop: () => {
      // one file may have stored and failed runs
      const counts = itemCounts(db, id)
      if (UNDOABLE.some((outcome) => counts[outcome] > 0)) return finish()
      unlessFailed(() => db.transaction((tx) => removeReceipt(tx, id)))
    },
  }
}

/** Removes a receipt with its items. */
export function removeReceipt(tx: Tx, id: string): void {
  tx.delete(receiptItems).where(eq(receiptItems.receiptId, id)).run()
  tx.delete(receipts).where(eq(receipts.id, id)).run()
}

/** The receipt of one change, in its transaction; `tellReceipt` must follow once that is committed. */
export interface WrittenReceipt {
  readonly id: string
  nextSeq(): number
  write(tx: Tx, item: NewItem, seq: number): void
  /** Writes its counts; when none of its items can be undone, neither can the receipt. */
  end(tx: Tx): void
}

export function beginReceipt(tx: Tx, deps: Noting, about: NewReceipt): WrittenReceipt {
  const id = Bun.randomUUIDv7()
  insertReceipt(tx, deps, { ...about, id, finishedAt: deps.now() })
  return appendTo(tx, id)
}

/** Appends to a receipt that is written. */
export function appendTo(tx: Tx, id: string): WrittenReceipt {
  const last = tx.$client.query<{ next: number | null }, [string]>(
    'SELECT max(seq) + 1 AS next FROM receipt_item WHERE receipt_id = ?',
  )
  let seq = last.get(id)?.next ?? 0
  return {
    id,
    nextSeq: () => seq++,
    write: (inner, item, at) => insertRow(inner, receiptItems, { ...item, receiptId: id, seq: at }),
    end: (inner) => {
      const counts = itemCounts(inner, id)
      const isFinal = seq > 0 && !canBeUndone(inner, id)
      inner
        .update(receipts)
        .set({ counts, ...(isFinal ? { undoUntil: null } : {}) })
        .where(eq(receipts.id, id))
        .run()
    },
  }
}

/**
 * SQL on rows of receipt_item: whether an item has what undoing it needs, a run that it created and that is still there,
 * or former documents.
 */
export const HAS_FORMER = `(
  EXISTS (SELECT 1 FROM former WHERE former.receipt_id = receipt_item.receipt_id AND former.item_seq = receipt_item.seq)
  OR (receipt_item.outcome = 'created' AND EXISTS (SELECT 1 FROM document WHERE document.id = receipt_item.workout_id)))`

function canBeUndone(tx: Tx, id: string): boolean {
  return tx.$client.query(`SELECT 1 FROM receipt_item WHERE receipt_id = ? AND ${HAS_FORMER} LIMIT 1`).get(id) !== null
}

/** SQL: whether the receipt `?1` is a join or a split, or undoes one; their items are undone together. */
export const IS_TOGETHER = `EXISTS (
  WITH RECURSIVE chain (kind, undoes) AS (
    SELECT kind, undoes FROM receipt WHERE id = ?1
    UNION ALL SELECT before.kind, before.undoes FROM receipt AS before JOIN chain ON before.id = chain.undoes)
  SELECT 1 FROM chain WHERE kind IN ('join', 'split'))`

/** Notes of receipts that nothing is left of what undoing them needs, since it was removed before its time. */
export function closeReceipts(tx: Tx, ids: Iterable<string>, nowMs: number): void {
  const items = 'SELECT 1 FROM receipt_item WHERE receipt_id = ?1 AND undone_by IS NULL AND'
  const close = tx.$client.query(
    `UPDATE receipt SET undo_until = NULL WHERE id = ?1 AND undo_until > ?2 AND undone_at IS NULL AND finished_at IS NOT NULL
       AND (NOT EXISTS (${items} ${HAS_FORMER}) OR (${IS_TOGETHER} AND EXISTS (${items} NOT ${HAS_FORMER})))`,
  )
  for (const id of new Set(ids)) close.run(id, nowMs)
}

/** The receipt of a recalculation; it cannot be undone. @param changed number of workouts */
export function leaveRecalculation(
  deps: Noting & Pick<Deps, 'db' | 'events'>,
  { title, changed, workoutId }: { readonly title: string; readonly changed: number; readonly workoutId?: string },
): void {
  const id = Bun.randomUUIDv7()
  const about = { kind: 'recalculate', title, ...(workoutId === undefined ? {} : { workoutId }) } as const
  insertReceipt(deps.db, deps, { ...about, id, finishedAt: deps.now(), counts: { ...NO_COUNTS, changed } })
  tellReceipt(deps, id)
}

/** Leaves the receipt of an import whose only file was refused. */
export function leaveRefusal(
  deps: Parameters<typeof openReceipt>[0],
  { origin, filename, reason }: { readonly origin: ReceiptOrigin; readonly filename: string; readonly reason: string },
): void {
  const receipt = openReceipt(deps, { kind: 'import', origin, title: filename })
  receipt?.note({ outcome: 'error', filename, reason })
  receipt?.finish()
}

/** Announces a committed receipt to the author and all listeners. */
export function tellReceipt({ by, events }: Pick<Noting, 'by'> & Pick<Deps, 'events'>, id: string | null): void {
  if (id === null) return
  by.left(id)
  events.emit({ event: 'receipt.created', data: { id } })
}

interface ReceiptRow extends NewReceipt {
  readonly id: string
  readonly finishedAt: number | null
  readonly counts?: ReceiptCounts
}

function insertReceipt(tx: Tx, { config, now, by }: Noting, { counts = NO_COUNTS, ...about }: ReceiptRow): void {
  const nowMs = now()
  const isUndoable = config.undoDays > 0 && about.kind !== 'recalculate'
  insertRow(tx, receipts, {
    ...about,
    counts,
    warnings: [],
    madeAt: nowMs,
    actor: by.actor,
    undoUntil: isUndoable ? nowMs + config.undoDays * DAY_MS : null,
  })
}

/** Whether the workout was created by the receipt. */
export function isCreatedBy(tx: Tx, receiptId: string, workoutId: string): boolean {
  const sql = `SELECT 1 FROM receipt_item WHERE workout_id = ? AND receipt_id = ? AND outcome = 'created' LIMIT 1`
  return tx.$client.query(sql).get(workoutId, receiptId) !== null
}

/** @param ended.ignored number of files beyond the items that stand for them */
export function finishReceipt(
  db: Db,
  id: string,
  ended: { readonly nowMs: number; readonly warnings?: readonly ReceiptWarning[]; readonly ignored?: number },
): void {
  const { nowMs, warnings = [], ignored = 0 } = ended
  const counted = itemCounts(db, id)
  const counts = { ...counted, ignored: counted.ignored + ignored }
  db.update(receipts).set({ finishedAt: nowMs, counts, warnings }).where(eq(receipts.id, id)).run()
}

function itemCounts(tx: Tx, id: string): ReceiptCounts {
  const rows = tx.$client
    .query<{ outcome: Outcome; n: number }, [string]>(
      'SELECT outcome, count(*) AS n FROM receipt_item WHERE receipt_id = ? GROUP BY outcome',
    )
    .all(id)
  return { ...NO_COUNTS, ...Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n])) }
}

/** Finishes receipts whose work the end of the process interrupted; runs before requests are served. */
export function finishCutOff(db: Db, nowMs: number): void {
  const open = db.$client.query<{ id: string }, []>('SELECT id FROM receipt WHERE finished_at IS NULL').all()
  for (const { id } of open) finishReceipt(db, id, { nowMs })
}
