import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import type { Before } from '../db/stored-receipts.ts'

// Which items of which receipts are undone. Undoing can itself be undone, so the state of each item depends on the item
// that undid it.

/** Marks an item as undone by a receipt. */
export function mark(
  tx: Tx,
  { receiptId, seq, undoneBy }: { readonly receiptId: string; readonly seq: number; readonly undoneBy: string },
): void {
  tx.$client
    .query('UPDATE receipt_item SET undone_by = ? WHERE receipt_id = ? AND seq = ?')
    .run(undoneBy, receiptId, seq)
}

interface Standing {
  /** Index in the undone receipt; null: it undid nothing. */
  readonly seq: number | null
  /** The previous values, stored again. */
  readonly oldValues: Before | null
  readonly capsuleId: string | null
  readonly nowMs: number
}

/**
 * Marks an item as not undone, since what undid it was undone; it can be undone again. An item that it undid itself is
 * marked as undone again, and so on down to the original change.
 */
export function standAgain(tx: Tx, receiptId: string | null, { seq, ...standing }: Standing): void {
  if (receiptId === null || seq === null) return
  const { oldValues, capsuleId, nowMs } = standing
  const ofItem = and(eq(receiptItems.receiptId, receiptId), eq(receiptItems.seq, seq))
  tx.update(receiptItems).set({ undoneBy: null, capsuleId, oldValues }).where(ofItem).run()
  const undone = tx.$client.query('SELECT 1 FROM receipt_item WHERE receipt_id = ? AND undone_by IS NOT NULL LIMIT 1')
  if (undone.get(receiptId) === null) {
    tx.update(receipts).set({ undoneAt: null, undoneBy: null }).where(eq(receipts.id, receiptId)).run()
  }
  const fallen = undoneItem(tx, receiptId, seq)
  if (fallen === null) return
  mark(tx, { ...fallen, undoneBy: receiptId })
  tx.update(receipts).set({ undoneAt: nowMs, undoneBy: receiptId }).where(eq(receipts.id, fallen.receiptId)).run()
  const risen = undoneItem(tx, fallen.receiptId, fallen.seq)
  if (risen !== null) standAgain(tx, risen.receiptId, { ...standing, seq: risen.seq })
}

/** The item that an item undid; null: it undid none. */
function undoneItem(
  tx: Tx,
  receiptId: string,
  seq: number,
): { readonly receiptId: string; readonly seq: number } | null {
  return tx.$client
    .query<{ receiptId: string; seq: number }, [string, number]>(
      `SELECT receipt.undoes AS receiptId, item.undoes_seq AS seq FROM receipt_item AS item
       JOIN receipt ON receipt.id = item.receipt_id
       WHERE item.receipt_id = ? AND item.seq = ? AND receipt.undoes IS NOT NULL AND item.undoes_seq IS NOT NULL`,
    )
    .get(receiptId, seq)
}
