import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { RunnerWord } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { leaveWords } from '../library/receipts/words.ts'
import { type LoadChoice, loadChoice, storeChoice } from '../library/training/choices.ts'
import { nameKey, searchText } from '../texts.ts'
import type { WorkoutEdit } from './schemas.ts'

/** Members that PATCH may change; undefined: not sent, null: removes the value. */
type Edit = Static<typeof WorkoutEdit>

const EDITED = {
  id: workouts.id,
  runType: workouts.runType,
  notes: workouts.notes,
  name: workouts.name,
  shoeId: workouts.shoeId,
  rpe: workouts.rpe,
  leftOut: workouts.leftOut,
}

/**
 * Changes only the members that were sent.
 * @throws AppError 404 for an unknown workout, 400 for an unknown shoe and for a manual load without a number
 */
export function editWorkout(deps: Deps, id: string, edit: Edit) {
  const { db, events } = deps
  const sent = normalised(edit)
  const { loadSource, loadManual, excludeFromEstimates } = edit
  const isChosen = [loadSource, loadManual, excludeFromEstimates].some((value) => value !== undefined)
  const isEdited = Object.keys(sent).length > 0
  const edited = db.transaction((tx) => {
    const stored = editedRow(tx, id)
    if (stored === undefined) throw notFound('Workout')
    checkShoe(tx, edit.shoeId)
    const { runnerSet } = stored
    const before = wordsOf(stored)
    const { after, nowSet } = isEdited ? writeWords(tx, stored, sent) : { after: before, nowSet: runnerSet }
    const chosen = loadChoice(tx, id)
    const choice = {
      ...chosen,
      ...defined({ loadSource, loadManual, excludeFromEstimates }),
    } as LoadChoice
    if (choice.loadSource === 'manual' && choice.loadManual === null) {
      throw invalid('loadManual is required for the loadSource manual')
    }
    if (isChosen) storeChoice(tx, id, choice)
    const others = otherMembers({ ...before, runnerSet }, { ...after, runnerSet: nowSet })
    const receiptId = leaveWords(tx, deps, id, {
      values: others,
      ...(Bun.deepEquals(chosen, choice) ? {} : { choice: chosen }),
    })
    return { receiptId, answer: { ...after, ...choice } }
  })
  if (isEdited || isChosen) events.emit({ event: 'workout.updated', data: { id } })
  tellReceipt(deps, edited.receiptId)
  return edited.answer
}

/** The members of `before` whose value has changed. */
export function otherMembers<T extends object>(before: T, after: T): Partial<T> {
  const members = Object.entries(before).filter(([name, value]) => !Bun.deepEquals(after[name as keyof T], value))
  return Object.fromEntries(members) as Partial<T>
}

/** The columns of a workout that editing needs; undefined for an unknown one. */
export function editedRow(tx: Tx, id: string) {
  return tx
    .select({ ...EDITED, device: workouts.device, source: workouts.source, runnerSet: workouts.runnerSet })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
}

type EditedRow = NonNullable<ReturnType<typeof editedRow>>
type Words = ReturnType<typeof wordsOf>

export function wordsOf({ device: _, source: __, runnerSet: ___, ...words }: EditedRow) {
  return words
}

/** @throws AppError 400 for an unknown shoe */
export function checkShoe(tx: Tx, shoeId: string | null | undefined): void {
  if (typeof shoeId !== 'string') return
  const shoe = tx.select({ id: shoes.id }).from(shoes).where(eq(shoes.id, shoeId.toLowerCase())).get()
  if (shoe === undefined) throw invalid('Shoe not found')
}

/** Writes words that the runner sent, and the search columns derived from them. */
export function writeWords(
  tx: Tx,
  stored: EditedRow,
  sent: Partial<Words>,
): { readonly after: Words; readonly nowSet: readonly RunnerWord[] } {
  const { device, source, runnerSet } = stored
  const after = { ...wordsOf(stored), ...sent, id: stored.id }
  const nowSet = setBy(sent, runnerSet)
  tx.update(workouts)
    .set({
      ...sent,
      runnerSet: nowSet,
      searchText: searchText(after.name, device, source),
      nameKey: nameKey(after.name),
    })
    .where(eq(workouts.id, stored.id))
    .run()
  return { after, nowSet }
}

function defined<T extends object>(sent: T): Partial<T> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Notes which words the runner has set, also to null; being left out is not noted, since no recording has it. */
function setBy(
  { leftOut: _, ...words }: Partial<Record<RunnerWord | 'leftOut', unknown>>,
  before: readonly RunnerWord[],
): readonly RunnerWord[] {
  return [...new Set([...before, ...(Object.keys(words) as RunnerWord[])])].toSorted()
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
