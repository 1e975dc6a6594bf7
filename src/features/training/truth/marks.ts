import type { Static } from '@sinclair/typebox'
import { invalid, notFound } from '../../../base/errors.ts'
import { commit } from '../../../library/commit.ts'
import type { DepsBy } from '../../../library/deps.ts'
import { bodyOf } from '../../../library/documents/rows.ts'
import { announceReceipt } from '../../../library/receipts/record.ts'
import { type Mark, MOST_MARKS, markDocument, storedMarks } from '../../../library/training/marks.ts'
import type { NewMark } from './schemas.ts'

/** Marks a day from which on the runner wore another sensor. @throws AppError 400 */
export function addMark(deps: DepsBy, body: Static<typeof NewMark>): Mark {
  const mark: Mark = { ...body, id: Bun.randomUUIDv7() }
  const receiptId = deps.db.transaction((tx) => {
    if (storedMarks(tx).length >= MOST_MARKS) throw invalid(`There are ${MOST_MARKS} marks already`)
    const changes = [{ kind: 'mark', id: mark.id, to: markDocument(mark) } as const]
    const receipt = { kind: 'edit', title: `Marked a new sensor: ${mark.name}` } as const
    return commit(tx, deps, deps.by, { receipt, groups: [{ changes, item: { outcome: 'created' } }] })
  })
  announceReceipt(deps, receiptId)
  return mark
}

/** @throws AppError 404 */
export function deleteMark(deps: DepsBy, id: string): void {
  const receiptId = deps.db.transaction((tx) => {
    const mark = bodyOf(tx, 'mark', id)
    if (mark === null) throw notFound('Mark')
    const changes = [{ kind: 'mark', id, to: null } as const]
    const receipt = { kind: 'delete', title: `Removed the sensor mark ${mark.name}` } as const
    return commit(tx, deps, deps.by, { receipt, groups: [{ changes, item: { outcome: 'deleted' } }] })
  })
  announceReceipt(deps, receiptId)
}
