import { FormatError } from '../../../formats/format.ts'

// Splits an Apple Health export, of any length and in pieces, into its workouts and records.

const ROOT = '<HealthData'
const WORKOUT_END = '</Workout>'
const OPENING = /<(?:!--|!\[CDATA\[|!|\/HealthData|(?:Record|Workout)(?=[\t\n\r />]))/g
/** Longest beginning that decides. */
const LOOK_LENGTH = 12
/** A type that comes first, as in any export of a phone. */
const TYPE_FIRST = /<Record\s+type="([^"<]*)"/y
const TAG = /<(?:Record|Workout)(?:\s*[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y
/** Version 12 of the export has a DTD that is not well-formed; what is before the first element is not read. */
const MOST_PROLOG_LENGTH = 1_048_576
const MOST_TAG_LENGTH = 65_536
/** A workout with an event each second for a day is half as long. */
const MOST_WORKOUT_LENGTH = 4_194_304
/** The text ends within the element. */
const CUT = -1

/** Texts have one character for each byte. */
export interface ElementTaker {
  wants(type: string): boolean
  /** @param tag one without errors */
  record(tag: string): void
  workout(text: string): void
}

export class Elements {
  /** Elements that were passed over since they cannot be read. */
  unreadable = 0
  isWhole = false
  private text = ''
  /** What ends the part that is passed over; null: none is. */
  private until: string | null = ROOT
  /** Where the next workout ends, so that each byte is searched once, however many do not end; null: not known. */
  private nextEnd: number | null = null

  constructor(private readonly taker: ElementTaker) {}

  /** @throws FormatError for what is no Apple Health export, and for a DTD within it */
  push(piece: Uint8Array): void {
    this.text += Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    this.nextEnd = null
    this.text = this.text.slice(this.taken())
  }

  /** Takes the whole elements. @returns the position from which on they are not */
  private taken(): number {
    const { text } = this
    for (let at = 0; ; ) {
      if (this.until !== null) {
        const behind = this.behindPassed(this.until, at)
        if (behind === CUT) return this.until === ROOT ? 0 : Math.max(at, text.length - this.until.length)
        this.until = null
        at = behind
      }
      OPENING.lastIndex = at
      const found = OPENING.exec(text)
      if (found === null) {
        const lt = text.lastIndexOf('<')
        return lt >= at && text.length - lt < LOOK_LENGTH ? lt : text.length
      }
      const behind = this.element(found[0], found.index)
      if (behind === CUT) return found.index
      at = behind
    }
  }

  /** The position from which to go on after the element at `lt`; `CUT`: it does not end yet. */
  private element(opening: string, lt: number): number {
    if (opening === '<Record') return this.record(lt)
    if (opening === '<Workout') return this.workout(lt)
    if (opening === '<!--') this.until = '-->'
    else if (opening === '<![CDATA[') this.until = ']]>'
    else if (opening !== '<!') this.isWhole = true
    else if (this.text.length - lt < LOOK_LENGTH) return CUT
    else throw new FormatError('The file has a document type declaration (DTD) after its beginning, which is refused')
    return lt + opening.length
  }

  private record(lt: number): number {
    TYPE_FIRST.lastIndex = lt
    const first = TYPE_FIRST.exec(this.text)
    if (first !== null && !this.taker.wants(first[1]!)) return TYPE_FIRST.lastIndex
    const tag = this.tag(lt)
    if (tag === null) return this.unread(lt, MOST_TAG_LENGTH, this.text.indexOf('<', lt + 1) < 0)
    if (first !== null || this.taker.wants(valueIn(tag[0], 'type') ?? '')) this.taker.record(tag[0])
    return lt + tag[0].length
  }

  private workout(lt: number): number {
    const tag = this.tag(lt)
    if (tag === null) return this.unread(lt, MOST_TAG_LENGTH, this.text.indexOf('<', lt + 1) < 0)
    const behind = lt + tag[0].length
    const end = tag[1] === '/' ? behind : this.workoutEnd(behind)
    if (end === CUT) return this.unread(lt, MOST_WORKOUT_LENGTH, true)
    this.taker.workout(this.text.slice(lt, end))
    return end
  }

  private tag(lt: number): RegExpExecArray | null {
    TAG.lastIndex = lt
    return TAG.exec(this.text)
  }

  private workoutEnd(behind: number): number {
    if (this.nextEnd === null || this.nextEnd < behind) {
      const found = this.text.indexOf(WORKOUT_END, behind)
      this.nextEnd = found < 0 ? Number.POSITIVE_INFINITY : found
    }
    return Number.isFinite(this.nextEnd) ? this.nextEnd + WORKOUT_END.length : CUT
  }

  /** @param mayEnd whether it may go on in the next piece, unless it is too long already */
  private unread(lt: number, mostLength: number, mayEnd: boolean): number {
    if (mayEnd && this.text.length - lt <= mostLength) return CUT
    this.unreadable += 1
    return lt + 1
  }

  /** The position behind what ends the part that is passed over; `CUT`: it does not end yet. */
  private behindPassed(until: string, from: number): number {
    const found = this.text.indexOf(until, from)
    if (until === ROOT && (found < 0 ? this.text.length : found) > MOST_PROLOG_LENGTH) {
      throw new FormatError('The file is not an Apple Health export: it does not begin with health data')
    }
    return found < 0 ? CUT : found + until.length
  }
}

/** The value of an attribute with its quotes; null: the tag has none. */
export function quotedIn(tag: string, name: string): string | null {
  const at = tag.indexOf(` ${name}="`)
  // as every export of a phone writes it
  if (at >= 0) return tag.slice(at + name.length + 2, tag.indexOf('"', at + name.length + 3) + 1)
  return new RegExp(`[\\s"']${name}\\s*=\\s*("[^"]*"|'[^']*')`).exec(tag)?.[1] ?? null
}

export function valueIn(tag: string, name: string): string | null {
  return quotedIn(tag, name)?.slice(1, -1) ?? null
}
