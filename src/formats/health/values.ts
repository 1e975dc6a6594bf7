import { fileTime } from '../../engine/calendar/timestamp.ts'
import { membersOf } from '../json.ts'
import { numberOf, textOf } from '../text-values.ts'

// Parses values as Health Auto Export writes them; an invalid one is NaN, or null where the type says so.

export const METRES: Readonly<Record<string, number>> = { km: 1000, m: 1, mi: 1609.344, yd: 0.9144, ft: 0.3048 }
export const KILOCALORIES: Readonly<Record<string, number>> = { kcal: 1, cal: 1, kj: 1 / 4.184 }

/** The number of `{"qty": 5, "units": "km"}`; older versions write a bare number. */
export function quantityOf(value: unknown): number {
  return typeof value === 'number' ? numberOf(value) : numberOf(membersOf(value).qty)
}

export function metresOf(value: unknown): number {
  return inUnits(value, METRES)
}

/** Energy in kilocalories; `Cal`, as Apple writes it, means kilocalories too. */
export function kilocaloriesOf(value: unknown): number {
  return inUnits(value, KILOCALORIES)
}

function inUnits(value: unknown, factors: Readonly<Record<string, number>>): number {
  const { qty, units } = membersOf(value)
  const factor = typeof units === 'string' ? factors[units.trim().toLowerCase()] : undefined
  return numberOf(qty) * (factor ?? Number.NaN)
}

/** A time as the app writes it, in the format of the phone: on a 12-hour clock it ends with am or pm. */
const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d{1,2})(:\d\d(?::\d\d(?:\.\d+)?)?)\s*([ap])?\.?(?:m\.?)?\s*(Z|[+-]\d\d:?\d\d)?$/i

/** Unix milliseconds of `2025-11-01 08:00:00 +0100` or ISO 8601; NaN for an invalid time. */
export function timeOf(value: unknown): number {
  const text = textOf(value)?.trim() ?? ''
  // the usual form, without what a pattern leaves behind half a million times
  const usualMs = fileTime(text.replace(/ (?=[+-])/, ''))
  if (!Number.isNaN(usualMs)) return usualMs
  const found = TIME.exec(text)
  if (found === null) return Number.NaN
  const [, day, hour = '', rest, half, offset = ''] = found
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return fileTime(`${day}T${String(hours).padStart(2, '0')}${rest}${offset}`)
}
