import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, MOST_DEPTH, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './fields.ts'

/** Bytes of rows that are parsed at once. */
const BATCH_BYTES = 65_536
const FIRST_CAPACITY = 262_144
const COMMA = 0x2c
const ROW_END = Uint8Array.of(COMMA)
/** The byte-order mark of UTF-8. */
const MARK = [0xef, 0xbb, 0xbf]

/** A row that was left out unread. */
export interface OddRow {
  /** Its place among all rows, from 1 on. */
  readonly number: number
  /** Nested deeper than MOST_DEPTH, or larger than the limit. */
  readonly why: 'deep' | 'large'
}

interface RowLimits {
  /** Limit of one element. */
  readonly maxRowBytes: number
  /** Called for each row over a limit, which is passed over without being held. */
  readonly leftOut: (row: OddRow) => void
}

/**
 * Parses the elements of a JSON array while it arrives, in batches; memory holds one batch and at most one row. Only
 * the ends of rows are found here, everything else is left to JSON.parse and refused when it refuses it.
 * @throws SyntaxError when it is not a single complete JSON array; earlier rows have been returned by then
 */
export async function* jsonRows(
  pieces: AsyncIterable<Uint8Array>,
  limits: RowLimits,
): AsyncGenerator<readonly unknown[]> {
  const text = new ArrayText(limits)
  for await (const piece of pieces) {
    const rows = text.take(piece)
    if (rows.length > 0) yield rows
  }
  text.end()
}

/** Parses JSON text given as bytes, with or without byte-order mark. @throws SyntaxError */
export function parsedJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new SyntaxError('Not UTF-8', { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    // JSON nested deeper than the stack fails with a RangeError
    throw cause instanceof SyntaxError ? cause : new SyntaxError('Not JSON', { cause })
  }
}

/** The part of an array's text whose rows were not returned yet. */
class ArrayText {
  private readonly limits: RowLimits
  /** `[`, complete rows with a comma after each, then what has arrived of the current row. */
  private buffer = new Uint8Array(FIRST_CAPACITY).fill(OPEN_ARRAY, 0, 1)
  private filled = 1
  /** End of the complete rows, and their number. */
  private rowsEnd = 1
  private rowsCount = 0
  /** Number of all rows that have ended, and whether the current one is left out. */
  private endedCount = 0
  private isLeftOut = false
  private place: 'before' | 'inside' | 'after' = 'before'
  /** Bytes of a byte-order mark that have arrived; all of them once there can be none. */
  private markBytes = 0
  private depth = 0
  private isInText = false
  private isEscaped = false

  constructor(limits: RowLimits) {
    this.limits = limits
  }

  /** @returns the complete rows, once they make a batch or the array has ended */
  take(piece: Uint8Array): unknown[] {
    let at = this.place === 'before' ? this.findBegin(piece) : 0
    if (this.place === 'inside') at = this.findRowEnds(piece, at)
    if (this.place === 'after' && !piece.subarray(at).every(isBlank)) throw new SyntaxError('Text after the array')
    if (this.filled - this.rowsEnd > this.limits.maxRowBytes) this.leaveOut('large')
    return this.rowsCount > 0 && (this.place === 'after' || this.rowsEnd > BATCH_BYTES) ? this.parsedRows() : []
  }

  end(): void {
    if (this.place !== 'after') throw new SyntaxError('The array does not end')
  }

  /** @returns where the first row begins */
  private findBegin(piece: Uint8Array): number {
    for (const [at, byte] of piece.entries()) {
      if (byte === MARK[this.markBytes]) this.markBytes += 1
      else if (this.markBytes % MARK.length !== 0 || !(isBlank(byte) || byte === OPEN_ARRAY)) {
        throw new SyntaxError('Not an array')
      } else if (byte === OPEN_ARRAY) {
        this.place = 'inside'
        return at + 1
      } else this.markBytes = MARK.length
    }
    return piece.length
  }

  /** @returns the end of the array or of the piece */
  private findRowEnds(piece: Uint8Array, from: number): number {
    let { depth, isInText, isEscaped } = this
    let begin = from
    let at = from
    for (; at < piece.length; at += 1) {
      const byte = piece[at]!
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInText = false
      } else if (byte === QUOTE) isInText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1
        if (depth > MOST_DEPTH && !this.isLeftOut) this.leaveOut('deep')
      } else if (depth > 0) {
        if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1
      } else if (byte === COMMA || byte === CLOSE_ARRAY) {
        this.add(piece.subarray(begin, at))
        if (byte === COMMA || !this.isEmpty()) this.endRow()
        begin = at + 1
        if (byte === COMMA) continue
        this.place = 'after'
        return begin
      }
    }
    this.add(piece.subarray(begin))
    this.depth = depth
    this.isInText = isInText
    this.isEscaped = isEscaped
    return at
  }

  private isEmpty(): boolean {
    return this.endedCount === 0 && !this.isLeftOut && this.buffer.subarray(1, this.filled).every(isBlank)
  }

  private endRow(): void {
    this.endedCount += 1
    if (!this.isLeftOut) {
      this.add(ROW_END)
      this.rowsEnd = this.filled
      this.rowsCount += 1
    }
    this.isLeftOut = false
  }

  /** Passes over the current row, of which nothing is held. */
  private leaveOut(why: OddRow['why']): void {
    this.isLeftOut = true
    this.filled = this.rowsEnd
    if (this.buffer.length > FIRST_CAPACITY && this.filled <= FIRST_CAPACITY) this.moveTo(FIRST_CAPACITY)
    this.limits.leftOut({ number: this.endedCount + 1, why })
  }

  private add(text: Uint8Array): void {
    if (this.isLeftOut) return
    const needed = this.filled + text.length
    // memory that was never written is not resident, so a long row gets room up to its limit before it is long to copy
    const longest = this.limits.maxRowBytes + 2 * FIRST_CAPACITY
    let size = this.buffer.length
    while (needed > size) size = size < longest && size > longest / 8 ? longest : 2 * size
    if (size > this.buffer.length) this.moveTo(size)
    this.buffer.set(text, this.filled)
    this.filled = needed
  }

  /** Frees the former buffer at once: the collector would let one of 128 MiB wait beside its successor. */
  private moveTo(capacity: number): void {
    const target = new Uint8Array(capacity)
    target.set(this.buffer.subarray(0, this.filled))
    this.buffer.buffer.transfer(0)
    this.buffer = target
  }

  private parsedRows(): unknown[] {
    this.buffer[this.rowsEnd - 1] = CLOSE_ARRAY
    const rows = parsedJson(this.buffer.subarray(0, this.rowsEnd))
    // a comma without a row before or after it
    if (!Array.isArray(rows) || rows.length !== this.rowsCount) throw new SyntaxError('A row is missing')
    this.buffer.copyWithin(1, this.rowsEnd, this.filled)
    this.filled -= this.rowsEnd - 1
    this.rowsEnd = 1
    this.rowsCount = 0
    return rows
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
