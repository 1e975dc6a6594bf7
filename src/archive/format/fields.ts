import { parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { isObject, UUID } from '../../json-object.ts'
import { cutText } from '../../texts.ts'

/** One row of a data file, its keys as docs/api.md 12.1 spells them. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Reads rows whose keys may be in any case; unknown ones are dropped, and the exact spelling wins. Spellings are looked up
 * once for a whole file, since a file of samples has millions of rows.
 * @returns a function that gives null for what is no object
 */
export function rowReader(names: readonly string[]): (value: unknown) => Row | null {
  const folded = new Map(names.map((name) => [name.toLowerCase(), name]))
  const known = new Map<string, string | null>(names.map((name) => [name, name]))
  return (value) => {
    if (!isObject(value)) return null
    const row: Record<string, unknown> = {}
    for (const key in value) {
      let name = known.get(key)
      if (name === undefined) {
        name = folded.get(key.toLowerCase()) ?? null
        // hostile rows may each have a key of their own
        if (known.size < MOST_SPELLINGS) known.set(key, name)
      }
      if (name !== null && (key === name || !(name in value))) row[name] = value[key]
    }
    return row
  }
}

const MOST_SPELLINGS = 1000

/** In lower case; null for what is no UUID. */
export function uuidOf(value: unknown): string | null {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null
}

/** Unix milliseconds; null for what is no timestamp, or one that cannot be written again with four digits of a year. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? parseTimestamp(value) : null
  return ms === null || ms < EARLIEST_MS || ms > LATEST_MS ? null : ms
}

/** An offset may lead out of the years that timestamps have. */
const EARLIEST_MS = Date.UTC(100, 0)
const LATEST_MS = Date.UTC(10_000, 0) - 1

/** Of a run: with a later one every list of weeks and years would lead there. */
export const LATEST_START_MS = Date.UTC(2101, 0) - 1

/** Unix milliseconds of a start of a run; null for what is none. */
export function startTimeOf(value: unknown): number | null {
  const ms = timeOf(value)
  return ms !== null && ms <= LATEST_START_MS ? ms : null
}

/** What a report calls a record: its own word for itself, as far as it is a text of sensible length. */
export function calledOf(...words: readonly unknown[]): string {
  const word = words.map((candidate) => textOf(candidate, CALLED_CHARACTERS)).find((text) => text !== null)
  return word ?? 'without a name'
}

const CALLED_CHARACTERS = 100

/** Cut to so many code points; null for what is no text. */
export function textOf(value: unknown, maxCharacters = Number.POSITIVE_INFINITY): string | null {
  if (typeof value !== 'string') return null
  return cutText(value.toWellFormed(), maxCharacters)
}

/** null for what is no finite number within the limits. */
export function numberOf(value: unknown, least = -MOST, most = MOST): number | null {
  return typeof value === 'number' && value >= least && value <= most ? value : null
}

/** Rounded half up; null as `numberOf`. */
export function wholeOf(value: unknown, least = -MOST, most = MOST): number | null {
  const number = numberOf(value, least, most)
  return number === null ? null : roundHalfUp(number)
}

/** Larger than anything that is measured, and exact as an integer of SQLite. */
const MOST = 2 ** 53 - 1

/**
 * Ids for things that have none of their own: UUIDv8 (RFC 9562, 5.8) of SHA-256 over workout id, kind and index, so that
 * two archives of the same data have the same ones.
 */
export function derivedIds(workoutId: string, kind: string): (index: number) => string {
  // used again for every id
  const bytes = Buffer.alloc(32)
  return (index) => {
    Bun.SHA256.hash(`${workoutId}/${kind}/${index}`, bytes)
    bytes[6] = (bytes[6]! & 0x0f) | 0x80
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = bytes.toString('hex', 0, 16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}

export function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

/** null for what is none of the words. */
export function oneOf<T extends string>(value: unknown, words: readonly T[]): T | null {
  return words.find((word) => word === value) ?? null
}

/** The words of a list that are among those known, in the order that they are given in, each once. */
export function wordsAmong<T extends string>(value: unknown, words: readonly T[]): T[] {
  const listed = (Array.isArray(value) ? value : []).flatMap((word) => oneOf(word, words) ?? [])
  return [...new Set(listed)]
}

/** Members of a row by their names, each read in its way; null for what is none. */
export function readEach<T extends Readonly<Record<string, (value: unknown) => unknown>>>(row: Row, readers: T) {
  const members = Object.entries(readers).map(([name, read]) => [name, read(row[name])])
  return Object.fromEntries(members) as { readonly [K in keyof T]: ReturnType<T[K]> }
}

/** An object, given as such or as its text; null for anything else. */
export function objectOf(value: unknown): Row | null {
  const parsed = unpackedJson(value)
  return isObject(parsed) ? parsed : null
}

/** JSON may stand in a text: null for what is none, or is nested deeper than a row may be. */
export function unpackedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return isDeep(value) ? null : JSON.parse(value)
  } catch {
    return null
  }
}

/** Levels within a row: real ones have ten. Writing what is nested deeper than the stack takes seconds, and fails. */
export const MOST_DEPTH = 500

export const [QUOTE, BACKSLASH] = [0x22, 0x5c]
export const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** True when a JSON text has more levels than a row may have. */
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
