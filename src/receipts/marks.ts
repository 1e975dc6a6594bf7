import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import { UNDOABLE } from '../library/receipts/record.ts'

// Which items of which receipts are undone. Undoing can itself be undone, so the state of each item depends on the item
// that undid it.

interface ItemPlace {
  readonly receiptId: string
  readonly seq: number
}

/** Marks an item as undone by a receipt; an item that it had undone itself stands again. */
export function markUndone(tx: Tx, item: ItemPlace, undoneBy: string, nowMs: number): void {
  mark(tx, item, undoneBy)
  const undone = undoneItem(tx, item)
  if (undone !== null) standAgain(tx, undone, nowMs)
}

function mark(tx: Tx, { receiptId, seq }: ItemPlace, undoneBy: string | null): void {
  tx.$client
    .query('UPDATE receipt_item SET undone_by = ? WHERE receipt_id = ? AND seq = ?')
    .run(undoneBy, receiptId, seq)
}

/**
 * Marks an item as not undone, since what undid it was undone; it can be undone again. An item that it undid itself is
 * marked as undone again, and so on down to the original change.
 */
function standAgain(tx: Tx, item: ItemPlace, nowMs: number): void {
  const { receiptId } = item
  mark(tx, item, null)
  const undone = tx.$client.query('SELECT 1 FROM receipt_item WHERE receipt_id = ? AND undone_by IS NOT NULL LIMIT 1')
  if (undone.get(receiptId) === null) {
    tx.update(receipts).set({ undoneAt: null, undoneBy: null }).where(eq(receipts.id, receiptId)).run()
  }
  const fallen = undoneItem(tx, item)
  if (fallen === null) return
  mark(tx, fallen, receiptId)
  tx.update(receipts).set({ undoneAt: nowMs, undoneBy: receiptId }).where(eq(receipts.id, fallen.receiptId)).run()
  const risen = undoneItem(tx, fallen)
  if (risen !== null) standAgain(tx, risen, nowMs)
}

/** The item that an item undid; null: it undid none. */
function undoneItem(tx: Tx, { receiptId, seq }: ItemPlace): ItemPlace | null {
  return tx.$client
    .query<ItemPlace, [string, number]>(
      `SELECT receipt.undoes AS receiptId, item.undoes_seq AS seq FROM receipt_item AS item
       JOIN receipt ON receipt.id = item.receipt_id
       WHERE item.receipt_id = ? AND item.seq = ? AND receipt.undoes IS NOT NULL AND item.undoes_seq IS NOT NULL`,
    )
    .get(receiptId, seq)
}

/** Marks a receipt as undone once none of its items is left to undo. @returns whether it is */
export function markReceipt(tx: Tx, receiptId: string, undoneBy: string, nowMs: number): boolean {
  const rest = and(
    eq(receiptItems.receiptId, receiptId),
    isNull(receiptItems.undoneBy),
    inArray(receiptItems.outcome, [...UNDOABLE]),
  )
  if (tx.select({ seq: receiptItems.seq }).from(receiptItems).where(rest).get() !== undefined) return false
  const set = tx.update(receipts).set({ undoneAt: nowMs, undoneBy }).where(eq(receipts.id, receiptId))
  return set.returning({ id: receipts.id }).all().length > 0
}
