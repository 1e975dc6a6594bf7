import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { DepsBy } from '../deps.ts'
import { invalid } from '../errors.ts'
import { emitRunEvents } from '../events/runs.ts'
import { type ChangeGroup, commit } from '../library/commit.ts'
import { affected, runHead } from '../library/documents/run.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { withWords } from '../library/words.ts'
import { checkShoe, editedRow, normalised } from '../workouts/edit.ts'
import { idsWhere } from '../workouts/list.ts'
import type { BulkEdit, BulkEdited } from './schemas.ts'

type Asked = Static<typeof BulkEdit>

/**
 * Sets members of many runs in one transaction, all or none; a dry run only counts them.
 * @throws AppError 400 for a request with neither or both of ids and filter, an unknown run or shoe, or nothing to set
 */
export function bulkEdit(deps: DepsBy, asked: Asked): Static<typeof BulkEdited> {
  const { db, by, events } = deps
  const { set, dryRun = false } = asked
  const { notesAppend, ...words } = set
  if ((asked.ids === undefined) === (asked.filter === undefined)) throw invalid('Send either ids or filter')
  if (Object.values(set).every((value) => value === undefined)) throw invalid('set must have at least one member')
  const sent = normalised(words)
  const { changed, unchanged, receiptId } = db.transaction((tx) => {
    checkShoe(tx, words.shoeId)
    const ids = asked.ids === undefined ? idsWhere(tx, asked.filter ?? {}) : [...new Set(asked.ids)]
    const groups = ids.flatMap((id) => editOf(tx, id, { sent, notesAppend }) ?? [])
    const { length } = groups
    const receipt = { kind: 'bulk_edit', title: `Edited ${length} ${length === 1 ? 'run' : 'runs'}` } as const
    const receiptId = dryRun || length === 0 ? null : commit(tx, deps, by, { receipt, groups })
    return { changed: groups.map(({ item }) => item.workoutId), unchanged: ids.length - length, receiptId }
  })
  if (receiptId !== null) emitRunEvents(events, new Map(changed.map((id) => [id, 'updated'])))
  tellReceipt(deps, receiptId)
  return { receiptId, changed: changed.length, unchanged }
}

interface Sent {
  readonly sent: ReturnType<typeof normalised>
  readonly notesAppend: string | undefined
}

interface RunEdit extends ChangeGroup {
  readonly item: { readonly outcome: 'changed'; readonly workoutId: string }
}

/** The edit of one run; null: it changes nothing that can be seen. @throws AppError 400 for an unknown workout */
function editOf(tx: Tx, id: string, { sent, notesAppend }: Sent): RunEdit | null {
  const stored = editedRow(tx, id)
  const head = runHead(tx, id)
  if (stored === undefined || head === null) throw invalid(`There is no workout ${id}`)
  const notes = notesAppend === undefined ? {} : { notes: appended(stored.notes, notesAppend.toWellFormed()) }
  const wanted = { ...sent, ...notes }
  if (Bun.deepEquals({ ...stored, ...wanted }, stored)) return null
  const to = withWords(head.body, wanted)
  if (affected(head.body, to) === 'nothing') return null
  return { changes: [{ kind: 'run', id, from: head.seq, to }], item: { outcome: 'changed', workoutId: id } }
}

function appended(notes: string | null, added: string): string {
  return notes === null || notes.trim() === '' ? added : `${notes.trimEnd()}\n\n${added}`
}
