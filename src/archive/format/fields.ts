import { isObject, UUID } from '../../base/json-object.ts'
import { cutText } from '../../base/texts.ts'
import { parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { madeId } from '../../library/row-ids.ts'

/** One row of a data file, with keys spelled as in docs/api.md 12.1. */
export type Row = Readonly<Record<string, unknown>>

type Readers = Readonly<Record<string, (value: unknown) => unknown>>

/**
 * Returns a function that reads rows by a reader for each member, whose key may be in any case: unknown keys are dropped,
 * and the exact spelling wins. Spellings are cached for a whole file, since a file of samples has millions of rows.
 * @returns a function that gives null for anything but an object, and calls `whenLost` for a value that its reader refuses
 */
export function rowReader<T extends Readers>(readers: T) {
  const all = Object.entries(readers)
  const folded = new Map(all.map(([name]) => [name.toLowerCase(), name]))
  const known = new Map<string, string | null>(all.map(([name]) => [name, name]))
  return (value: unknown, whenLost: (name: string) => void = () => {}) => {
    if (!isObject(value)) return null
    const given: Record<string, unknown> = {}
    for (const key in value) {
      let name = known.get(key)
      if (name === undefined) {
        name = folded.get(key.toLowerCase()) ?? null
        // the cache is bounded, since hostile rows may each have keys of their own
        if (known.size < MOST_SPELLINGS) known.set(key, name)
      }
      if (name !== null && (key === name || !(name in value))) given[name] = value[key]
    }
    const row: Record<string, unknown> = {}
    for (const [name, read] of all) {
      row[name] = read(given[name])
      if (row[name] === null && isGiven(given[name])) whenLost(name)
    }
    return row as { readonly [K in keyof T]: ReturnType<T[K]> }
  }
}

const MOST_SPELLINGS = 1000

/** Whether a value is present: programs write null or empty texts for missing ones. */
export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

/** A member that is read where it is used. */
export const asItIs = (value: unknown): unknown => value
export const anyText = (value: unknown) => textOf(value)
/** A file name, or the path of one. */
export const filePath = (value: unknown) => textOf(value, 4096)
export const anyNumber = (value: unknown) => numberOf(value)
export const notNegative = (value: unknown) => numberOf(value, 0)

/** In lower case; null when it is not a UUID. */
export function uuidOf(value: unknown): string | null {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null
}

/** Unix milliseconds; null when it is not a timestamp, or its year has no four digits in UTC. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? parseTimestamp(value) : null
  return ms === null || ms < EARLIEST_MS || ms > LATEST_MS ? null : ms
}

/** An offset can move a timestamp out of the years that are valid. */
const EARLIEST_MS = Date.UTC(100, 0)
const LATEST_MS = Date.UTC(10_000, 0) - 1

/** Latest start of a run: a later one would stretch every list of weeks and years. */
export const LATEST_START_MS = Date.UTC(2101, 0) - 1

/** The name of a record in a report, of reasonable length. */
export function calledOf(word: string | null): string {
  return textOf(word, 100) ?? 'without a name'
}

export function textOf(value: unknown, maxCharacters = Number.POSITIVE_INFINITY): string | null {
  if (typeof value !== 'string') return null
  const text = cutText(value.toWellFormed(), maxCharacters)
  // a slice would hold the whole row
  return text.length < value.length ? Buffer.from(text).toString() : text
}

/** null when it is not a finite number within the limits. */
export function numberOf(value: unknown, least = -MOST, most = MOST): number | null {
  return typeof value === 'number' && value >= least && value <= most ? value : null
}

/** Rounded half up; null as `numberOf`. */
export function wholeOf(value: unknown, least = -MOST, most = MOST): number | null {
  const number = numberOf(value, least, most)
  return number === null ? null : roundHalfUp(number)
}

/** Larger than any measurement, and exact as an integer of SQLite. */
const MOST = 2 ** 53 - 1

/** Ids for things that have none, from workout id, kind and index: two archives of the same data get equal ids. */
export function derivedIds(workoutId: string, kind: string): (index: number) => string {
  const bytes = Buffer.alloc(32)
  return (index) => madeId(`${workoutId}/${kind}/${index}`, bytes)
}

export function oneOf<T extends string>(value: unknown, words: readonly T[]): T | null {
  return words.find((word) => word === value) ?? null
}

/** An object, given directly or as JSON text; null for anything else. */
export function objectOf(value: unknown): Row | null {
  const parsed = unpackedJson(value)
  return isObject(parsed) ? parsed : null
}

export function objectsOf(value: unknown): Row[] {
  return (Array.isArray(value) ? value : []).filter(isObject)
}

/** JSON given as text is parsed; null when it is invalid or nested deeper than a row may be. */
export function unpackedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return isDeep(value) ? null : JSON.parse(value)
  } catch {
    return null
  }
}

/**
 * Most levels of nesting within a row: real rows have ten. Writing JSON nested deeper than the stack takes seconds and
 * fails.
 */
export const MOST_DEPTH = 500

export const [QUOTE, BACKSLASH] = [0x22, 0x5c]
export const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export function isDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isInText = false
    } else if (code === QUOTE) isInText = true
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1
      if (depth > MOST_DEPTH) return true
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1
  }
  return false
}
