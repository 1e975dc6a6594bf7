import { FormatError } from '../../../formats/format.ts'
import { ascii, CUT, isAt, Tag, UNREADABLE, UNWANTED } from './tag.ts'

// Splits an Apple Health export, of any length and in pieces, into its workouts and records.

const [LT, BANG, SLASH, GT, SPACE] = [60, 33, 47, 62, 32]
const [RECORD, WORKOUT, ROOT_END] = [ascii('Record'), ascii('Workout'), ascii('/HealthData')]
const [COMMENT, CDATA] = [ascii('!--'), ascii('![CDATA[')]
/** Longest name whose beginning decides. */
const LOOK_BYTES = 12
const ROOT = '<HealthData'
const WORKOUT_END = '</Workout>'
/** Version 12 of the export has a DTD that is not well-formed; what is before the first element is not read. */
const MOST_PROLOG_BYTES = 1_048_576
/** Room for a piece and what is left of the one before; more is taken for a long workout. */
const STORE_BYTES = 262_144
const MOST_TAG_BYTES = 65_536
/** A workout with an event each second for a day is half as long. */
const MOST_WORKOUT_BYTES = 4_194_304

export interface ElementTaker {
  /** Judges a record by the bytes of its type. */
  wants(bytes: Uint8Array, start: number, end: number): boolean
  /** The tag is valid during the call. */
  record(tag: Tag): void
  /** A whole element; its bytes are valid during the call. */
  workout(bytes: Uint8Array): void
}

export class Elements {
  /** Elements that were passed over since they cannot be read. */
  unreadable = 0
  /** Whether the end of the document was seen. */
  isWhole = false
  /** What is not scanned to its end yet is at its beginning. */
  private store = Buffer.allocUnsafeSlow(STORE_BYTES)
  private filled = 0
  /** What ends the part that is passed over; null: none is. */
  private until: string | null = ROOT
  /** Where a search for the end of a workout goes on. */
  private endless = 0
  private readonly tag = new Tag()
  private bytes: Buffer = Buffer.alloc(0)
  private readonly wants = (start: number, end: number) => this.taker.wants(this.bytes, start, end)

  constructor(private readonly taker: ElementTaker) {}

  /** @throws FormatError for what is no Apple Health export, and for a DTD within it */
  push(piece: Uint8Array): void {
    const length = this.filled + piece.length
    if (length > this.store.length) this.move(2 * length)
    this.store.set(piece, this.filled)
    this.bytes = this.store.subarray(0, length)
    const from = this.scanned()
    this.store.copyWithin(0, from, length)
    this.filled = length - from
    this.endless = Math.max(0, this.endless - from)
    if (this.store.length > STORE_BYTES && 4 * this.filled < STORE_BYTES) this.move(STORE_BYTES)
  }

  private move(bytes: number): void {
    const store = Buffer.allocUnsafeSlow(bytes)
    this.store.copy(store, 0, 0, this.filled)
    this.store = store
  }

  /** Takes the whole elements. @returns the position from which on they are not */
  private scanned(): number {
    const { bytes } = this
    for (let at = 0; ; ) {
      if (this.until !== null) {
        const behind = this.behindPassed(this.until, at)
        if (behind < 0) return this.until === ROOT ? 0 : Math.max(at, bytes.length - this.until.length)
        this.until = null
        at = behind
      }
      const lt = bytes.indexOf(LT, at)
      if (lt < 0) return bytes.length
      if (lt + LOOK_BYTES > bytes.length) return lt
      const behind = this.element(lt)
      if (behind === CUT) return lt
      at = behind
    }
  }

  /** The position from which to go on after the element at `lt`; `CUT`: it does not end yet. */
  private element(lt: number): number {
    const { bytes } = this
    const first = bytes[lt + 1]
    if (first === RECORD[0] && isNameAt(bytes, lt + 1, RECORD)) return this.record(lt)
    if (first === WORKOUT[0] && isNameAt(bytes, lt + 1, WORKOUT)) return this.workout(lt)
    if (first === SLASH && isAt(bytes, lt + 1, ROOT_END)) this.isWhole = true
    if (first !== BANG) return lt + 1
    if (isAt(bytes, lt + 1, COMMENT)) this.until = '-->'
    else if (isAt(bytes, lt + 1, CDATA)) this.until = ']]>'
    else throw new FormatError('The file has a document type declaration (DTD) after its beginning, which is refused')
    return lt + 1 + COMMENT.length
  }

  private record(lt: number): number {
    const behind = this.tag.read(this.bytes, lt + 1 + RECORD.length, this.wants)
    if (behind === UNWANTED) return lt + 1
    if (behind === UNREADABLE) return this.unread(lt)
    if (behind === CUT) return this.bytes.length - lt > MOST_TAG_BYTES ? this.unread(lt) : CUT
    this.taker.record(this.tag)
    return behind
  }

  private workout(lt: number): number {
    const { bytes, tag } = this
    const behind = tag.read(bytes, lt + 1 + WORKOUT.length, null)
    const length = bytes.length - lt
    if (behind === UNREADABLE || (behind === CUT && length > MOST_TAG_BYTES)) return this.unread(lt)
    const end = behind === CUT || tag.isClosed ? behind : this.workoutEnd(behind)
    if (end === CUT) return length > MOST_WORKOUT_BYTES ? this.unread(lt) : CUT
    this.taker.workout(bytes.subarray(lt, end))
    return end
  }

  /** Each byte is searched once, however many workouts do not end. */
  private workoutEnd(behind: number): number {
    const found = this.bytes.indexOf(WORKOUT_END, Math.max(behind, this.endless), 'latin1')
    if (found >= 0) return found + WORKOUT_END.length
    this.endless = Math.max(0, this.bytes.length - WORKOUT_END.length)
    return CUT
  }

  private unread(lt: number): number {
    this.unreadable += 1
    return lt + 1
  }

  /** The position behind what ends the part that is passed over; -1: it does not end yet. */
  private behindPassed(until: string, from: number): number {
    const { bytes } = this
    const found = bytes.indexOf(until, from, 'latin1')
    if (until === ROOT && (found < 0 ? bytes.length : found) > MOST_PROLOG_BYTES) {
      throw new FormatError('The file is not an Apple Health export: it does not begin with health data')
    }
    return found < 0 ? -1 : found + until.length
  }
}

function isNameAt(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  const after = bytes[start + name.length]!
  return isAt(bytes, start, name) && (after <= SPACE || after === GT || after === SLASH)
}
