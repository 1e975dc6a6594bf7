import { eq } from 'drizzle-orm'
import type { By } from '../../base/by.ts'
import { AppError, type ErrorCode, notFound } from '../../base/errors.ts'
import { printableName } from '../../base/texts.ts'
import type { Db, Tx } from '../../db/open.ts'
import { insertRow } from '../../db/prepared.ts'
import type { Outcome, ReceiptCounts, ReceiptKind, ReceiptOrigin, ReceiptWarning } from '../../db/schema-receipts.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import { commitUnsynced } from '../../db/transactions.ts'
import { DAY_MS } from '../../engine/units.ts'
import type { Deps } from '../deps.ts'

// Receipts are written in the transaction of the change that they describe. What an item needs to be undone are the
// earlier documents that are kept for it (library/commit.ts).

type Noting = Pick<Deps, 'config' | 'now'> & { readonly by: By }

export interface NewReceipt {
  readonly kind: ReceiptKind
  readonly origin?: ReceiptOrigin | null
  /** A short description for the runner, without the name of the run. */
  readonly title: string
  readonly workoutId?: string | null
  readonly undoes?: string
}

export interface NewItem {
  readonly outcome: Outcome
  readonly workoutId?: string | null
  readonly filename?: string | null
  /** Why it was skipped, ignored or failed; set for every such file. */
  readonly reason?: string | null
  /** Place of the first item that is written together with it; absent: it is alone. */
  readonly unit?: number
  readonly undoesSeq?: number
}

const NO_COUNTS: ReceiptCounts = {
  created: 0,
  updated: 0,
  merged: 0,
  skipped: 0,
  ignored: 0,
  error: 0,
  changed: 0,
  deleted: 0,
}

export const UNDOABLE: readonly Outcome[] = ['created', 'updated', 'merged', 'changed', 'deleted']

/** Most items that wait for a transaction. */
const MOST_WAITING = 500

export interface WrittenReceipt {
  readonly id: string
  /** The place of the next item that is written. */
  nextSeq(): number
  /** Notes what was stored, in the transaction that stores it. @param seq from `nextSeq`; absent: the next */
  write(tx: Tx, item: NewItem, seq?: number): void
  /** Writes its counts; when none of its items can be undone, neither can the receipt. */
  end(tx: Tx): void
}

/** A receipt of work that takes a while, such as an import. */
export interface OpenReceipt extends Omit<WrittenReceipt, 'end'> {
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

type Opening = Noting & Pick<Deps, 'db' | 'events' | 'log'>

/**
 * Opens the receipt of work that takes a while. Its author learns its id at once, since the headers of an answer may be
 * sent before the work ends.
 * @returns null when the disk is full
 */
export function openReceipt(deps: Opening, about: NewReceipt): OpenReceipt | null {
  const id = Bun.randomUUIDv7()
  return openedReceipt(deps, id, () => insertReceipt(deps.db, deps, { ...about, id, finishedAt: null }))
}

export function isUnderWay({ $client: client }: Tx): boolean {
  return client.query('SELECT 1 FROM receipt WHERE finished_at IS NULL LIMIT 1').get() !== null
}

/** How long after its last file an import may be joined. */
const JOINABLE_MS = 10 * 60_000

/**
 * Opens the receipt of an earlier import again, for more files of the same upload.
 * @param origin of both @param files number of files that are added
 * @returns null when the disk is full
 * @throws AppError 404 when the caller left no such receipt; 409 when nothing can be added to it
 */
export function joinReceipt(
  deps: Opening,
  { id: sent, origin, files }: { readonly id: string; readonly origin: ReceiptOrigin; readonly files: number },
): OpenReceipt | null {
  const { db, config, now, by } = deps
  const id = sent.toLowerCase()
  const row = db.select().from(receipts).where(eq(receipts.id, id)).get()
  if (row === undefined || row.actor !== by.actor) throw notFound('Receipt', 'receiptId')
  const conflict = (why: string, code: ErrorCode = 'receipt_closed') => new AppError('conflict', why, { code })
  if (row.kind !== 'import' || row.origin !== origin) throw conflict('That receipt is not of an upload of files')
  if (row.undoneBy !== null) throw conflict('That import was undone', 'import_undone')
  if (row.finishedAt === null) throw conflict('That import is still in progress', 'in_progress')
  const isLong = Math.abs(now() - row.finishedAt) > JOINABLE_MS
  if (isLong) throw conflict('That import did not end within the last 10 minutes')
  // until it is finished again, `ignored` has only files beyond the items that stand for them
  const counts = { ...row.counts, ignored: row.counts.ignored - itemCounts(db, id).ignored }
  const before = Number(/^(\d+) files$/.exec(row.title)?.[1] ?? 1)
  const undoUntil = config.undoDays > 0 ? now() + config.undoDays * DAY_MS : null
  const again = { title: `${before + files} files`, finishedAt: null, counts, undoUntil }
  return openedReceipt(deps, id, () => db.update(receipts).set(again).where(eq(receipts.id, id)).run())
}

function openedReceipt(deps: Opening, id: string, begin: () => void): OpenReceipt | null {
  const { db, by, events, log } = deps
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
  if (!unlessFailed(() => commitUnsynced(db, begin))) return null
  by.left(id)
  const { nextSeq, write } = appendTo(db, id)
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

/** Names of files, also in reasons, as they may be shown; those of an archive or a watch folder can be anything. */
function shownWords({ filename = null, reason = null }: NewItem): Pick<NewItem, 'filename' | 'reason'> {
  return { filename: filename && printableName(filename), reason: reason && printableName(reason) }
}

export function removeReceipt(tx: Tx, id: string): void {
  tx.delete(receiptItems).where(eq(receiptItems.receiptId, id)).run()
  tx.delete(receipts).where(eq(receipts.id, id)).run()
}

/** Leaves the receipt of one change, in its transaction; `announceReceipt` must follow once that is committed. */
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
    write: (inner, item, at = seq++) =>
      insertRow(inner, receiptItems, { unit: at, ...item, ...shownWords(item), receiptId: id, seq: at }),
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
 * or earlier documents.
 */
export const HAS_EARLIER = `EXISTS (
  SELECT 1 FROM earlier_version WHERE earlier_version.receipt_id = receipt_item.receipt_id AND earlier_version.item_seq = receipt_item.seq
    AND (earlier_version.kind <> 'run' OR earlier_version.body IS NOT NULL
      OR EXISTS (SELECT 1 FROM document WHERE document.id = earlier_version.document_id AND document.body IS NOT NULL)))`

/**
 * SQL on rows of receipt_item: whether its run was changed, deleted or brought back since, which keeps the item as it
 * is. A run that an import created can be deleted all the same.
 */
const IS_OVERTAKEN = `EXISTS (
  SELECT 1 FROM earlier_version JOIN document ON document.id = earlier_version.document_id
  WHERE earlier_version.receipt_id = receipt_item.receipt_id AND earlier_version.item_seq = receipt_item.seq AND earlier_version.kind = 'run'
    AND CASE outcome WHEN 'created' THEN 0 WHEN 'deleted' THEN document.body IS NOT NULL
      ELSE document.body IS NULL OR (earlier_version.after <> '' AND earlier_version.after <> document.essence) END)`

/** SQL on rows of receipt: whether one of its items can be undone now; a join or a split is judged as a whole. */
export const HAS_UNDOABLE = `EXISTS (SELECT 1 FROM receipt_item WHERE receipt_id = receipt.id AND undone_by IS NULL
  AND outcome IN (${UNDOABLE.map((outcome) => `'${outcome}'`).join()}) AND ${HAS_EARLIER}
  AND (receipt.kind IN ('join', 'split', 'undo') OR NOT ${IS_OVERTAKEN}))`

function canBeUndone(tx: Tx, id: string): boolean {
  return tx.$client.query(`SELECT 1 FROM receipt_item WHERE receipt_id = ? AND ${HAS_EARLIER} LIMIT 1`).get(id) !== null
}

/** Notes of receipts that of none of their units all is left that undoing needs, since it was removed before its time. */
export function closeReceipts(tx: Tx, ids: Iterable<string>, nowMs: number): void {
  const isOpen = 'receipt_item.receipt_id = ?1 AND receipt_item.undone_by IS NULL'
  const close = tx.$client.query(
    `UPDATE receipt SET undo_until = NULL WHERE id = ?1 AND undo_until > ?2 AND undone_at IS NULL AND finished_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM receipt_item WHERE ${isOpen} AND ${HAS_EARLIER} AND unit NOT IN (
         SELECT unit FROM receipt_item WHERE ${isOpen} AND NOT ${HAS_EARLIER}))`,
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
  announceReceipt(deps, id)
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
export function announceReceipt({ by, events }: Pick<Noting, 'by'> & Pick<Deps, 'events'>, id: string | null): void {
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
    title: printableName(about.title),
    counts,
    warnings: [],
    madeAt: nowMs,
    actor: by.actor,
    undoUntil: isUndoable ? nowMs + config.undoDays * DAY_MS : null,
  })
}

export function isCreatedBy(tx: Tx, receiptId: string, workoutId: string): boolean {
  const sql = `SELECT 1 FROM receipt_item WHERE workout_id = ? AND receipt_id = ? AND outcome = 'created' LIMIT 1`
  return tx.$client.query(sql).get(workoutId, receiptId) !== null
}

/** Adds warnings, and ignored files beyond the items that stand for them, to what the receipt has of both. */
export function finishReceipt(
  db: Tx,
  id: string,
  ended: { readonly nowMs: number; readonly warnings?: readonly ReceiptWarning[]; readonly ignored?: number },
): void {
  const { nowMs, warnings = [], ignored = 0 } = ended
  const before = db.select({ counts: receipts.counts }).from(receipts).where(eq(receipts.id, id)).get()
  const counted = itemCounts(db, id)
  const counts = { ...counted, ignored: counted.ignored + (before?.counts.ignored ?? 0) + ignored }
  const all = [...warningsOf(db, id), ...warnings]
  db.update(receipts).set({ finishedAt: nowMs, counts, warnings: all }).where(eq(receipts.id, id)).run()
}

export function warningsOf(tx: Tx, id: string): ReceiptWarning[] {
  const row = tx.select({ warnings: receipts.warnings }).from(receipts).where(eq(receipts.id, id)).get()
  return [...(row?.warnings ?? [])]
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
