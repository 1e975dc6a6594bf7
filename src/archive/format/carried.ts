import { isObject } from '../../base/json-object.ts'
import type { Carried, RunWords, SaidOfRun, StatedEffort } from '../../library/documents/run.ts'
import { objectsOf, type Row, readEach, uuidOf, wholeOf } from './fields.ts'
import { readNumbers, readOffset, readTimeZone, WORDS } from './workout-rows.ts'

// The member `carried` of `inputs` in a workout's row: what its document has and nothing else in the archive gives.

/** A later time in milliseconds is not a valid one. */
const MOST_MS = 8.64e15
export const readMs = (value: unknown) => wholeOf(value, -MOST_MS, MOST_MS)
const PLACE = { timeZone: readTimeZone, utcOffsetMinutes: readOffset }

/** Empty for anything else. */
export function readCarried(value: unknown): Carried {
  if (!isObject(value)) return {}
  const { words, numbers, place, efforts, effortIds } = value
  return {
    ...(isObject(words) ? { words: readWords(words) } : {}),
    ...(isObject(numbers) ? { numbers: readNumbers(numbers) } : {}),
    ...(isObject(place) ? { place: readEach(place, PLACE) } : {}),
    ...(Array.isArray(efforts) ? { efforts: objectsOf(efforts).flatMap(readStatedEffort) } : {}),
    ...(isObject(effortIds) ? { effortIds: readByDistance(effortIds, uuidOf) } : {}),
  }
}

function readWords(words: Row): NonNullable<Carried['words']> {
  const read = readEach(words, WORDS)
  return Object.fromEntries(Object.entries(read).filter(([word]) => words[word] !== undefined))
}

/** What a merge says that a run had. @param shoeOf the shoe here of one of the archive */
export function readSaid({ words, shoeId, carried }: Row, shoeOf: (id: unknown) => string | null): SaidOfRun {
  const worn = shoeOf(shoeId)
  const own = (said: Row) => ({ ...readWords(said), ...('shoeId' in said && { shoeId: shoeOf(said.shoeId) }) })
  return {
    ...(isObject(words) && { words: own(words) as Partial<RunWords> }),
    ...(worn === null ? {} : { shoeId: worn }),
    ...(isObject(carried) && { carried: readCarried(carried) }),
  }
}

/** Valid values by distance index. */
export function readByDistance<T>(row: Row, read: (value: unknown) => T | null): Readonly<Record<string, T>> {
  const values = Object.entries(row).map(([index, value]) => [index, read(value)] as const)
  return Object.fromEntries(values.filter((one): one is [string, T] => /^\d{1,2}$/.test(one[0]) && one[1] !== null))
}

const EFFORT = {
  id: uuidOf,
  distanceIndex: (value: unknown) => wholeOf(value, 0, 100),
  timeMs: (value: unknown) => wholeOf(value, 1),
  calculatedAt: readMs,
  statedAt: readMs,
}

/** A best effort that a document carries; empty for an invalid one. */
export function readStatedEffort(effort: Row): StatedEffort[] {
  const { id, distanceIndex, timeMs, calculatedAt, statedAt } = readEach(effort, EFFORT)
  if (id === null || distanceIndex === null || timeMs === null || calculatedAt === null) return []
  return [{ id, distanceIndex, timeMs, calculatedAt, ...(statedAt === null ? {} : { statedAt }) }]
}
