import { fileTime, fileTimeAt } from '../../engine/calendar/timestamp.ts'
import { decimal, decimalAt } from '../text-values.ts'
import { decodeUtf8 } from './encoding.ts'

/** Valid during the call only. */
export interface XmlText {
  /** Entities decoded, trimmed. */
  string(): string
  /** NaN when it is no number. */
  number(): number
  /** Unix milliseconds of an ISO 8601 time, NaN when it is none. */
  timeMs(): number
}

/** Valid during the call only. */
export interface XmlAttributes {
  /** Trimmed; null when absent. */
  string(id: number): string | null
  /** NaN when absent or no number. */
  number(id: number): number
  /** Unix milliseconds; NaN when absent or no time. */
  timeMs(id: number): number
}

/** Id of an element or attribute that is not among the words asked for. */
export const UNKNOWN = -1

const MAX_ATTRIBUTES = 64
const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The running text: usually one run of bytes, read where it stands; joined as a string when comments or CDATA divide it. */
export class Text implements XmlText {
  private before = ''
  private start = 0
  private end = 0

  constructor(private readonly bytes: Uint8Array) {}

  clear(): void {
    this.before = ''
    this.start = 0
    this.end = 0
  }

  append(from: number, to: number): void {
    if (this.end > this.start) this.before += decoded(this.bytes, this.start, this.end)
    this.start = from
    this.end = to
  }

  appendLiteral(from: number, to: number): void {
    this.append(0, 0)
    this.before += decodeUtf8(this.bytes.subarray(from, to))
  }

  string(): string {
    return (this.before + decoded(this.bytes, this.start, this.end)).trim()
  }

  number(): number {
    if (this.before !== '') return decimal(this.string())
    const value = decimalAt(this.bytes, this.start, this.end)
    return !Number.isNaN(value) ? value : decimal(this.string())
  }

  timeMs(): number {
    if (this.before !== '') return fileTime(this.string())
    const time = fileTimeAt(this.bytes, this.start, this.end)
    return !Number.isNaN(time) ? time : fileTime(this.string())
  }
}

export class Attributes implements XmlAttributes {
  private readonly slots = new Int32Array(3 * MAX_ATTRIBUTES)
  private n = 0

  constructor(private readonly bytes: Uint8Array) {}

  clear(): void {
    this.n = 0
  }

  add(id: number, start: number, end: number): void {
    if (this.n === MAX_ATTRIBUTES) return
    this.slots[3 * this.n] = id
    this.slots[3 * this.n + 1] = start
    this.slots[3 * this.n + 2] = end
    this.n++
  }

  string(id: number): string | null {
    const slot = this.slotOf(id)
    return slot < 0 ? null : decoded(this.bytes, this.slots[slot + 1]!, this.slots[slot + 2]!).trim()
  }

  number(id: number): number {
    const slot = this.slotOf(id)
    return slot < 0 ? Number.NaN : decimalAt(this.bytes, this.slots[slot + 1]!, this.slots[slot + 2]!)
  }

  timeMs(id: number): number {
    const slot = this.slotOf(id)
    return slot < 0 ? Number.NaN : fileTimeAt(this.bytes, this.slots[slot + 1]!, this.slots[slot + 2]!)
  }

  private slotOf(id: number): number {
    for (let slot = 0; slot < 3 * this.n; slot += 3) if (this.slots[slot] === id) return slot
    return -1
  }
}

/** Finds a name among the words by its bytes, without making a string of it. */
export class Words {
  private readonly table = new Int16Array(512).fill(UNKNOWN)
  private readonly words: readonly Uint8Array[]

  constructor(words: readonly string[]) {
    this.words = words.map((word) => new TextEncoder().encode(word))
    this.words.forEach((word, id) => {
      let hash = 0
      for (const byte of word) hash = (hash * 31 + byte) | 0
      let slot = hash & 511
      while (this.table[slot] !== UNKNOWN) slot = (slot + 1) & 511
      this.table[slot] = id
    })
  }

  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    for (let slot = hash & 511; ; slot = (slot + 1) & 511) {
      const id = this.table[slot]!
      if (id === UNKNOWN) return UNKNOWN
      const word = this.words[id]!
      if (word.length !== end - start) continue
      let at = 0
      while (at < word.length && word[at] === bytes[start + at]) at++
      if (at === word.length) return id
    }
  }
}

/** A text with its entities decoded; an unknown entity or a bare ampersand stays as it stands. */
function decoded(bytes: Uint8Array, start: number, end: number): string {
  if (end <= start) return ''
  const text = decodeUtf8(bytes.subarray(start, end))
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,4}));/g, (whole, digits, hex, name) => {
    if (name !== undefined) return NAMED_ENTITIES[name] ?? whole
    const code = digits !== undefined ? Number(digits) : Number.parseInt(hex, 16)
    const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isScalar ? String.fromCodePoint(code) : '\ufffd'
  })
}
