import { eq } from 'drizzle-orm'
import { insertRow } from '../../db/insert.ts'
import { commitUnsynced } from '../../db/log-sync.ts'
import type { Db, Tx } from '../../db/open.ts'
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
import { isRestorable, UNDOABLE } from './restorable.ts'

// Receipts are written in the transaction of the change that they describe. Without an author, as in a verification,
// the same functions leave no receipt.

/** Dependencies for writing a receipt. */
export type Noting = Pick<Deps, 'config' | 'now' | 'author'>

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
  /** The workout before the change. */
  readonly capsule?: PackedRun | null
  /** The previous values, where these need no capsule. */
  readonly before?: Before | null
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

/** Most items that wait for a transaction. */
const MOST_WAITING = 500

/** A receipt of work that takes a while, such as an import. */
export interface OpenReceipt {
  readonly id: string
  /** Notes what was stored, in the transaction that stores it. */
  write(tx: Tx, item: NewItem): void
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
 * Opens the receipt of work that takes a while. The author learns its id at once, since the headers of an answer may be
 * sent before the work ends.
 * @returns null when there is no author, or the disk is full
 */
export function openReceipt(deps: Noting & Pick<Deps, 'db' | 'events' | 'log'>, about: NewReceipt): OpenReceipt | null {
  const { db, author, events, log } = deps
  if (author === undefined) return null
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
    unlessFailed(() => db.transaction(write))
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
      // one file may have stored and failed runs
      const counts = itemCounts(db, id)
      if (UNDOABLE.some((outcome) => counts[outcome] > 0)) return finish()
      const remove = (tx: Tx) => {
        tx.delete(receiptItems).where(eq(receiptItems.receiptId, id)).run()
        tx.delete(receipts).where(eq(receipts.id, id)).run()
      }
      unlessFailed(() => db.transaction(remove))
    },
  }
}

/**
 * Writes the receipt of one change, in its transaction; `tellReceipt` must follow once that is committed. When none of
 * the items can be undone, neither can the receipt.
 * @returns its id; null when there is no author
 */
export function leaveReceipt(tx: Tx, deps: Noting, about: NewReceipt, items: readonly NewItem[]): string | null {
  if (deps.author === undefined) return null
  const id = Bun.randomUUIDv7()
  const counts: Record<Outcome, number> = { ...NO_COUNTS }
  for (const { outcome } of items) counts[outcome] += 1
  // the receipt of an undoing begins without items
  const isFinal =
    items.length > 0 &&
    !items.some(({ outcome, capsule = null, before = null }) =>
      isRestorable({ outcome, hasCapsule: capsule !== null, hasBefore: before !== null }),
    )
  insertReceipt(tx, deps, { ...about, id, finishedAt: deps.now(), counts, isFinal })
  const write = itemWriter(deps, id, 0)
  for (const item of items) write(tx, item)
  return id
}

/** The receipt of a recalculation; it cannot be undone. @param changed number of workouts */
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

/** Leaves the receipt of an import whose only file was refused; none without an author. */
export function leaveRefusal(
  deps: Parameters<typeof openReceipt>[0],
  { origin, filename, reason }: { readonly origin: ReceiptOrigin; readonly filename: string; readonly reason: string },
): void {
  const receipt = openReceipt(deps, { kind: 'import', origin, title: filename })
  receipt?.note({ outcome: 'error', filename, reason })
  receipt?.finish()
}

/** Announces a committed receipt to the author and all listeners. */
export function tellReceipt({ author, events }: Pick<Deps, 'author' | 'events'>, id: string | null): void {
  if (id === null) return
  author?.left(id)
  events.emit({ event: 'receipt.created', data: { id } })
}

/**
 * Raises the revision of a workout, for a change that the runner can see.
 * @returns the revisions before and after; null for an unknown workout
 */
export function touchRevision(tx: Tx, workoutId: string): { readonly before: number; readonly after: number } | null {
  const row = tx.$client
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
  /** It cannot be undone. */
  readonly isFinal?: boolean
}

function insertReceipt(
  tx: Tx,
  { config, now, author }: Noting,
  { counts = NO_COUNTS, isFinal = false, ...about }: ReceiptRow,
): void {
  const nowMs = now()
  const isUndoable = config.undoDays > 0 && about.kind !== 'recalculate' && !isFinal
  insertRow(tx, receipts, {
    ...about,
    counts,
    warnings: [],
    madeAt: nowMs,
    actor: (author as Author).actor,
    undoUntil: isUndoable ? nowMs + config.undoDays * DAY_MS : null,
  })
}

/** Whether the workout was created by the receipt. */
export function isCreatedBy(tx: Tx, receiptId: string, workoutId: string): boolean {
  const sql = `SELECT 1 FROM receipt_item WHERE workout_id = ? AND receipt_id = ? AND outcome = 'created' LIMIT 1`
  return tx.$client.query(sql).get(workoutId, receiptId) !== null
}

/** Writes the items of one receipt in order. @returns a function that returns the index of each */
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
    // an item rolled back with its transaction leaves a gap
    seq += 1
    insertRow(tx, receiptItems, { ...item, receiptId, seq: place, capsuleId, oldValues: before })
    return { seq: place, capsuleId }
  }
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
