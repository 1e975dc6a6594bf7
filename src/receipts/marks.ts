import { and, eq } from 'drizzle-orm'
import { clientOf, type Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import type { Before } from '../db/stored-receipts.ts'

// Which items of which receipts are undone: what undoes may be undone in turn, so that each item stands or falls with the one
// that undid it.

/** That an item was taken back, and by which receipt. */
export function mark(
  tx: Tx,
  { receiptId, seq, undoneBy }: { readonly receiptId: string; readonly seq: number; readonly undoneBy: string },
): void {
  clientOf(tx)
    .query('UPDATE receipt_item SET undone_by = ? WHERE receipt_id = ? AND seq = ?')
    .run(undoneBy, receiptId, seq)
}

interface Standing {
  /** Place in the receipt; null: it undid nothing. */
  readonly seq: number | null
  /** What was before it, kept once more. */
  readonly oldValues: Before | null
  readonly capsuleId: string | null
  readonly nowMs: number
}

/**
 * An item that was undone stands again, since what undid it is undone, and can be undone again; what it undid itself falls
 * once more, and so on down to the change that began it.
 */
export function standAgain(tx: Tx, receiptId: string | null, { seq, ...standing }: Standing): void {
  if (receiptId === null || seq === null) return
  const { oldValues, capsuleId, nowMs } = standing
  const ofItem = and(eq(receiptItems.receiptId, receiptId), eq(receiptItems.seq, seq))
  tx.update(receiptItems).set({ undoneBy: null, capsuleId, oldValues }).where(ofItem).run()
  const undone = clientOf(tx).query('SELECT 1 FROM receipt_item WHERE receipt_id = ? AND undone_by IS NOT NULL LIMIT 1')
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

/** The item that one undid; null: it undid none. */
function undoneItem(
  tx: Tx,
  receiptId: string,
  seq: number,
): { readonly receiptId: string; readonly seq: number } | null {
  const row = tx
    .select({ receiptId: receipts.undoes, seq: receiptItems.undoesSeq })
    .from(receiptItems)
    .innerJoin(receipts, eq(receipts.id, receiptItems.receiptId))
    .where(and(eq(receiptItems.receiptId, receiptId), eq(receiptItems.seq, seq)))
    .get()
  return row === undefined || row.receiptId === null || row.seq === null
    ? null
    : { receiptId: row.receiptId, seq: row.seq }
}
