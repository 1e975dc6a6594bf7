import type { Static } from '@sinclair/typebox'
import { eq, sql } from 'drizzle-orm'
import { invalid, notApplicable } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { preparedOnce } from '../../db/prepared.ts'
import { workouts } from '../../db/schema.ts'
import { changeRuns } from '../../library/change-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { neededHead, type RunDocument, type RunHead } from '../../library/documents/run.ts'
import { shoeExists } from '../../library/ids.ts'
import { announceReceipt } from '../../library/receipts/record.ts'
import { restated } from '../../library/reread.ts'
import { type LoadChoice, loadChoice, NO_CHOICE } from '../../library/training/choices.ts'
import { unusualEfforts } from '../../library/unusual-efforts.ts'
import { commitEdit, titleOf, withRecord, withWords } from '../../library/words.ts'
import { wornShoe } from './fields.ts'
import type { WorkoutEdit } from './schemas.ts'

/** Members that PATCH may change; undefined: not sent, null: removes the value. */
type Edit = Static<typeof WorkoutEdit>

const EDITED = {
  id: workouts.id,
  runType: workouts.runType,
  notes: workouts.notes,
  name: workouts.name,
  shoeId: wornShoe,
  rpe: workouts.rpe,
  leftOut: workouts.leftOut,
}

/**
 * Changes only the members that were sent.
 * @throws AppError 404 for an unknown workout, 400 for an unknown shoe, for a manual load without a number, and for a decision on
 *   unusually fast efforts of a run that has none, or on corrections of one that has none or cannot be read again
 */
export async function editWorkout(deps: DepsBy, id: string, edit: Edit) {
  const { db, events } = deps
  const { stated } = edit
  checkShoe(db, edit.shoeId)
  if (stated !== undefined && stated !== isStated(neededHead(db, id))) {
    await changeRuns(deps, [id], () => plannedEdit(deps, id, { ...edit, stated }))
    return answerOf(db, id)
  }
  const sent = normalised(edit)
  const chosen = sentChoice(edit)
  const { receiptId, answer } = db.transaction((tx) => {
    const head = neededHead(tx, id)
    const receiptId = commitEdit(tx, deps, head, { to: edited(tx, head, edit) })
    return { receiptId, answer: answerOf(tx, id) }
  })
  if (Object.keys({ ...sent, ...chosen }).length > 0 || edit.efforts !== undefined || edit.wasRaced !== undefined)
    events.emit({ event: 'workout.updated', data: { id } })
  announceReceipt(deps, receiptId)
  return answer
}

/** The document with the members that were sent. @throws AppError 400 */
function edited(tx: Tx, head: RunHead, edit: Edit): RunDocument {
  checkShoe(tx, edit.shoeId)
  const body = withRaced(withChoice(withWords(head.body, normalised(edit)), sentChoice(edit)), edit.wasRaced)
  return withEfforts(tx, { ...head, body }, edit.efforts)
}

/** An edit that declines corrections or takes them back: the files are read again. */
async function plannedEdit(deps: DepsBy, id: string, edit: Edit & { readonly stated: boolean }) {
  const head = neededHead(deps.db, id)
  const planned = await restated(deps, { ...head, body: edited(deps.db, head, edit) }, edit.stated)
  const title = titleOf(deps.db, { before: head.body, after: planned.to })
  return { receipt: { kind: 'edit', title, workoutId: id } as const, runs: [{ ...planned, id, from: head.seq }] }
}

function isStated({ body }: RunHead): boolean {
  return body.choices?.stated ?? false
}

function answerOf(tx: Tx, id: string) {
  const head = neededHead(tx, id)
  const wasRaced = head.body.choices?.wasRaced ?? false
  return { ...editedRow(tx, id)!, ...loadChoice(tx, id), wasRaced, stated: isStated(head) }
}

/** The members of a workout that can be edited; undefined for an unknown one. */
export function editedRow(tx: Tx, id: string) {
  return editedOf(tx).get({ id })
}

const editedOf = preparedOnce((tx) =>
  tx
    .select(EDITED)
    .from(workouts)
    .where(eq(workouts.id, sql.placeholder('id')))
    .prepare(),
)

/** @throws AppError 400 for an unknown shoe */
export function checkShoe(tx: Tx, shoeId: string | null | undefined): void {
  if (typeof shoeId === 'string' && !shoeExists(tx, shoeId.toLowerCase()))
    throw invalid('Shoe not found', { code: 'shoe_not_found', field: 'shoeId' })
}

function sentChoice({ loadSource, loadManual, excludeFromEstimates }: Edit): Partial<LoadChoice> {
  return {
    ...(loadSource === undefined ? {} : { loadSource }),
    ...(loadManual === undefined ? {} : { loadManual }),
    ...(excludeFromEstimates === undefined ? {} : { excludeFromEstimates }),
  }
}

/** @throws AppError 400 for a manual load without a number */
function withChoice(body: RunDocument, sent: Partial<LoadChoice>): RunDocument {
  const { load: before = NO_CHOICE, ...choices } = body.choices ?? {}
  const load = { ...before, ...sent }
  if (load.loadSource === 'manual' && load.loadManual === null) {
    throw invalid('loadManual is required for the loadSource manual', { field: 'loadManual' })
  }
  return { ...body, choices: { ...choices, ...(Bun.deepEquals(load, NO_CHOICE) ? {} : { load }) } }
}

function withRaced(body: RunDocument, sent: boolean | undefined): RunDocument {
  if (sent === undefined) return body
  const { wasRaced: _, ...choices } = body.choices ?? {}
  return { ...body, choices: { ...choices, ...(sent ? { wasRaced: true } : {}) } }
}

/** @throws AppError 400 when there is nothing to decide */
function withEfforts(tx: Tx, { id, body }: RunHead, counts: boolean | null | undefined): RunDocument {
  if (counts === undefined) return body
  const unusual = unusualEfforts(tx, id)
  if (unusual.length === 0) throw notApplicable('No best effort of this run is unusually fast')
  return unusual.reduce((to, { distanceIndex }) => withRecord(to, distanceIndex, counts), body)
}

/**
 * The sent values in stored form: a blank name becomes null, half a surrogate pair a replacement character, an id lower
 * case.
 */
export function normalised({ runType, notes, name, shoeId, rpe, leftOut }: Edit) {
  return {
    ...(runType === undefined ? {} : { runType }),
    ...(notes === undefined ? {} : { notes: notes?.toWellFormed() ?? null }),
    ...(name === undefined ? {} : { name: name?.trim() ? name.toWellFormed() : null }),
    ...(shoeId === undefined ? {} : { shoeId: shoeId?.toLowerCase() ?? null }),
    ...(rpe === undefined ? {} : { rpe }),
    ...(leftOut === undefined ? {} : { leftOut: leftOut ?? false }),
  }
}
