import { cutText, RAW_LENGTHS } from '../../base/texts.ts'
import { RAW_MEMBERS, type RawData } from '../../library/files/raw-data.ts'
import { objectOf, type Row } from '../format/fields.ts'
import { isGiven } from '../format/workout-rows.ts'
import type { RestoreReport } from './report.ts'

/** Reads the raw data of a workout from its row. Texts longer than an import keeps today are cut, with a warning. */
export function rawDataOf(report: RestoreReport, id: string, row: Row): RawData {
  const objects = RAW_MEMBERS.map((key) => {
    const object = objectOf(row[key])
    const isLost = object === null && isGiven(row[key])
    if (isLost) report.warn('Raw data of workouts that is not a JSON object, skipped', { which: `${id} ${key}` })
    if (object !== null && withShortTexts(object)) {
      report.warn('Texts in raw data of workouts that are too long, cut', { which: `${id} ${key}` })
    }
    return [key, object] as const
  })
  return Object.fromEntries(objects) as unknown as RawData
}

/**
 * Cuts texts of parsed JSON, in place: values to the longest text of raw data; members with a longer name are removed.
 * @returns whether anything was cut
 */
export function withShortTexts(json: object): boolean {
  let isCut = false
  // a list instead of recursion, since JSON may be nested deeper than the call stack
  const waiting: object[] = [json]
  const shortened = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) waiting.push(value)
    if (typeof value !== 'string' || value.length <= RAW_LENGTHS.description) return value
    isCut = true
    return cutText(value, RAW_LENGTHS.description)
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (let at = 0; at < next.length; at += 1) next[at] = shortened(next[at])
      continue
    }
    const holder = next as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      if (key.length <= RAW_LENGTHS.description) holder[key] = shortened(holder[key])
      else {
        isCut = true
        delete holder[key]
      }
    }
  }
  return isCut
}
