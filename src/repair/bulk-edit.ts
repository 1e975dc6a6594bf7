import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { leaveReceipt, type NewItem, tellReceipt, touchRevision } from '../library/receipts/record.ts'
import { checkShoe, editedRow, normalised, otherMembers, wordsOf, writeWords } from '../workouts/edit.ts'
import { idsWhere } from '../workouts/list.ts'
import type { BulkEdit, BulkEdited } from './schemas.ts'

type Asked = Static<typeof BulkEdit>

/** With more workouts than this, a single event is sent. */
const MOST_EVENTS = 20

/**
 * Sets members of many runs in one transaction, all or none; a dry run only counts them.
 * @throws AppError 400 for a request with neither or both of ids and filter, an unknown run or shoe, or nothing to set
 */
export function bulkEdit(deps: Deps, asked: Asked): Static<typeof BulkEdited> {
  const { db, events } = deps
  const { set, dryRun = false } = asked
  const { notesAppend, ...words } = set
  if ((asked.ids === undefined) === (asked.filter === undefined)) throw invalid('Send either ids or filter')
  if (Object.values(set).every((value) => value === undefined)) throw invalid('set must have at least one member')
  const sent = normalised(words)
  const { changed, unchanged, items, receiptId } = db.transaction((tx) => {
    checkShoe(tx, words.shoeId)
    const ids = asked.ids === undefined ? idsWhere(tx, asked.filter ?? {}) : [...new Set(asked.ids)]
    const items: EditedItem[] = []
    let changed = 0
    for (const id of ids) {
      const planned = plannedEdit(tx, id, { sent, notesAppend })
      if (planned === null) continue
      changed += 1
      if (!dryRun) items.push(edited(tx, planned))
    }
    const about = {
      kind: 'bulk_edit',
      title: `Edited ${items.length} ${items.length === 1 ? 'run' : 'runs'}`,
    } as const
    const receiptId = items.length === 0 ? null : leaveReceipt(tx, deps, about, items)
    return { changed, unchanged: ids.length - changed, items, receiptId }
  })
  if (items.length > MOST_EVENTS) events.emit({ event: 'workout.updated', data: { id: null } })
  else for (const { workoutId } of items) events.emit({ event: 'workout.updated', data: { id: workoutId } })
  tellReceipt(deps, receiptId)
  return { receiptId, changed, unchanged }
}

interface Sent {
  readonly sent: ReturnType<typeof normalised>
  readonly notesAppend: string | undefined
}

interface PlannedEdit {
  readonly stored: NonNullable<ReturnType<typeof editedRow>>
  readonly wanted: Parameters<typeof writeWords>[2]
}

/** The new values for one run; null: nothing changes. @throws AppError 400 for an unknown workout */
function plannedEdit(tx: Tx, id: string, { sent, notesAppend }: Sent): PlannedEdit | null {
  const stored = editedRow(tx, id)
  if (stored === undefined) throw invalid(`There is no workout ${id}`)
  const notes = notesAppend === undefined ? {} : { notes: appended(stored.notes, notesAppend.toWellFormed()) }
  const wanted = { ...sent, ...notes }
  return Bun.deepEquals({ ...stored, ...wanted }, stored) ? null : { stored, wanted }
}

interface EditedItem extends NewItem {
  readonly workoutId: string
}

/** Writes the new values of one run. @returns its item of the receipt */
function edited(tx: Tx, { stored, wanted }: PlannedEdit): EditedItem {
  const { id } = stored
  const { after, nowSet } = writeWords(tx, stored, wanted)
  const values = otherMembers({ ...wordsOf(stored), runnerSet: stored.runnerSet }, { ...after, runnerSet: nowSet })
  const revision = touchRevision(tx, id)
  return {
    outcome: 'changed',
    workoutId: id,
    before: { what: 'words', values },
    beforeRevision: revision?.before ?? null,
    afterRevision: revision?.after ?? null,
  }
}

function appended(notes: string | null, added: string): string {
  return notes === null || notes.trim() === '' ? added : `${notes.trimEnd()}\n\n${added}`
}
