// JSON by its bytes: a file of a hundred megabytes is gone through without ever being there as objects, of which only those
// are made that somebody asked for.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENS: readonly number[] = [0x5b, 0x7b]
const CLOSES: readonly number[] = [0x5d, 0x7d]

/** A member of JSON that is an object; anything else has no members. */
export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** Positions of the first byte, and behind the last one. */
export interface Place {
  readonly start: number
  readonly end: number
}

export function isList(bytes: Uint8Array, { start }: Place): boolean {
  return bytes[start] === OPENS[0]
}

/** What lies between the brackets of a list or an object. */
export function inside({ start, end }: Place): Place {
  return { start: start + 1, end: end - 1 }
}

export function afterBlanks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at]! <= 0x20) at += 1
  return at
}

/** Behind the quotation mark that ends the text which begins here. */
export function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at + 1
  }
  return bytes.length
}

/** Behind the bracket that closes the one here; null: the file is cut. */
export function endOfNested(bytes: Uint8Array, start: number): number | null {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at) - 1
    else if (OPENS.includes(byte)) depth += 1
    else if (CLOSES.includes(byte)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

/**
 * Calls with the place of each element that is an object or a list.
 * @param list what lies between its brackets
 * @returns false at the first element that is neither, or is cut
 */
export function eachElement(bytes: Uint8Array, { start, end }: Place, found: (element: Place) => void): boolean {
  for (let at = afterBlanks(bytes, start); at < end; at = afterBlanks(bytes, at)) {
    if (bytes[at] === COMMA) at += 1
    else {
      const behind = OPENS.includes(bytes[at]!) ? endOfNested(bytes, at) : null
      if (behind === null) return false
      found({ start: at, end: behind })
      at = behind
    }
  }
  return true
}

/**
 * Calls with the name and the place of the value of each member of an object.
 * @param object what lies between its brackets, or more behind it
 * @param found false: the others are not looked at
 * @returns false when it is no object, or is cut
 */
export function eachMember(
  bytes: Uint8Array,
  { start, end }: Place,
  found: (name: string, value: Place) => boolean,
): boolean {
  const decoder = new TextDecoder()
  for (let at = afterBlanks(bytes, start); at < end; at = afterBlanks(bytes, at)) {
    if (CLOSES.includes(bytes[at]!)) return true
    if (bytes[at] === COMMA) {
      at += 1
      continue
    }
    if (bytes[at] !== QUOTE) return false
    const behindName = endOfText(bytes, at)
    const colon = afterBlanks(bytes, behindName)
    const from = afterBlanks(bytes, colon + 1)
    const to = bytes[colon] === COLON ? endOfValue(bytes, from) : null
    if (to === null) return false
    if (!found(decoder.decode(bytes.subarray(at + 1, behindName - 1)), { start: from, end: to })) return true
    at = to
  }
  return true
}

/** null: there is none, or it is cut. */
function endOfValue(bytes: Uint8Array, start: number): number | null {
  const first = bytes[start]
  if (first === undefined) return null
  if (OPENS.includes(first)) return endOfNested(bytes, start)
  if (first === QUOTE) return endOfText(bytes, start)
  let at = start
  while (at < bytes.length && bytes[at] !== COMMA && !CLOSES.includes(bytes[at]!)) at += 1
  return at === bytes.length ? null : at
}
