// Reads JSON byte by byte: a file of 100 MB is scanned without building objects; only requested members become objects.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENS: readonly number[] = [0x5b, 0x7b]
const CLOSES: readonly number[] = [0x5d, 0x7d]

/** What an import says of a list that it read as far as it is whole. */
export const CUT = 'The file is cut off: only what is before that was read'

/** The members of a JSON object; any other value has none. */
export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** Positions in the file: of the first byte, and of the one after the last. */
export interface Place {
  readonly start: number
  readonly end: number
}

export function isList(bytes: Uint8Array, { start }: Place): boolean {
  return bytes[start] === OPENS[0]
}

export function inside({ start, end }: Place): Place {
  return { start: start + 1, end: end - 1 }
}

function afterBlanks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at]! <= 0x20) at += 1
  return at
}

/** @returns the position after the quotation mark that ends the text beginning at `start` */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at + 1
  }
  return bytes.length
}

/** @returns the position after the bracket that closes the one at `start`; null: the file ends before it */
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
 * Calls back with the place of each object or list between the brackets of a list.
 * @returns false when another element comes, or one that is cut; those after it are not visited
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
 * Calls back with the name and the place of the value of each member of an object.
 * @param place begins after the opening bracket; may reach beyond the closing one, at which reading ends
 * @param found returns false to skip the other members
 * @param foundCut called with the value at which the file ends
 * @returns false when it is not an object, or is cut
 */
export function eachMember(
  bytes: Uint8Array,
  { start, end }: Place,
  found: (name: string, value: Place) => boolean,
  foundCut?: (name: string, value: Place) => void,
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
    if (bytes[colon] !== COLON) return false
    const name = decoder.decode(bytes.subarray(at + 1, behindName - 1))
    const to = endOfValue(bytes, from)
    // one bracket beyond the file, as if it closed the value
    if (to === null) foundCut?.(name, { start: from, end: bytes.length + 1 })
    if (to === null) return false
    if (!found(name, { start: from, end: to })) return true
    at = to
  }
  return true
}

/**
 * Between the brackets of a list in a member of the file's object, also of one at which the file ends; null: there is
 * none; undefined: the file is cut before it.
 */
export function nestedList(bytes: Uint8Array, outer: string, inner: string): Place | null | undefined {
  let list: Place | null = null
  const inList = (name: string, place: Place) => {
    if (name === inner && isList(bytes, place)) list = inside(place)
    return list === null
  }
  const inFile = (name: string, place: Place) => {
    if (name === outer) eachMember(bytes, inside(place), inList, inList)
    return name !== outer
  }
  const whole = { start: bytes.indexOf(OPENS[1]!) + 1, end: bytes.length }
  const isWhole = eachMember(bytes, whole, inFile, inFile)
  return list ?? (isWhole ? null : undefined)
}

/** @returns null when there is no value, or it is cut */
function endOfValue(bytes: Uint8Array, start: number): number | null {
  const first = bytes[start]
  if (first === undefined) return null
  if (OPENS.includes(first)) return endOfNested(bytes, start)
  if (first === QUOTE) return endOfText(bytes, start)
  let at = start
  while (at < bytes.length && bytes[at] !== COMMA && !CLOSES.includes(bytes[at]!)) at += 1
  return at === bytes.length ? null : at
}
