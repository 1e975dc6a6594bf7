// The attributes of one tag in bytes that may end within it, without making strings.

const [SPACE, QUOTE, APOSTROPHE, SLASH, LT, EQUALS, GT] = [32, 34, 39, 47, 60, 61, 62]
const MOST_ATTRIBUTES = 64

/** The bytes end within the tag. */
export const CUT = -1
/** It cannot be read. */
export const UNREADABLE = -2
/** It was not wanted. */
export const UNWANTED = -3

export class Tag {
  bytes: Uint8Array = new Uint8Array()
  isClosed = false
  private n = 0
  /** Of each attribute: start and end of name and value. */
  private readonly places = new Int32Array(4 * MOST_ATTRIBUTES)

  /**
   * Reads from behind the name of the tag.
   * @param wants judges the value of `type` as soon as it is read; null: all are wanted
   * @returns the position behind its `>`, or one of the three above
   */
  read(bytes: Uint8Array, from: number, wants: ((start: number, end: number) => boolean) | null): number {
    this.bytes = bytes
    this.n = 0
    this.isClosed = false
    const { length } = bytes
    let at = from
    for (;;) {
      while (at < length && bytes[at]! <= SPACE) at += 1
      if (at >= length) return CUT
      if (bytes[at] === GT) return at + 1
      if (bytes[at] === SLASH) {
        if (at + 1 >= length) return CUT
        this.isClosed = true
        return bytes[at + 1] === GT ? at + 2 : UNREADABLE
      }
      const nameStart = at
      while (at < length && bytes[at]! > SPACE && !isMark(bytes[at]!)) at += 1
      const nameEnd = at
      while (at < length && bytes[at]! <= SPACE) at += 1
      if (at >= length) return CUT
      if (bytes[at] !== EQUALS || nameEnd === nameStart) return UNREADABLE
      at += 1
      while (at < length && bytes[at]! <= SPACE) at += 1
      if (at >= length) return CUT
      const quote = bytes[at]
      if (quote !== QUOTE && quote !== APOSTROPHE) return UNREADABLE
      at += 1
      const valueStart = at
      while (at < length && bytes[at] !== quote) {
        if (bytes[at] === LT) return UNREADABLE
        at += 1
      }
      if (at >= length) return CUT
      if (wants !== null && this.isNamed(nameStart, nameEnd, TYPE) && !wants(valueStart, at)) return UNWANTED
      if (this.n < MOST_ATTRIBUTES) {
        const place = 4 * this.n
        this.places[place] = nameStart
        this.places[place + 1] = nameEnd
        this.places[place + 2] = valueStart
        this.places[place + 3] = at
        this.n += 1
      }
      at += 1
    }
  }

  /** The number of the attribute with that name; -1: it has none. */
  find(name: Uint8Array): number {
    for (let k = 0; k < this.n; k += 1) if (this.isNamed(this.places[4 * k]!, this.places[4 * k + 1]!, name)) return k
    return -1
  }

  valueStart(attribute: number): number {
    return this.places[4 * attribute + 2]!
  }

  valueEnd(attribute: number): number {
    return this.places[4 * attribute + 3]!
  }

  private isNamed(start: number, end: number, name: Uint8Array): boolean {
    return end - start === name.length && isAt(this.bytes, start, name)
  }
}

const TYPE = ascii('type')

export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Whether the bytes from there on are those. */
export function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let k = 0; k < wanted.length; k += 1) if (bytes[start + k] !== wanted[k]) return false
  return true
}

function isMark(byte: number): boolean {
  return byte === EQUALS || byte === GT || byte === SLASH || byte === LT || byte === QUOTE || byte === APOSTROPHE
}
