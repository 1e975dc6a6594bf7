import { isObject } from '../../json-object.ts'
import type { Carried } from '../../library/documents/run.ts'
import { objectsOf, type Row, readEach, uuidOf } from './fields.ts'
import { readByDistance, readStatedEffort } from './repair-rows.ts'
import { readNumbers, readOffset, readTimeZone, WORDS } from './workout-rows.ts'

// The member `carried` of `inputs` in a workout's row: what its document has and nothing else in the archive gives.

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
