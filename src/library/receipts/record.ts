import { eq } from 'drizzle-orm'
import { insertRow } from '../../db/insert.ts'
import { clientOf, type Db, type Tx } from '../../db/open.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import type {
  Before,
  Outcome,
  ReceiptCounts,
  ReceiptKind,
  ReceiptOrigin,
  ReceiptWarning,
} from '../../db/stored-receipts.ts'
import type { Author, Deps } from '../../deps.ts'
import type { PackedRun } from './capsule.ts'
import { DAY_MS, keepCapsule } from './kept.ts'

// What a call changed is noted in the transaction that changes it. Whoever has no author, such as a verification, leaves
// no receipt and calls the same functions.

/** What writing a receipt needs. */
export type Noting = Pick<Deps, 'config' | 'now' | 'author'>

export interface NewReceipt {
  readonly kind: ReceiptKind
  readonly origin?: ReceiptOrigin
  /** In the runner's words, without the name of the run. */
  readonly title: string
  /** When it is about one workout. */
  readonly workoutId?: string
  /** The receipt that it undoes. */
  readonly undoes?: string
}

/** What became of one workout, file, shoe or photo. */
export interface NewItem {
  readonly outcome: Outcome
  readonly workoutId?: string | null
  readonly filename?: string | null
  /** Why it was skipped, ignored or failed: every such file has one. */
  readonly reason?: string | null
  /** The workout as it was. */
  readonly capsule?: PackedRun | null
  /** What was before, where that takes no capsule. */
  readonly before?: Before | null
  readonly beforeRevision?: number | null
  /** Of the workout as it is left behind; undoing it asks whether that is still so. */
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

/** Outcomes that undoing does something about. */
export const UNDOABLE: readonly Outcome[] = ['created', 'updated', 'merged', 'changed', 'deleted']

/** Items that wait for a transaction. */
const MOST_WAITING = 500

/** A receipt of work that goes on for a while, such as an import. */
export interface OpenReceipt {
  readonly id: string
  /** Notes what was stored, as part of the transaction that stores it. */
  write(tx: Tx, item: NewItem): void
  /** Notes what was not stored; it waits for `finish` at most. */
  note(item: NewItem): void
  /** Files that are no runs: one item for all of them. */
  ignored(count: number, reason: string): void
  warn(warning: ReceiptWarning): void
  /** Writes what waits, and the counts; listeners are told. */
  finish(): void
  /** Instead of that, when there is nothing to tell; what was stored after all is finished as any other. */
  drop(): void
}

/**
 * Begins the receipt of work that goes on for a while. The author is told at once, the headers of an answer may leave before
 * the work ends.
 * @returns null when nobody is to have one, or the disk is full
 */
export function openReceipt(deps: Noting & Pick<Deps, 'db' | 'events' | 'log'>, about: NewReceipt): OpenReceipt | null {
  const { db, author, events, log } = deps
  if (author === undefined) return null
  const id = Bun.randomUUIDv7()
  /** What a receipt fails with concerns nobody's runs. */
  const unlessFailed = (write: () => void) => {
    try {
      write()
      return true
    } catch (error) {
      log.error(`The receipt ${id} could not be written`, error)
      return false
    }
  }
  if (!unlessFailed(() => insertReceipt(db, deps, { ...about, id, finishedAt: null }))) return null
  author.left(id)
  const writer = itemWriter(deps, id, 0)
  const waiting: NewItem[] = []
  const warnings: ReceiptWarning[] = []
  let ignored = 0
  const flush = () => {
    const items = waiting.splice(0)
    if (items.length === 0) return
    const write = (tx: Tx) => {
      for (const item of items) writer(tx, item)
    }
    unlessFailed(() => db.transaction(write, { behavior: 'immediate' }))
  }
  const finish = () => {
    flush()
    unlessFailed(() => finishReceipt(db, id, { nowMs: deps.now(), warnings, ignored }))
    events.emit({ event: 'receipt.created', data: { id } })
  }
  return {
    id,
    write: (tx, item) => void writer(tx, item),
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
      // a file of which one run was stored and the next one could not be
      const counts = itemCounts(db, id)
      if (UNDOABLE.some((outcome) => counts[outcome] > 0)) return finish()
      const remove = (tx: Tx) => {
        tx.delete(receiptItems).where(eq(receiptItems.receiptId, id)).run()
        tx.delete(receipts).where(eq(receipts.id, id)).run()
      }
      unlessFailed(() => db.transaction(remove, { behavior: 'immediate' }))
    },
  }
}

/**
 * The receipt of one change, as part of its transaction; `tellReceipt` follows once that is committed.
 * @returns its id; null when nobody is to have one
 */
export function leaveReceipt(tx: Tx, deps: Noting, about: NewReceipt, items: readonly NewItem[]): string | null {
  if (deps.author === undefined) return null
  const id = Bun.randomUUIDv7()
  const counts: Record<Outcome, number> = { ...NO_COUNTS }
  for (const { outcome } of items) counts[outcome] += 1
  insertReceipt(tx, deps, { ...about, id, finishedAt: deps.now(), counts })
  const write = itemWriter(deps, id, 0)
  for (const item of items) write(tx, item)
  return id
}

/** The receipt of numbers that were computed anew; it cannot be undone. @param changed how many workouts */
export function leaveRecalculation(
  deps: Noting & Pick<Deps, 'db' | 'events'>,
  { title, changed, workoutId }: { readonly title: string; readonly changed: number; readonly workoutId?: string },
): void {
  if (deps.author === undefined) return
  const id = Bun.randomUUIDv7()
  const about = { kind: 'recalculate', title, ...(workoutId === undefined ? {} : { workoutId }) } as const
  insertReceipt(deps.db, deps, { ...about, id, finishedAt: deps.now(), counts: { ...NO_COUNTS, changed } })
  tellReceipt(deps, id)
}

/** The receipt of an import that came to nothing, since its only file was refused; none where nobody is to have one. */
export function leaveRefusal(
  deps: Parameters<typeof openReceipt>[0],
  { origin, filename, reason }: { readonly origin: ReceiptOrigin; readonly filename: string; readonly reason: string },
): void {
  const receipt = openReceipt(deps, { kind: 'import', origin, title: filename })
  receipt?.note({ outcome: 'error', filename, reason })
  receipt?.finish()
}

/** Tells the author and all listeners of a receipt that is committed. */
export function tellReceipt({ author, events }: Pick<Deps, 'author' | 'events'>, id: string | null): void {
  if (id === null) return
  author?.left(id)
  events.emit({ event: 'receipt.created', data: { id } })
}

/**
 * A change that the runner sees, of a workout that stands.
 * @returns the revision of before and of now; null for an unknown workout
 */
export function touchRevision(tx: Tx, workoutId: string): { readonly before: number; readonly after: number } | null {
  const row = clientOf(tx)
    .query<{ after: number }, [string]>(
      'UPDATE workout SET revision = revision + 1 WHERE id = ? RETURNING revision AS after',
    )
    .get(workoutId)
  return row && { before: row.after - 1, after: row.after }
}

interface ReceiptRow extends NewReceipt {
  readonly id: string
  readonly finishedAt: number | null
  readonly counts?: ReceiptCounts
}

function insertReceipt(tx: Tx, { config, now, author }: Noting, { counts = NO_COUNTS, ...about }: ReceiptRow): void {
  const nowMs = now()
  const isUndoable = config.undoDays > 0 && about.kind !== 'recalculate'
  insertRow(tx, receipts, {
    ...about,
    counts,
    warnings: [],
    madeAt: nowMs,
    actor: (author as Author).actor,
    undoUntil: isUndoable ? nowMs + config.undoDays * DAY_MS : null,
  })
}

/** True when the workout came with the receipt. */
export function isCreatedBy(tx: Tx, receiptId: string, workoutId: string): boolean {
  const sql = `SELECT 1 FROM receipt_item WHERE workout_id = ? AND receipt_id = ? AND outcome = 'created' LIMIT 1`
  return clientOf(tx).query(sql).get(workoutId, receiptId) !== null
}

/** Writes the items of one receipt, each after the last. @returns a function that gives the place of each */
export function itemWriter(
  deps: Noting,
  receiptId: string,
  from: number,
): (tx: Tx, item: NewItem) => { readonly seq: number; readonly capsuleId: string | null } {
  let seq = from
  return (tx, { capsule = null, before = null, ...item }) => {
    const isDeleted = item.outcome === 'deleted' && capsule?.scope === 'whole'
    const capsuleId = capsule && keepCapsule(tx, deps, capsule, { receiptId, isDeleted })
    const place = seq
    // one that is taken back with its transaction leaves a gap
    seq += 1
    insertRow(tx, receiptItems, { ...item, receiptId, seq: place, capsuleId, oldValues: before })
    return { seq: place, capsuleId }
  }
}

/** @param ended.ignored files beyond the items that stand for them */
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
  const rows = clientOf(tx)
    .query<{ outcome: Outcome; n: number }, [string]>(
      'SELECT outcome, count(*) AS n FROM receipt_item WHERE receipt_id = ? GROUP BY outcome',
    )
    .all(id)
  return { ...NO_COUNTS, ...Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n])) }
}

/** Those whose work the end of the process cut off, before anybody is answered. */
export function finishCutOff(db: Db, nowMs: number): void {
  const open = clientOf(db).query<{ id: string }, []>('SELECT id FROM receipt WHERE finished_at IS NULL').all()
  for (const { id } of open) finishReceipt(db, id, { nowMs })
}
