import { isObject } from '../../base/json-object.ts'
import { PLACE_NAME_LENGTH } from '../../engine/limits.ts'
import type { PlaceDocument } from '../../library/documents/rows.ts'
import { HIDE_M } from '../../library/places.ts'
import { numberOf, textOf, timeOf, uuidOf } from './fields.ts'

/** @returns null for a row that is not a valid place */
export function readPlace(value: unknown): PlaceDocument | null {
  if (!isObject(value)) return null
  const [id, lat, lon] = [uuidOf(value.id), numberOf(value.lat, -90, 90), numberOf(value.lon, -180, 180)]
  const name = textOf(value.name, PLACE_NAME_LENGTH)?.trim() ?? ''
  if (id === null || lat === null || lon === null || name === '') return null
  const hideM = numberOf(value.hideM, ...HIDE_M)
  return { id, name, lat, lon, isHome: value.isHome === true, hideM, createdAt: timeOf(value.createdAt) ?? 0 }
}
