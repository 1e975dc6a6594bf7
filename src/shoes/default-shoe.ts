import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { defaultShoeId, writeSettings } from '../library/settings.ts'
import { shoeById } from './queries.ts'
import type { ChosenShoe, DefaultShoe } from './schemas.ts'

/** null: none was chosen. */
export function defaultShoe(tx: Tx): Static<typeof DefaultShoe> | null {
  const id = defaultShoeId(tx)
  const shoe = id === null ? null : shoeById(tx, id)
  if (shoe === null) return null
  const { createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = shoe
  return { defaultShoeId: shoe.id, ...rest }
}

/**
 * Runs imported from now on get this shoe; null: none.
 * @throws AppError 404 for an unknown shoe
 */
export function chooseDefaultShoe(
  { db, now, events }: Pick<Deps, 'db' | 'now' | 'events'>,
  id: string | null,
): Static<typeof ChosenShoe> {
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
