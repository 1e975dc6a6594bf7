import type { shoes } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { LENGTHS } from '../../texts.ts'
import { numberOf, type Row, textOf, timeOf, uuidOf } from './row-fields.ts'

/** The members of a shoe that are read. */
export const SHOE_FIELDS = ['id', 'brand', 'model', 'initialMileageM', 'createdAt', 'updatedAt'] as const

type ShoeRow = typeof shoes.$inferSelect

export function shoeObject({ id, brand, model, initialMileageM, createdAt, updatedAt }: ShoeRow) {
  return {
    id,
    brand,
    model,
    initialMileageM,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    workouts: [],
  }
}

/** @returns what is wrong with a row that is no shoe, as a sentence */
export function readShoe(row: Row | null, nowMs: number): ShoeRow | { error: string; id: string | null } {
  const id = uuidOf(row?.id)
  if (row === null || id === null) return { error: 'Shoes without an id', id }
  const brand = textOf(row.brand, LENGTHS.shoe)?.trim() ?? ''
  const model = textOf(row.model, LENGTHS.shoe)?.trim() ?? ''
  if (brand === '' || model === '') return { error: 'Shoes without brand or model', id }
  const createdAt = timeOf(row.createdAt) ?? nowMs
  return {
    id,
    brand,
    model,
    initialMileageM: numberOf(row.initialMileageM, 0),
    createdAt,
    updatedAt: timeOf(row.updatedAt) ?? createdAt,
  }
}
