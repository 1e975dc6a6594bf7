import type { Static } from '@sinclair/typebox'
import type { DepsBy } from '../../library/deps.ts'
import { runHead } from '../../library/documents/run.ts'
import { announceReceipt } from '../../library/receipts/record.ts'
import { commitEdit } from '../../library/words.ts'
import { type MediaObject, type MediaRow, mediaObjects, mediaRow } from './queries.ts'
import type { MediaEdit } from './schemas.ts'

/** Changes a caption: undefined leaves it, null or blank removes it. @throws AppError 404 for a workout or media */
export function captioned(
  deps: DepsBy,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  { caption }: Static<typeof MediaEdit>,
): MediaObject {
  const { object, receiptId } = deps.db.transaction((tx) => {
    const row = mediaRow(tx, id, mediaId)
    const objectOf = (of: MediaRow) => mediaObjects(tx, [of])[0]!
    if (caption === undefined) return { object: objectOf(row), receiptId: null }
    const captions = { [mediaId]: caption === '' ? null : caption }
    const receiptId = commitEdit(tx, deps, runHead(tx, id)!, { captions })
    return { object: objectOf(mediaRow(tx, id, mediaId)), receiptId }
  })
  announceReceipt(deps, receiptId)
  return object
}
