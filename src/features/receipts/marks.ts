import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { receipts } from '../../db/schema-receipts.ts'

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
export function markUndone(tx: Tx, { receiptId, seq }: ItemPlace, undoneBy: string | null, nowMs: number): void {
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
