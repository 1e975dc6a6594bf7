import { crc16, crc16After, crcTables } from '../fit/crc.ts'

/** Base types of the FIT protocol: number, size in bytes, invalid value, and kind. */
const TYPES = {
  enum: { base: 0x00, size: 1, none: 0xff, least: 0, most: 0xfe },
  sint8: { base: 0x01, size: 1, none: 0x7f, least: -0x80, most: 0x7e },
  uint8: { base: 0x02, size: 1, none: 0xff, least: 0, most: 0xfe },
  uint16: { base: 0x84, size: 2, none: 0xffff, least: 0, most: 0xfffe },
  sint32: { base: 0x85, size: 4, none: 0x7fffffff, least: -0x80000000, most: 0x7ffffffe },
  uint32: { base: 0x86, size: 4, none: 0xffffffff, least: 0, most: 0xfffffffe },
  uint32z: { base: 0x8c, size: 4, none: 0, least: 1, most: 0xffffffff },
} as const

/** A field of a message: raw = (value + offset) * scale. */
export interface FitField {
  readonly num: number
  readonly type: keyof typeof TYPES
  readonly scale?: number
  readonly offset?: number
}

const HEADER_BYTES = 14
const PROTOCOL_VERSION = 0x20
/** Version of Garmin's SDK (21.217) that the numbers of messages and fields follow. */
const PROFILE_VERSION = 21_217
const DEFINITION = 0x40
/** Bytes of a piece; the first is smaller, since most runs need no more. */
const PIECE_BYTES = 262_144
const FIRST_BYTES = 65_536

/** Builds the bytes of one FIT file message by message, little-endian, in pieces: one buffer would be copied to grow. */
export class FitBytes {
  private bytes = new Uint8Array(FIRST_BYTES)
  private view = new DataView(this.bytes.buffer)
  private at = HEADER_BYTES
  private readonly fields: (readonly FitField[])[] = []
  private readonly full: Uint8Array<ArrayBuffer>[] = []

  /** Writes the definition of a kind of message by its global number. @returns the kind, for `add` */
  define(global: number, fields: readonly FitField[]): number {
    const local = this.fields.push(fields) - 1
    this.reserve(6 + 3 * fields.length)
    this.put('uint8', DEFINITION | local)
    this.put('uint8', 0)
    this.put('uint8', 0)
    this.put('uint16', global)
    this.put('uint8', fields.length)
    for (const { num, type } of fields) {
      this.put('uint8', num)
      this.put('uint8', TYPES[type].size)
      this.put('uint8', TYPES[type].base)
    }
    return local
  }

  /** Writes one message; null, NaN and values out of range become invalid values. @param values one per field */
  add(kind: number, values: readonly (number | null)[] | Float64Array): void {
    const fields = this.fields[kind]!
    this.reserve(1 + 4 * fields.length)
    this.put('uint8', kind)
    for (let k = 0; k < fields.length; k += 1) {
      const { type, scale = 1, offset = 0 } = fields[k]!
      const { none, least, most } = TYPES[type]
      const raw = Math.round(((values[k] ?? Number.NaN) + offset) * scale)
      this.put(type, raw >= least && raw <= most ? raw : none)
    }
  }

  /** The whole file with its checksums, in pieces. */
  finish(): Uint8Array<ArrayBuffer>[] {
    this.reserve(2)
    const pieces = [...this.full, this.bytes.subarray(0, this.at + 2)]
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    const first = pieces[0]!
    const header = new DataView(first.buffer)
    header.setUint8(0, HEADER_BYTES)
    header.setUint8(1, PROTOCOL_VERSION)
    header.setUint16(2, PROFILE_VERSION, true)
    header.setUint32(4, size - 2 - HEADER_BYTES, true)
    first.set(new TextEncoder().encode('.FIT'), 8)
    const tables = crcTables()
    header.setUint16(12, crc16(tables, first, 0, 12), true)
    let crc = 0
    for (const piece of this.full) crc = crc16After(tables, crc, piece)
    crc = crc16After(tables, crc, this.bytes.subarray(0, this.at))
    this.put('uint16', crc)
    return pieces
  }

  private put(type: keyof typeof TYPES, raw: number): void {
    const { size } = TYPES[type]
    if (size === 1) this.view.setUint8(this.at, raw)
    else if (size === 2) this.view.setUint16(this.at, raw, true)
    else this.view.setUint32(this.at, raw, true)
    this.at += size
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return
    this.full.push(this.bytes.subarray(0, this.at))
    this.bytes = new Uint8Array(PIECE_BYTES)
    this.view = new DataView(this.bytes.buffer)
    this.at = 0
  }
}
