import { asc } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { places } from '../db/schema-ground.ts'
import type { PlaceDocument } from './documents/rows.ts'

/** Places that a library may have. */
export const MOST_PLACES = 300
/** Metres that may be hidden about a place. */
export const HIDE_M = [100, 2000] as const

/** All named places, in the order in which they were named. */
export function storedPlaces(tx: Tx): PlaceDocument[] {
  return tx.select().from(places).orderBy(asc(places.createdAt), asc(places.id)).all()
}
