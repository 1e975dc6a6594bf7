import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import { emitRunEvents } from '../../base/events.ts'
import type { Tx } from '../../db/open.ts'
import { inSlices } from '../../db/transactions.ts'
import { type ChangeGroup, commitItem } from '../../library/commit.ts'
import type { DepsBy } from '../../library/deps.ts'
import { affected, runHead } from '../../library/documents/run.ts'
import { workoutExists } from '../../library/ids.ts'
import { openReceipt } from '../../library/receipts/record.ts'
import { suggestedTypes } from '../../library/training/suggested-types.ts'
import { withWords } from '../../library/words.ts'
import { checkShoe, editedRow, normalised } from '../workouts/edit.ts'
import { idsInOrder } from '../workouts/list.ts'
import type { BulkEdit, BulkEdited } from './schemas.ts'

type Asked = Static<typeof BulkEdit>

/**
 * Sets members of many runs under one receipt; a dry run only counts them. All are looked at before the first is changed,
 * and others are served in between.
 * @throws AppError 400 for a request with neither or both of ids and filter or of runType and suggestedRunType, an unknown
 *   run or shoe, or nothing to set
 */
export async function bulkEdit(deps: DepsBy, asked: Asked): Promise<Static<typeof BulkEdited>> {
  const { db, events, loads } = deps
  const { set, dryRun = false } = asked
  const { notesAppend, suggestedRunType: isSuggested = false, ...words } = set
  if ((asked.ids === undefined) === (asked.filter === undefined)) throw invalid('Send either ids or filter')
  if (Object.values(set).every((value) => value === undefined))
    throw invalid('set must have at least one member', { field: 'set' })
  if (isSuggested && words.runType !== undefined) throw invalid('Send either runType or suggestedRunType')
  checkShoe(db, words.shoeId)
  const same = normalised(words)
  // a filter by load, and the intensity that suggestions follow from, need current loads
  if (isSuggested || asked.filter !== undefined) await loads.upToDate()
  const fit = loads.fitness()?.fit ?? null
  const ids = asked.ids === undefined ? idsInOrder(db, asked.filter ?? {}) : [...new Set(asked.ids)]
  const changing = new Map<string, Sent>()
  await inSlices(db, ids, (tx, id) => {
    if (!workoutExists(tx, id)) throw invalid(`There is no workout ${id}`, { code: 'workout_not_found', field: 'ids' })
    const runType = isSuggested ? suggestedTypes(tx, [id], fit).get(id)?.type : undefined
    const sent = { sent: { ...same, ...(runType === undefined ? {} : { runType }) }, notesAppend }
    if (editOf(tx, id, sent) !== null) changing.set(id, sent)
  })
  const { size: length } = changing
  if (dryRun || length === 0) return { receiptId: null, changed: length, unchanged: ids.length - length }
  const receipt = openReceipt(deps, { kind: 'bulk_edit', title: `Edited ${length} ${length === 1 ? 'run' : 'runs'}` })
  const changed = new Map<string, 'updated'>()
  try {
    await inSlices(db, [...changing], (tx, [id, sent]) => {
      const group = editOf(tx, id, sent)
      if (group === null) return
      commitItem(tx, deps, group, receipt)
      changed.set(id, 'updated')
    })
  } finally {
    emitRunEvents(events, changed)
    receipt?.finish()
  }
  return { receiptId: receipt?.id ?? null, changed: changed.size, unchanged: ids.length - changed.size }
}

interface Sent {
  readonly sent: ReturnType<typeof normalised>
  readonly notesAppend: string | undefined
}

/** The edit of one run; null: it changes nothing that can be seen, or the run is not there. */
function editOf(tx: Tx, id: string, { sent, notesAppend }: Sent): ChangeGroup | null {
  const stored = editedRow(tx, id)
  const head = runHead(tx, id)
  if (stored === undefined || head === null) return null
  const notes = notesAppend === undefined ? {} : { notes: appended(stored.notes, notesAppend.toWellFormed()) }
  const wanted = { ...sent, ...notes }
  // "no type" is a decision, even where there was none
  const isDecided = wanted.runType !== null || head.body.words?.runType !== undefined
  if (isDecided && Bun.deepEquals({ ...stored, ...wanted }, stored)) return null
  const to = withWords(head.body, wanted)
  if (affected(head.body, to) === 'nothing') return null
  return { changes: [{ kind: 'run', id, from: head.seq, to }], item: { outcome: 'changed', workoutId: id } }
}

function appended(notes: string | null, added: string): string {
  return notes === null || notes.trim() === '' ? added : `${notes.trimEnd()}\n\n${added}`
}
