import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { media } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { leaveWords } from '../library/receipts/words.ts'
import { type MediaObject, mediaObject, mediaRow } from './queries.ts'
import type { MediaEdit } from './schemas.ts'

/**
 * Stores the members of a request.
 * @param caption undefined: unchanged; null or blank: removed
 * @throws AppError 404 for an unknown workout, and for media that is unknown or of another workout
 */
export function captioned(
  deps: Deps,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  { caption }: Static<typeof MediaEdit>,
): MediaObject {
  const { object, receiptId } = deps.db.transaction((tx) => {
    const row = mediaRow(tx, id, mediaId)
    const stored = caption === '' ? null : caption
    if (stored === undefined || stored === row.caption) return { object: mediaObject(row), receiptId: null }
    tx.update(media).set({ caption: stored }).where(eq(media.id, mediaId)).run()
    const before = { values: {}, captions: { [mediaId]: row.caption } }
    return { object: mediaObject({ ...row, caption: stored }), receiptId: leaveWords(tx, deps, id, before) }
  })
  tellReceipt(deps, receiptId)
  return object
}
