import { FormatError } from '../../formats/format.ts'
import { ascii, CUT, isAt, Tag, UNREADABLE, UNWANTED } from './tag.ts'

// Splits an Apple Health export, of any length and in pieces, into its workouts and records.

const [LT, BANG, SLASH, GT, SPACE] = [60, 33, 47, 62, 32]
const [RECORD, WORKOUT, ROOT_END] = [ascii('Record'), ascii('Workout'), ascii('/HealthData')]
const [COMMENT, CDATA] = [ascii('!--'), ascii('![CDATA[')]
/** Longest name whose beginning decides. */
const LOOK_BYTES = 12
const ROOT = '<HealthData'
/** Version 12 of the export has a DTD that is not well-formed; what is before the first element is not read. */
const MOST_PROLOG_BYTES = 1_048_576
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
  private rest: Buffer = Buffer.alloc(0)
  /** What ends the part that is passed over; null: none is. */
  private until: string | null = ROOT
  private readonly tag = new Tag()
  private bytes: Buffer = Buffer.alloc(0)
  private readonly wants = (start: number, end: number) => this.taker.wants(this.bytes, start, end)

  constructor(private readonly taker: ElementTaker) {}

  /** @throws FormatError for what is no Apple Health export, and for a DTD within it */
  push(piece: Uint8Array): void {
    const next = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    const bytes = this.rest.length === 0 ? next : Buffer.concat([this.rest, next])
    this.bytes = bytes
    let at = this.until === null ? 0 : this.behindPassed(0)
    while (at >= 0) {
      const lt = bytes.indexOf(LT, at)
      if (lt < 0) {
        at = bytes.length
        break
      }
      if (lt + LOOK_BYTES > bytes.length) {
        at = lt
        break
      }
      const behind = this.element(lt)
      if (behind === CUT) {
        at = lt
        break
      }
      at = behind === PASSING ? this.behindPassed(lt + 1) : behind
    }
    if (at >= 0) this.rest = Buffer.from(bytes.subarray(at))
  }

  /** The position behind the element at `lt`; `CUT`: it does not end yet; `PASSING`: `until` says what ends it. */
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
    return PASSING
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
    if (behind === UNREADABLE) return this.unread(lt)
    let end = behind
    if (behind !== CUT && !tag.isClosed) {
      const close = bytes.indexOf('</Workout>', behind, 'latin1')
      end = close < 0 ? CUT : close + '</Workout>'.length
    }
    if (end === CUT) return bytes.length - lt > MOST_WORKOUT_BYTES ? this.unread(lt) : CUT
    this.taker.workout(bytes.subarray(lt, end))
    return end
  }

  private unread(lt: number): number {
    this.unreadable += 1
    return lt + 1
  }

  /** The position behind what ends the part that is passed over; -1: it does not end yet, and `rest` is set. */
  private behindPassed(from: number): number {
    const { bytes, until } = this
    const found = bytes.indexOf(until!, from, 'latin1')
    if (until === ROOT && (found < 0 ? bytes.length : found) > MOST_PROLOG_BYTES) {
      throw new FormatError('The file is not an Apple Health export: it does not begin with health data')
    }
    if (found >= 0) {
      this.until = null
      return found + until!.length
    }
    // the beginning is kept whole, so that its length counts
    const kept = until === ROOT ? 0 : Math.max(from, bytes.length - until!.length)
    this.rest = Buffer.from(bytes.subarray(kept))
    return -1
  }
}

const PASSING = -4

function isNameAt(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  const after = bytes[start + name.length]!
  return isAt(bytes, start, name) && (after <= SPACE || after === GT || after === SLASH)
}
