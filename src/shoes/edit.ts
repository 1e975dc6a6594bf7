import type { Static } from '@sinclair/typebox'
import { count, eq } from 'drizzle-orm'
import { workouts } from '../db/schema.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { leaveReceipt, type Noting, tellReceipt } from '../library/receipts/record.ts'
import { defaultShoeId, writeSettings } from '../library/settings.ts'
import { shoeById } from './queries.ts'
import { type ChosenShoe, MOST_SHOES, type NewShoe, type Shoe, type ShoeEdit } from './schemas.ts'

type ShoeDeps = Pick<Deps, 'db' | 'now' | 'events'>

/** @throws AppError 400 when the most shoes exist already */
export function addShoe({ db, now, events }: ShoeDeps, shoe: Static<typeof NewShoe>): Static<typeof Shoe> {
  const id = Bun.randomUUIDv7()
  const nowMs = now()
  const added = db.transaction((tx) => {
    const kept = tx.select({ n: count() }).from(shoes).get()?.n ?? 0
    if (kept >= MOST_SHOES) throw invalid(`There are ${MOST_SHOES} shoes already, the most that are kept`)
    tx.insert(shoes)
      .values({ ...shoe, id, createdAt: nowMs, updatedAt: nowMs })
      .run()
    return shoeById(tx, id)
  })
  if (added === null) throw new Error('A shoe was not found right after it was added')
  events.emit({ event: 'shoe.created', data: { id } })
  return added
}

/**
 * Changes only the members that were sent.
 * @throws AppError 404
 */
export function editShoe(
  { db, now, events }: ShoeDeps,
  id: string,
  edit: Static<typeof ShoeEdit>,
): Static<typeof Shoe> {
  const isEdited = Object.keys(edit).length > 0
  const edited = db.transaction((tx) => {
    if (isEdited) {
      tx.update(shoes)
        .set({ ...edit, updatedAt: now() })
        .where(eq(shoes.id, id))
        .run()
    }
    return shoeById(tx, id)
  })
  if (edited === null) throw notFound('Shoe')
  if (isEdited) events.emit({ event: 'shoe.updated', data: { id } })
  return edited
}

/**
 * Deletes a shoe; foreign keys remove it from its runs and from the settings.
 * @throws AppError 404
 */
export function deleteShoe(deps: ShoeDeps & Noting, id: string): void {
  const { db, events } = deps
  const { wasDefault, receiptId } = db.transaction((tx) => {
    const wasDefault = defaultShoeId(tx) === id
    const worn = tx.select({ id: workouts.id }).from(workouts).where(eq(workouts.shoeId, id)).all()
    const shoe = tx.delete(shoes).where(eq(shoes.id, id)).returning().get()
    if (shoe === undefined) throw notFound('Shoe')
    const before = { what: 'shoe gone', shoe, workoutIds: worn.map((run) => run.id), wasDefault } as const
    const title = `Deleted the shoe ${shoe.brand} ${shoe.model}`
    const receiptId = leaveReceipt(tx, deps, { kind: 'delete', title }, [{ outcome: 'deleted', before }])
    return { wasDefault, receiptId }
  })
  events.emit({ event: 'shoe.deleted', data: { id } })
  tellReceipt(deps, receiptId)
  if (wasDefault) events.emit({ event: 'settings.updated', data: {} })
}

/**
 * Sets the shoe of runs imported from now on; null: none.
 * @throws AppError 404 for an unknown shoe
 */
export function chooseDefaultShoe({ db, now, events }: ShoeDeps, id: string | null): Static<typeof ChosenShoe> {
  const chosen = db.transaction((tx) => {
    const shoe = id === null ? null : shoeById(tx, id)
    if (id !== null && shoe === null) throw notFound('Shoe')
    writeSettings(tx, { defaultShoeId: id }, now())
    return { defaultShoeId: id, brand: shoe?.brand ?? null, model: shoe?.model ?? null }
  })
  events.emit({ event: 'settings.updated', data: {} })
  return chosen
}
