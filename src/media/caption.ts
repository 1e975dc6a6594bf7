import type { Static } from '@sinclair/typebox'
import type { DepsBy } from '../deps.ts'
import { runHead } from '../library/documents/run.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { commitEdit } from '../library/words.ts'
import { type MediaObject, mediaObject, mediaRow } from './queries.ts'
import type { MediaEdit } from './schemas.ts'

/**
 * Stores the members of a request.
 * @param caption undefined: unchanged; null or blank: removed
 * @throws AppError 404 for an unknown workout, and for media that is unknown or of another workout
 */
export function captioned(
  deps: DepsBy,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  { caption }: Static<typeof MediaEdit>,
): MediaObject {
  const { object, receiptId } = deps.db.transaction((tx) => {
    const row = mediaRow(tx, id, mediaId)
    if (caption === undefined) return { object: mediaObject(row), receiptId: null }
    const captions = { [mediaId]: caption === '' ? null : caption }
    const receiptId = commitEdit(tx, deps, runHead(tx, id)!, { captions })
    return { object: mediaObject(mediaRow(tx, id, mediaId)), receiptId }
  })
  tellReceipt(deps, receiptId)
  return object
}
