import type { Static } from '@sinclair/typebox'
import { count, eq } from 'drizzle-orm'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { defaultShoeId, writeSettings } from '../library/settings.ts'
import { shoeById } from './queries.ts'
import { type ChosenShoe, MOST_SHOES, type NewShoe, type Shoe, type ShoeEdit } from './schemas.ts'

type ShoeDeps = Pick<Deps, 'db' | 'now' | 'events'>

/** @throws AppError 400 when there are as many as are kept */
export function addShoe({ db, now, events }: ShoeDeps, shoe: Static<typeof NewShoe>): Static<typeof Shoe> {
  const id = Bun.randomUUIDv7()
  const nowMs = now()
  const added = db.transaction(
    (tx) => {
      const kept = tx.select({ n: count() }).from(shoes).get()?.n ?? 0
      if (kept >= MOST_SHOES) throw invalid(`There are ${MOST_SHOES} shoes already, the most that are kept`)
      tx.insert(shoes)
        .values({ ...shoe, id, createdAt: nowMs, updatedAt: nowMs })
        .run()
      return shoeById(tx, id)
    },
    { behavior: 'immediate' },
  )
  if (added === null) throw new Error('A shoe was not found right after it was added')
  events.emit({ event: 'shoe.created', data: { id } })
  return added
}

/**
 * Changes only what was sent; nothing sent changes nothing.
 * @throws AppError 404
 */
export function editShoe(
  { db, now, events }: ShoeDeps,
  id: string,
  edit: Static<typeof ShoeEdit>,
): Static<typeof Shoe> {
  const isEdited = Object.keys(edit).length > 0
  const edited = db.transaction(
    (tx) => {
      if (isEdited) {
        tx.update(shoes)
          .set({ ...edit, updatedAt: now() })
          .where(eq(shoes.id, id))
          .run()
      }
      return shoeById(tx, id)
    },
    { behavior: 'immediate' },
  )
  if (edited === null) throw notFound('Shoe')
  if (isEdited) events.emit({ event: 'shoe.updated', data: { id } })
  return edited
}

/**
 * Foreign keys take the shoe off its runs and out of the settings.
 * @throws AppError 404
 */
export function deleteShoe({ db, events }: ShoeDeps, id: string): void {
  const wasDefault = db.transaction(
    (tx) => {
      const chosen = defaultShoeId(tx)
      const gone = tx.delete(shoes).where(eq(shoes.id, id)).returning({ id: shoes.id }).get()
      if (gone === undefined) throw notFound('Shoe')
      return chosen === id
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'shoe.deleted', data: { id } })
  if (wasDefault) events.emit({ event: 'settings.updated', data: {} })
}

/**
 * Runs imported from now on get this shoe; null: none.
 * @throws AppError 404 for an unknown shoe
 */
export function chooseDefaultShoe({ db, now, events }: ShoeDeps, id: string | null): Static<typeof ChosenShoe> {
  const chosen = db.transaction(
    (tx) => {
      const shoe = id === null ? null : shoeById(tx, id)
      if (id !== null && shoe === null) throw notFound('Shoe')
      writeSettings(tx, { defaultShoeId: id }, now())
      return { defaultShoeId: id, brand: shoe?.brand ?? null, model: shoe?.model ?? null }
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'settings.updated', data: {} })
  return chosen
}
