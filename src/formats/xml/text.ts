import { RAW_LENGTHS } from '../../base/texts.ts'
import { fileTime, fileTimeAt } from '../../engine/calendar/timestamp.ts'
import { cleanText, decimal, decimalAt } from '../text-values.ts'
import { decodeUtf8 } from './encoding.ts'

const MAX_ATTRIBUTES = 64
/** Most bytes in which one character may be written, as a numeric entity. */
const BYTES_OF_CHARACTER = 10
/** Most bytes that are kept of a text divided by comments. */
const MOST_BYTES = RAW_LENGTHS.description * BYTES_OF_CHARACTER
/** A longer text is not a number or a time. */
const VALUE_BYTES = 400
const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The text until the next tag, read in place, or joined as a string when comments or CDATA divide it. */
export class XmlText {
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
    if (this.end > this.start) this.join(decoded(this.bytes, this.start, this.end, MOST_BYTES))
    this.start = from
    this.end = to
  }

  appendLiteral(from: number, to: number): void {
    this.append(0, 0)
    this.join(decodeUtf8(this.bytes.subarray(from, wholeEnd(this.bytes, from, Math.min(to, from + MOST_BYTES)))))
  }

  /** Entities decoded, without control characters, trimmed, cut to so many code points; null when nothing is left. */
  string(mostCharacters: number): string | null {
    return cleanText(this.written(mostCharacters * BYTES_OF_CHARACTER), mostCharacters)
  }

  /** NaN when it is not a number. */
  number(): number {
    if (this.before !== '') return decimal(this.written(VALUE_BYTES))
    const value = decimalAt(this.bytes, this.start, this.end)
    return !Number.isNaN(value) ? value : decimal(this.written(VALUE_BYTES))
  }

  /** Unix milliseconds of an ISO 8601 time; NaN when it is not one. */
  timeMs(): number {
    if (this.before !== '') return fileTime(this.written(VALUE_BYTES))
    const time = fileTimeAt(this.bytes, this.start, this.end)
    return !Number.isNaN(time) ? time : fileTime(this.written(VALUE_BYTES))
  }

  private written(mostBytes: number): string {
    return (this.before + decoded(this.bytes, this.start, this.end, mostBytes)).trim()
  }

  /** Text beyond the longest that is kept is not joined. */
  private join(text: string): void {
    if (this.before.length < MOST_BYTES) this.before += text
  }
}

/** The attributes of one element by their names without prefix; valid until the next tag. */
export class XmlAttributes {
  private readonly names: string[] = []
  private readonly places = new Int32Array(2 * MAX_ATTRIBUTES)
  private n = 0

  constructor(private readonly bytes: Uint8Array) {}

  clear(): void {
    this.n = 0
  }

  add(name: string, start: number, end: number): void {
    if (this.n === MAX_ATTRIBUTES) return
    this.names[this.n] = name
    this.places[2 * this.n] = start
    this.places[2 * this.n + 1] = end
    this.n++
  }

  /** As the `string` of a text; null also when absent. */
  string(name: string, mostCharacters: number): string | null {
    const at = this.placeOf(name)
    if (at < 0) return null
    const mostBytes = mostCharacters * BYTES_OF_CHARACTER
    return cleanText(decoded(this.bytes, this.places[at]!, this.places[at + 1]!, mostBytes), mostCharacters)
  }

  /** NaN when absent or not a number. */
  number(name: string): number {
    const at = this.placeOf(name)
    return at < 0 ? Number.NaN : decimalAt(this.bytes, this.places[at]!, this.places[at + 1]!)
  }

  /** Unix milliseconds; NaN when absent or not a time. */
  timeMs(name: string, timeAt = fileTimeAt): number {
    const at = this.placeOf(name)
    return at < 0 ? Number.NaN : timeAt(this.bytes, this.places[at]!, this.places[at + 1]!)
  }

  /** The bytes as written, one character each, to compare many of them; null when absent. */
  raw(name: string): string | null {
    const at = this.placeOf(name)
    if (at < 0) return null
    const { buffer, byteOffset } = this.bytes
    const [start, end] = [this.places[at]!, this.places[at + 1]!]
    return Buffer.from(buffer, byteOffset + start, end - start).toString('latin1')
  }

  private placeOf(name: string): number {
    for (let i = 0; i < this.n; i++) if (this.names[i] === name) return 2 * i
    return -1
  }
}

/** Finds a name among the words by its bytes, without making a string. */
export class Words {
  private readonly table = new Int16Array(512).fill(-1)
  private readonly written: readonly Uint8Array[]

  constructor(private readonly words: readonly string[]) {
    this.written = words.map((word) => new TextEncoder().encode(word))
    this.written.forEach((word, place) => {
      let hash = 0
      for (const byte of word) hash = (hash * 31 + byte) | 0
      let slot = hash & 511
      while (this.table[slot] !== -1) slot = (slot + 1) & 511
      this.table[slot] = place
    })
  }

  /** @returns '' when it is not one of them */
  find(bytes: Uint8Array, start: number, end: number, hash: number): string {
    for (let slot = hash & 511; ; slot = (slot + 1) & 511) {
      const place = this.table[slot]!
      if (place < 0) return ''
      const word = this.written[place]!
      if (word.length !== end - start) continue
      let at = 0
      while (at < word.length && word[at] === bytes[start + at]) at++
      if (at === word.length) return this.words[place]!
    }
  }
}

/** A text with its entities decoded, unknown ones and bare ampersands kept, from at most so many bytes after blanks. */
function decoded(bytes: Uint8Array, start: number, end: number, mostBytes: number): string {
  let from = start
  if (end - start > mostBytes) while (from < end && bytes[from]! <= 32) from++
  const to = wholeEnd(bytes, from, Math.min(end, from + mostBytes))
  if (to <= from) return ''
  const text = decodeUtf8(bytes.subarray(from, to))
  if (!text.includes('&')) return text
  const plain = text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,4}));/g, (whole, digits, hex, name) => {
    if (name !== undefined) return NAMED_ENTITIES[name] ?? whole
    const code = digits !== undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
  // some writers state a character as its two surrogates
  return plain.toWellFormed()
}

/** The end of the last complete UTF-8 character before `end`. */
function wholeEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && end - at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
