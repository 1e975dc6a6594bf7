import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media, workouts } from '../../db/schema.ts'
import type { WordsBefore } from '../../db/stored-receipts.ts'
import { nameKey, searchText } from '../../texts.ts'
import { shoeExists } from '../add-workout.ts'
import { effortWordsOf, sayOfEffort } from '../effort-words.ts'
import { type LoadChoice, loadChoice, storeChoice } from '../training/choices.ts'

type Values = WordsBefore['values']

/** Puts back the runner's previous words. @returns the values replaced, of the same members */
export function swapWords(tx: Tx, workoutId: string, before: WordsBefore): WordsBefore {
  const { choice, efforts, captions } = before
  const values = swapValues(tx, workoutId, before.values)
  const now: { -readonly [K in keyof WordsBefore]: WordsBefore[K] } = { what: 'words', values }
  if (choice !== undefined) {
    now.choice = loadChoice(tx, workoutId)
    storeChoice(tx, workoutId, choice as LoadChoice)
  }
  if (efforts !== undefined) {
    const said = new Map(effortWordsOf(tx, workoutId).map((word) => [String(word.distanceIndex), word.isRecord]))
    now.efforts = Object.fromEntries(Object.keys(efforts).map((index) => [index, said.get(index) ?? null]))
    for (const [index, isRecord] of Object.entries(efforts)) {
      sayOfEffort(tx, workoutId, { distanceIndex: Number(index), isRecord })
    }
  }
  if (captions !== undefined) now.captions = swapCaptions(tx, workoutId, captions)
  return now
}

function swapValues(tx: Tx, workoutId: string, before: Values): Values {
  const names = Object.keys(before) as (keyof Values)[]
  const stored = tx.select().from(workouts).where(eq(workouts.id, workoutId)).get()
  if (stored === undefined || names.length === 0) return {}
  const { shoeId } = before
  // a shoe that was deleted since cannot be put back
  const isGone = typeof shoeId === 'string' && !shoeExists(tx, shoeId)
  const values = { ...before, ...(isGone ? { shoeId: null } : {}) }
  const after = { ...stored, ...values }
  const found = { searchText: searchText(after.name, after.device, after.source), nameKey: nameKey(after.name) }
  tx.update(workouts)
    .set({ ...values, ...found })
    .where(eq(workouts.id, workoutId))
    .run()
  return Object.fromEntries(names.map((name) => [name, stored[name]])) as Values
}

function swapCaptions(
  tx: Tx,
  workoutId: string,
  captions: NonNullable<WordsBefore['captions']>,
): NonNullable<WordsBefore['captions']> {
  const rows = tx
    .select({ id: media.id, caption: media.caption })
    .from(media)
    .where(eq(media.workoutId, workoutId))
    .all()
  const now = new Map(rows.map(({ id, caption }) => [id, caption]))
  for (const [id, caption] of Object.entries(captions)) {
    const isOfRun = and(eq(media.id, id), eq(media.workoutId, workoutId))
    tx.update(media).set({ caption }).where(isOfRun).run()
  }
  return Object.fromEntries(Object.keys(captions).map((id) => [id, now.get(id) ?? null]))
}
