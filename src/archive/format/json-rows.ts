import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, MOST_DEPTH, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './fields.ts'

/** Bytes of rows that are parsed at once. */
const BATCH_BYTES = 65_536
const FIRST_CAPACITY = 262_144
const COMMA = 0x2c

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
    text.add(piece)
    const rows = text.takeRows()
    if (rows.length > 0) yield rows
  }
  const rows = text.end()
  if (rows.length > 0) yield rows
}

/**
 * Parses JSON text given as bytes, with or without byte-order mark.
 * @throws SyntaxError
 */
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

/** The part of an array's text that was not returned yet. */
class ArrayText {
  private readonly limits: RowLimits
  private buffer = new Uint8Array(FIRST_CAPACITY)
  /** Start of the first row not returned yet, end of the bytes examined, end of the bytes that arrived. */
  private start = 0
  private scanned = 0
  private filled = 0
  /** End of the last row followed by a comma, and the number of such rows since `start`. */
  private rowsEnd = 0
  private rowsCount = 0
  /** Rows parsed, but not yet returned. */
  private ready: unknown[] = []
  /** Number of rows that have ended, and whether the current one is left out. */
  private endedCount = 0
  private isLeftOut = false
  private place: 'before' | 'inside' | 'after' = 'before'
  private isFirstRow = true
  private depth = 0
  private isInText = false
  private isEscaped = false

  constructor(limits: RowLimits) {
    this.limits = limits
  }

  add(piece: Uint8Array): void {
    this.reserve(piece.length)
    this.buffer.set(piece, this.filled)
    this.filled += piece.length
  }

  /** The complete rows, once they make a batch. */
  takeRows(): unknown[] {
    this.scan()
    const { maxRowBytes } = this.limits
    if (!this.isLeftOut && this.filled - Math.max(this.start, this.rowsEnd) > maxRowBytes) {
      if (this.place !== 'inside') throw new SyntaxError(`More than ${maxRowBytes} blanks around the array`)
      this.leaveOut('large')
    }
    if (this.isLeftOut) this.drop()
    else if (this.rowsEnd - this.start >= BATCH_BYTES) this.parseRows()
    return this.taken()
  }

  /** The remaining rows, after the last byte arrived. */
  end(): unknown[] {
    this.scan()
    if (this.place !== 'after') throw new SyntaxError('The array does not end')
    if (this.rowsCount > 0) this.parseRows()
    return this.taken()
  }

  private taken(): unknown[] {
    const rows = this.ready
    this.ready = []
    return rows
  }

  /** Passes over the current row; those before it are parsed now, so that nothing of it needs to be held. */
  private leaveOut(why: OddRow['why']): void {
    if (this.rowsCount > 0) this.parseRows()
    this.isFirstRow = false
    this.isLeftOut = true
    this.limits.leftOut({ number: this.endedCount + 1, why })
  }

  /** Forgets what has arrived of a row that is left out. */
  private drop(): void {
    if (this.buffer.length > FIRST_CAPACITY) this.replaceBuffer(new Uint8Array(FIRST_CAPACITY))
    this.start = 0
    this.rowsEnd = 0
    this.scanned = 0
    this.filled = 0
  }

  private reserve(bytes: number): void {
    if (this.filled + bytes <= this.buffer.length) return
    const kept = this.filled - this.start
    // memory that was never written is not resident, so a long row gets room up to its limit before it is long to copy
    const longest = this.limits.maxRowBytes + 2 * FIRST_CAPACITY
    let size = this.buffer.length
    while (kept + bytes > size) size = size < longest && size > longest / 8 ? longest : 2 * size
    const target = size === this.buffer.length ? this.buffer : new Uint8Array(size)
    target.set(this.buffer.subarray(this.start, this.filled))
    if (target !== this.buffer) this.replaceBuffer(target)
    this.scanned -= this.start
    this.rowsEnd -= this.start
    this.filled = kept
    this.start = 0
  }

  /** Frees the former buffer at once: the collector would let one of 128 MiB wait beside its successor. */
  private replaceBuffer(target: Uint8Array<ArrayBuffer>): void {
    this.buffer.buffer.transfer(0)
    this.buffer = target
  }

  private scan(): void {
    if (this.place === 'before') this.findBegin()
    if (this.place === 'inside') this.findRowEnds()
    if (this.place === 'after') this.expectBlank()
  }

  private findBegin(): void {
    const { buffer, filled } = this
    if (this.scanned === 0 && filled < 3 && (filled === 0 || buffer[0] === 0xef)) return
    if (this.scanned === 0 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) this.scanned = 3
    while (this.scanned < filled && isBlank(buffer[this.scanned]!)) this.scanned += 1
    if (this.scanned === filled) return
    if (buffer[this.scanned] !== OPEN_ARRAY) throw new SyntaxError('Not an array')
    this.scanned += 1
    this.start = this.scanned
    this.rowsEnd = this.scanned
    this.place = 'inside'
  }

  private findRowEnds(): void {
    const { buffer, filled } = this
    let { depth, isInText, isEscaped } = this
    let at = this.scanned
    for (; at < filled; at += 1) {
      const byte = buffer[at]!
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
      } else if (byte === COMMA) {
        this.endRow(at)
      } else if (byte === CLOSE_ARRAY) {
        this.endRows(at)
        at += 1
        break
      }
    }
    this.scanned = at
    this.depth = depth
    this.isInText = isInText
    this.isEscaped = isEscaped
  }

  private endRow(at: number): void {
    this.endedCount += 1
    this.rowsEnd = at
    if (this.isLeftOut) this.start = at + 1
    else this.rowsCount += 1
    this.isLeftOut = false
  }

  private endRows(at: number): void {
    this.place = 'after'
    if (this.isLeftOut) {
      this.isLeftOut = false
      this.start = at
      this.rowsEnd = at
      return
    }
    const lastBegin = this.rowsCount > 0 ? this.rowsEnd + 1 : this.start
    const isEmpty = this.isFirstRow && this.rowsCount === 0 && this.buffer.subarray(lastBegin, at).every(isBlank)
    if (!isEmpty) this.rowsCount += 1
    this.rowsEnd = at
  }

  private expectBlank(): void {
    for (; this.scanned < this.filled; this.scanned += 1) {
      if (!isBlank(this.buffer[this.scanned]!)) throw new SyntaxError('Text after the array')
    }
  }

  private parseRows(): void {
    const text = this.buffer.subarray(this.start, this.rowsEnd)
    const whole = new Uint8Array(text.length + 2)
    whole[0] = OPEN_ARRAY
    whole.set(text, 1)
    whole[text.length + 1] = CLOSE_ARRAY
    const rows = parsedJson(whole)
    // a comma without a row before or after it
    if (!Array.isArray(rows) || rows.length !== this.rowsCount) throw new SyntaxError('A row is missing')
    this.isFirstRow = false
    this.start = this.place === 'after' ? this.rowsEnd : this.rowsEnd + 1
    this.rowsCount = 0
    for (const row of rows) this.ready.push(row)
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
