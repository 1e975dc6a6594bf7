import { FormatError } from '../../formats/format.ts'

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
/** What an import says of a list that it read as far as it is whole. */
const CUT = 'The file is cut off: only what is before that was read'
/** A longer row is passed over; they have 2 to 20 KB. */
const MAX_ROW_BYTES = 4_194_304

/**
 * The objects in the lists that a member of that name has, wherever it is in the JSON, one at a time while it arrives;
 * memory holds one of them.
 * @param member null: the outermost list
 * @param passed called for each row that is too long or not JSON
 * @throws FormatError after the last whole row when the text is cut, or has no such list
 */
export async function* rowsOf(
  pieces: AsyncIterable<Uint8Array>,
  member: string | null,
  passed: () => void,
): AsyncGenerator<unknown, void> {
  const scanner = new RowScanner(member)
  for await (const piece of pieces) {
    for (const row of scanner.take(piece)) {
      const value = parsed(row)
      if (value === undefined) passed()
      else yield value
    }
  }
  if (!scanner.isWhole) throw new FormatError(CUT)
  if (!scanner.hasList) throw new FormatError('The file does not have its list')
}

function parsed(row: Uint8Array | null): unknown {
  try {
    return row === null ? undefined : JSON.parse(new TextDecoder().decode(row))
  } catch {
    return undefined
  }
}

/** Finds the ends of rows; what they hold is left to JSON.parse. */
class RowScanner {
  hasList = false
  readonly #member: Buffer | null
  /** What came of the current text or row. */
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** Brackets open within the list; 0: not in one. */
  #depth = 0
  /** Brackets open around it. */
  #around = 0
  #isInText = false
  #isEscaped = false
  /** Whether the last text was the name of the member, and what has followed it so far. */
  #after: 'nothing' | 'name' | 'colon'

  constructor(member: string | null) {
    this.#member = member === null ? null : Buffer.from(member)
    // as if the outermost list were a member that was just named
    this.#after = member === null ? 'colon' : 'nothing'
  }

  get isWhole(): boolean {
    return this.#depth === 0 && this.#around === 0 && !this.#isInText
  }

  /** @returns the rows that end in this piece; null: one that is too long */
  take(piece: Uint8Array): (Uint8Array | null)[] {
    const rows: (Uint8Array | null)[] = []
    let begin = 0
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]!
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) {
          this.#isInText = false
          if (this.#depth === 0) this.#after = this.#isMember(piece.subarray(begin, at)) ? 'name' : 'nothing'
        }
      } else if (byte === QUOTE) {
        this.#isInText = true
        if (this.#depth === 0) begin = at + 1
      } else if (this.#depth === 0) this.#outside(byte)
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#depth += 1
        if (this.#depth === 2) begin = at
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth -= 1
        if (this.#depth === 1) rows.push(this.#taken(piece.subarray(begin, at + 1)))
      }
    }
    const isHolding = this.#depth >= 2 || (this.#depth === 0 && this.#isInText)
    if (isHolding) this.#hold(piece.subarray(begin))
    return rows
  }

  #outside(byte: number): void {
    // bytes above ASCII are those of a byte order mark
    if (byte <= 0x20 || byte > 0x7f) return
    if (byte === COLON && this.#after === 'name') this.#after = 'colon'
    else {
      if (byte === OPEN_LIST && this.#after === 'colon') {
        this.#depth = 1
        this.hasList = true
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#around += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#around -= 1
      this.#after = 'nothing'
    }
  }

  #isMember(last: Uint8Array): boolean {
    const text = this.#taken(last)
    return text !== null && this.#member?.equals(text) === true
  }

  #taken(last: Uint8Array): Uint8Array | null {
    const isLong = this.#heldBytes + last.length > MAX_ROW_BYTES
    const whole = isLong ? null : this.#held.length === 0 ? last : Buffer.concat([...this.#held, last])
    this.#held = []
    this.#heldBytes = 0
    return whole
  }

  #hold(part: Uint8Array): void {
    this.#heldBytes += part.length
    // a copy, since the next piece may overwrite this one
    if (this.#heldBytes <= MAX_ROW_BYTES) this.#held.push(new Uint8Array(part))
    else this.#held = []
  }
}
