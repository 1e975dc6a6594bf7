import { notFound } from '../base/errors.ts'
import type { Tx } from '../db/open.ts'
import { commit, type OtherChange } from './commit.ts'
import type { DepsBy } from './deps.ts'
import { type Bodies, bodyOf } from './documents/rows.ts'
import { announceReceipt } from './receipts/record.ts'

const THINGS = { shoe: 'Shoe', goal: 'Goal', race: 'Race', mark: 'Mark', place: 'Place' } as const
type Kind = keyof typeof THINGS

/** The document as it is. @throws AppError 404 */
export function neededBody<K extends Kind>(tx: Tx, kind: K, id: string): Bodies[K] {
  const body = bodyOf(tx, kind, id)
  if (body === null) throw notFound(THINGS[kind])
  return body
}

/** Deletes a document, with a receipt. @param beside what is changed with it @throws AppError 404 */
export function deleteDocument<K extends Kind>(
  deps: DepsBy,
  [kind, id]: readonly [kind: K, id: string],
  titled: (body: Bodies[K]) => string,
  beside: readonly OtherChange[] = [],
): void {
  const receiptId = deps.db.transaction((tx) => {
    const receipt = { kind: 'delete', title: titled(neededBody(tx, kind, id)) } as const
    const changes = [...beside, { kind, id, to: null } as OtherChange]
    return commit(tx, deps, deps.by, { receipt, groups: [{ changes, item: { outcome: 'deleted' } }] })
  })
  announceReceipt(deps, receiptId)
}
