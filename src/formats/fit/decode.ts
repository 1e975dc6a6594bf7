import { MOST_LAPS } from '../../engine/laps.ts'
import { tooManyPoints } from '../format.ts'
import { cleanText } from '../text-values.ts'
import { crc16, crcTables } from './crc.ts'
import { describePower, type PowerDescriptions, powerField } from './developer.ts'
import {
  type FieldProfile,
  MESSAGES,
  type MessageName,
  type MessageProfile,
  RECORD,
  TIMESTAMP_FIELD,
} from './profile.ts'
import { type FitRecords, type RecordPlan, RecordTable, recordPlan } from './records.ts'
import {
  baseTypeSize,
  type FieldDefinition,
  type FitMessage,
  type FitValue,
  isWhole,
  readNumber,
  readText,
  STRING_TYPE,
} from './values.ts'

/** One FIT file of a chain: its range of the shared records table, and its messages. */
export interface FitPart {
  readonly firstRow: number
  /** Exclusive. */
  readonly endRow: number
  readonly messages: Readonly<Partial<Record<MessageName, readonly FitMessage[]>>>
}

export interface FitFile {
  readonly records: FitRecords
  /** In file order; empty when the bytes are not FIT. */
  readonly parts: readonly FitPart[]
  /** Damage that was found, in file order, for logs and tests. */
  readonly notes: readonly string[]
  /** Bytes that could not be read, in the middle of the messages or at their end. */
  readonly lostBytes: number
}

/** Most chained files of one upload; a triathlon has about ten. */
const MAX_PARTS = 1000
/** Most values outside records: a run of a day has about 100,000, most of them from a heart rate strap. */
const MAX_VALUES = 1_000_000
const TIMER_EVENT = 0

/** Whether a FIT header begins at a position: its size and the letters ".FIT". */
export function hasFitHeader(bytes: Uint8Array, at = 0): boolean {
  const size = bytes[at] ?? 0
  const signature =
    bytes[at + 8] === 0x2e && bytes[at + 9] === 0x46 && bytes[at + 10] === 0x49 && bytes[at + 11] === 0x54
  return size >= 12 && signature
}

/**
 * Reads all intact parts of a FIT file and of those chained to it. Where the checksum is wrong, every message has to be followed by
 * others that make sense; reading goes on behind what does not.
 */
export function decodeFit(bytes: Uint8Array): FitFile {
  return new Decoder(bytes).decode()
}

/** Messages that have to follow each other for reading to begin behind damage. */
const SENSIBLE = 4
/** Times of neighbouring messages of one file are no further apart. */
const FURTHEST_S = 31 * 86_400
const CRC_BYTES = 2
/** Fields of a record whose highest bytes hardly change: position, distance, time. */
const STEADY_FIELDS = [0, 1, 5, TIMESTAMP_FIELD]
/** The highest bytes of missing values. */
const MISSING = [0xff, 0x7f]

/** By local type. */
type Definitions = (Definition | undefined)[]

/** What holds while the messages of one file are read. */
interface Reading {
  readonly end: number
  readonly isSound: boolean
  readonly definitions: Definitions
  readonly powers: PowerDescriptions
}

/** A definition message: the layout of messages of one local type. */
interface Definition {
  readonly littleEndian: boolean
  readonly size: number
  /** Offset of the timestamp; -1: none. */
  readonly timestampAt: number
  readonly plan: RecordPlan | null
  /** Offsets of the highest bytes of a record's time, position and distance, which hardly change from one to the next. */
  readonly highAt: readonly number[]
  /** Of the last record that was read in a damaged file; -1: none. */
  lastAt: number
  readonly profile: MessageProfile | null
  readonly fields: readonly (readonly [FieldDefinition, FieldProfile])[]
}

class Decoder {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #records: RecordTable
  readonly #text = new TextDecoder()
  readonly #tables = crcTables()
  readonly #parts: FitPart[] = []
  readonly #notes: string[] = []
  #messages: Partial<Record<MessageName, FitMessage[]>> = {}
  #values = 0
  #lastTimestampS = Number.NaN
  #lostBytes = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#records = new RecordTable(this.#view)
  }

  decode(): FitFile {
    let at = 0
    while (at < this.#bytes.length && this.#parts.length < MAX_PARTS) {
      if (!hasFitHeader(this.#bytes, at)) {
        this.#note(at, 'no FIT header')
        break
      }
      const { start, end, next, isSound } = this.#extent(at)
      const firstRow = this.#records.n
      this.#messages = {}
      this.#lastTimestampS = Number.NaN
      this.#records.restartDistance()
      this.#readMessages(start, end, isSound)
      this.#parts.push({ firstRow, endRow: this.#records.n, messages: this.#messages })
      at = next
    }
    return { records: this.#records.finish(), parts: this.#parts, notes: this.#notes, lostBytes: this.#lostBytes }
  }

  /**
   * The place of a file's messages, and of the next file. The size in the header is trusted when the checksum matches,
   * or another file or the end follows; otherwise (recording never finished, transfer cut) everything that is left is
   * read.
   */
  #extent(at: number): { start: number; end: number; next: number; isSound: boolean } {
    const total = this.#bytes.length
    const start = at + this.#bytes[at]!
    const declared = this.#view.getUint32(at + 4, true)
    const end = start + declared
    if (declared > 0 && end + 2 <= total) {
      if (crc16(this.#tables, this.#bytes, at, end) === this.#view.getUint16(end, true))
        return { start, end, next: end + 2, isSound: true }
      this.#note(at, 'wrong checksum')
      if (end + 2 === total || hasFitHeader(this.#bytes, end + 2)) {
        return { start, end, next: end + 2, isSound: false }
      }
    }
    this.#note(at, `data size ${declared} with ${total - start} bytes left`)
    if (declared > 0 && end <= total && end + 2 > total) return { start, end, next: total, isSound: false }
    return { start, end: total, next: total, isSound: false }
  }

  #readMessages(start: number, end: number, isSound: boolean): void {
    const definitions: Definitions = new Array(16)
    const reading = { end, isSound, definitions, powers: new Map() }
    let at = start
    while (at < end) {
      const next = this.#readNext(at, reading)
      if (next >= 0) {
        at = next
        continue
      }
      const behind = this.#behindDamage(at + 1, end, definitions)
      // what follows the messages without making sense is their checksum, or was appended
      if (behind < end || end - at > CRC_BYTES) this.#lostBytes += behind - at
      at = behind
    }
  }

  /** Reads the message at a position. @returns the position after it; -1: it is damaged, and noted */
  #readNext(headerAt: number, { end, isSound, definitions, powers }: Reading): number {
    const header = this.#bytes[headerAt]!
    const at = headerAt + 1
    const isCompressed = (header & 0x80) !== 0
    if (!isCompressed && (header & 0x40) !== 0) {
      const size = this.#definitionSize(at, end, (header & 0x20) !== 0)
      if (size < 0) return this.#damaged(at, 'cut definition')
      definitions[header & 15] = this.#definition(at, (header & 0x20) !== 0, powers)
      return at + size
    }
    const definition = definitions[localType(header)]
    if (definition === undefined) return this.#damaged(at, 'message without definition')
    if (at + definition.size > end) return this.#damaged(at, 'cut message')
    const lastS = this.#lastTimestampS
    const timestampS = this.#timestamp(definition, at, isCompressed ? header & 31 : -1)
    const next = at + definition.size
    if (!isSound) {
      const isNearby = isNear(timestampS, lastS) && this.#isAlike(definition, at)
      if (!isNearby || !this.#makeSense({ at: next, end, count: 2 }, definitions, timestampS)) {
        this.#lastTimestampS = lastS
        return this.#damaged(at, 'message that makes no sense')
      }
      definition.lastAt = at
    }
    if (definition.plan !== null) {
      if (this.#records.isFull) throw tooManyPoints()
      this.#records.add(definition.plan, at, timestampS)
    } else if (definition.profile !== null) {
      this.#readMessage(definition, definition.profile.name, at, powers)
    }
    return next
  }

  /** The first position from which on messages make sense; the end where there is none. */
  #behindDamage(from: number, end: number, definitions: Definitions): number {
    let at = from
    while (at < end && !this.#makeSense({ at, end, count: SENSIBLE }, definitions, this.#lastTimestampS, true)) at += 1
    return at
  }

  /**
   * Whether so many messages follow each other from a position on: each has a definition, and a time near the one before. One
   * that is cut by the end makes sense unless reading is to begin there.
   */
  #makeSense(
    { at: from, end, count }: { readonly at: number; readonly end: number; readonly count: number },
    known: Definitions,
    nearS: number,
    isStart = false,
  ): boolean {
    const definitions = [...known]
    let [at, lastS, timed] = [from, nearS, 0]
    for (let i = 0; i < count; i += 1) {
      if (end - at <= CRC_BYTES) return !isStart || timed > 0
      const header = this.#bytes[at]!
      at += 1
      if ((header & 0xc0) === 0x40) {
        const size = this.#definitionSize(at, end, (header & 0x20) !== 0)
        if (size < 0 || this.#bytes[at]! !== 0 || this.#bytes[at + 1]! > 1 || this.#bytes[at + 4] === 0) return false
        definitions[header & 15] = this.#definition(at, (header & 0x20) !== 0, new Map())
        at += size
        continue
      }
      const definition = definitions[localType(header)]
      if (definition === undefined) return false
      if (at + definition.size > end) return !isStart
      if (!this.#isAlike(definition, at)) return false
      if (definition.timestampAt >= 0) {
        const timestampS = this.#view.getUint32(at + definition.timestampAt, definition.littleEndian)
        if (!isNear(timestampS, lastS)) return false
        lastS = timestampS
        timed += 1
      }
      at += definition.size
    }
    return !isStart || timed > 0
  }

  /** Whether a message resembles the last one of its definition in what hardly changes. */
  #isAlike({ highAt, lastAt }: Definition, at: number): boolean {
    return highAt.every((offset) => {
      const [byte, last] = [this.#bytes[at + offset]!, this.#bytes[lastAt + offset]!]
      return lastAt < 0 || Math.abs(byte - last) <= 1 || MISSING.includes(byte) || MISSING.includes(last)
    })
  }

  #damaged(at: number, what: string): number {
    this.#note(at, what)
    return -1
  }

  /** @returns seconds since the FIT epoch, NaN without a time; every full time is the reference of later short ones */
  #timestamp(definition: Definition, at: number, shortTime: number): number {
    if (definition.timestampAt >= 0) {
      const written = this.#view.getUint32(at + definition.timestampAt, definition.littleEndian)
      if (written === 0xffffffff) return Number.NaN
      this.#lastTimestampS = written
      return written
    }
    if (shortTime >= 0) {
      // Compressed timestamp: five bits; the time is the next instant after the reference that ends in them.
      const last = this.#lastTimestampS
      this.#lastTimestampS = last + ((shortTime - (last % 32) + 32) % 32)
      return this.#lastTimestampS
    }
    return Number.NaN
  }

  /** @returns the bytes of a definition message after its header byte; -1 when they extend beyond `end` */
  #definitionSize(at: number, end: number, hasDeveloperFields: boolean): number {
    if (at + 5 > end) return -1
    const developerAt = 5 + 3 * this.#bytes[at + 4]!
    if (!hasDeveloperFields) return at + developerAt <= end ? developerAt : -1
    if (at + developerAt + 1 > end) return -1
    const size = developerAt + 1 + 3 * this.#bytes[at + developerAt]!
    return at + size <= end ? size : -1
  }

  #definition(start: number, hasDeveloperFields: boolean, powers: PowerDescriptions): Definition {
    const bytes = this.#bytes
    const littleEndian = bytes[start + 1] === 0
    const num = this.#view.getUint16(start + 2, littleEndian)
    const count = bytes[start + 4]!
    const fields: FieldDefinition[] = []
    let at = start + 5
    let size = 0
    for (let i = 0; i < count; i += 1, at += 3) {
      fields.push({ num: bytes[at]!, size: bytes[at + 1]!, type: bytes[at + 2]! & 31, offset: size })
      size += bytes[at + 1]!
    }
    const list = { at: at + 1, count: hasDeveloperFields ? bytes[at]! : 0, offset: size }
    const power = powerField(bytes, list, powers)
    for (let i = 0; i < list.count; i += 1) size += bytes[list.at + 3 * i + 1]!
    const profile = MESSAGES.get(num) ?? null
    const time = fields.find((field) => field.num === TIMESTAMP_FIELD && field.size === 4)
    const steady = fields.filter((field) => num === RECORD && field.size === 4 && STEADY_FIELDS.includes(field.num))
    return {
      littleEndian,
      size,
      timestampAt: time?.offset ?? -1,
      highAt: steady.map(({ offset }) => offset + (littleEndian ? 3 : 0)),
      lastAt: -1,
      plan: num === RECORD ? recordPlan(fields, littleEndian, power) : null,
      profile,
      fields: profile === null ? [] : known(fields, profile),
    }
  }

  #readMessage(definition: Definition, name: MessageName, at: number, powers: PowerDescriptions) {
    const message: Record<string, FitValue> & { row: number } = { row: this.#records.n }
    for (const [field, profile] of definition.fields) {
      const value = this.#value(field, profile, at, definition.littleEndian)
      if (value !== null) message[profile.name] = value
    }
    if (name === 'fieldDescription') describePower(message, powers)
    const list = this.#messages[name]
    const isUnwanted =
      name === 'fieldDescription' ||
      (name === 'event' && message.event !== TIMER_EVENT) ||
      (name === 'lap' && list !== undefined && list.length >= MOST_LAPS)
    if (isUnwanted || this.#values > MAX_VALUES) return
    this.#values += 1 + definition.fields.length
    if (list === undefined) this.#messages[name] = [message]
    else list.push(message)
  }

  #value(field: FieldDefinition, profile: FieldProfile, messageAt: number, littleEndian: boolean): FitValue | null {
    const at = messageAt + field.offset
    if (field.type === STRING_TYPE) return cleanText(readText(this.#bytes, at, field.size, this.#text), field.size)
    if (!profile.array) {
      const raw = readNumber(this.#view, at, field.type, littleEndian)
      return Number.isNaN(raw) ? null : raw / profile.scale - profile.offset
    }
    const unit = baseTypeSize(field.type)
    const values: number[] = []
    for (let i = 0; i < field.size; i += unit) {
      values.push(readNumber(this.#view, at + i, field.type, littleEndian) / profile.scale)
    }
    this.#values += values.length
    return values
  }

  #note(at: number, what: string): void {
    if (this.#notes.length < MAX_PARTS) this.#notes.push(`${what} at byte ${at}`)
  }
}

function localType(header: number): number {
  return (header & 0x80) !== 0 ? (header >> 5) & 3 : header & 15
}

/** Where one of the times is missing, they are. */
function isNear(timeS: number, otherS: number): boolean {
  return !(Math.abs(timeS - otherS) > FURTHEST_S)
}

function known(fields: readonly FieldDefinition[], profile: MessageProfile): Definition['fields'] {
  return fields.flatMap((field) => {
    const fieldProfile = profile.fields.get(field.num)
    return fieldProfile !== undefined && isWhole(field) ? [[field, fieldProfile] as const] : []
  })
}
