import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { checkShoe, editedRow, normalised, writeWords } from '../workouts/edit.ts'
import { idsWhere } from '../workouts/list.ts'
import type { BulkEdit, BulkEdited } from './schemas.ts'

type Asked = Static<typeof BulkEdit>

/** More events in a row say no more than one. */
const MOST_EVENTS = 20

/**
 * Sets words of many runs in one transaction, all or none.
 * @throws AppError 400 for a request that names runs in no way or in two, an unknown run or shoe, or nothing to set
 */
export function bulkEdit({ db, events }: Deps, asked: Asked): Static<typeof BulkEdited> {
  const { notesAppend, ...words } = asked.set
  if ((asked.ids === undefined) === (asked.filter === undefined)) throw invalid('Send either ids or filter')
  if (Object.values(asked.set).every((value) => value === undefined)) throw invalid('set must have at least one member')
  const sent = normalised(words)
  const { changed, unchanged } = db.transaction(
    (tx) => {
      checkShoe(tx, words.shoeId)
      const ids = asked.ids === undefined ? idsWhere(tx, asked.filter ?? {}) : [...new Set(asked.ids)]
      const edited = ids.filter((id) => isEdited(tx, id, { sent, notesAppend }))
      return { changed: edited, unchanged: ids.length - edited.length }
    },
    { behavior: 'immediate' },
  )
  if (changed.length > MOST_EVENTS) events.emit({ event: 'workout.updated', data: { id: null } })
  else for (const id of changed) events.emit({ event: 'workout.updated', data: { id } })
  return { receiptId: null, changed: changed.length, unchanged }
}

interface Sent {
  readonly sent: ReturnType<typeof normalised>
  readonly notesAppend: string | undefined
}

/** @returns false when it is as it should be already @throws AppError 400 for an unknown workout */
function isEdited(tx: Tx, id: string, { sent, notesAppend }: Sent): boolean {
  const stored = editedRow(tx, id)
  if (stored === undefined) throw invalid(`There is no workout ${id}`)
  const notes = notesAppend === undefined ? {} : { notes: appended(stored.notes, notesAppend.toWellFormed()) }
  const after = { ...sent, ...notes }
  if (Bun.deepEquals({ ...stored, ...after }, stored)) return false
  writeWords(tx, stored, after)
  return true
}

function appended(notes: string | null, added: string): string {
  return notes === null || notes.trim() === '' ? added : `${notes.trimEnd()}\n\n${added}`
}
