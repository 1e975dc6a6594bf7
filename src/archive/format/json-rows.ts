import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, MOST_DEPTH, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './fields.ts'

/** Characters of rows that are parsed at once. */
const BATCH = 262_144
const COMMA = 0x2c
const BLANK = /^[ \n\r\t]*$/

export interface OddRow {
  /** Its place among all rows, from 1 on. */
  readonly number: number
  /** Nested deeper than MOST_DEPTH, or larger than the limit. */
  readonly why: 'deep' | 'large'
}

interface RowLimits {
  /** Limit of one element, characters. */
  readonly maxRow: number
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
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const array = new ArrayText(limits)
  for await (const piece of pieces) {
    const rows = array.take(decoded(decoder, piece))
    if (rows.length > 0) yield rows
  }
  decoded(decoder)
  array.end()
}

/** Parses JSON text given as bytes, with or without byte-order mark. @throws SyntaxError */
export function parsedJson(bytes: Uint8Array): unknown {
  return parsed(decoded(new TextDecoder('utf-8', { fatal: true }), bytes, false))
}

function decoded(decoder: TextDecoder, piece?: Uint8Array, stream = piece !== undefined): string {
  try {
    return decoder.decode(piece, { stream })
  } catch (cause) {
    throw new SyntaxError('Not UTF-8', { cause })
  }
}

function parsed(text: string): unknown {
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
  /** Complete rows, and what has arrived of the current one. */
  private rows: string[] = []
  private rowsLength = 0
  private row = ''
  /** Number of all rows that have ended, and whether the current one is left out. */
  private endedCount = 0
  private isLeftOut = false
  private place: 'before' | 'inside' | 'after' = 'before'
  private depth = 0
  private isInText = false
  private isEscaped = false

  constructor(limits: RowLimits) {
    this.limits = limits
  }

  /** @returns the complete rows, once they make a batch or the array has ended */
  take(text: string): readonly unknown[] {
    let { depth, isInText, isEscaped, place } = this
    let begin = 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) isInText = false
      } else if (place !== 'inside') {
        if (BLANK.test(text[at]!)) continue
        if (place === 'after' || code !== OPEN_ARRAY) throw new SyntaxError('Not a single array')
        place = 'inside'
        begin = at + 1
      } else if (code === QUOTE) isInText = true
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        depth += 1
        if (depth > MOST_DEPTH && !this.isLeftOut) this.leaveOut('deep')
      } else if (depth > 0) {
        if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1
      } else if (code === COMMA || code === CLOSE_ARRAY) {
        this.add(text.slice(begin, at))
        begin = at + 1
        const isNone = code === CLOSE_ARRAY && this.endedCount === 0 && !this.isLeftOut && BLANK.test(this.row)
        if (!isNone) this.endRow()
        if (code === CLOSE_ARRAY) place = 'after'
      }
    }
    if (place === 'inside') this.add(text.slice(begin))
    Object.assign(this, { depth, isInText, isEscaped, place })
    return place === 'after' || this.rowsLength > BATCH ? this.taken() : []
  }

  end(): void {
    if (this.place !== 'after') throw new SyntaxError('The array does not end')
  }

  private add(text: string): void {
    if (this.isLeftOut) return
    this.row += text
    if (this.row.length > this.limits.maxRow) this.leaveOut('large')
  }

  private endRow(): void {
    this.endedCount += 1
    if (!this.isLeftOut) this.rows.push(this.row)
    this.rowsLength += this.row.length
    this.row = ''
    this.isLeftOut = false
  }

  /** Passes over the current row, of which nothing is held. */
  private leaveOut(why: OddRow['why']): void {
    this.isLeftOut = true
    this.row = ''
    this.limits.leftOut({ number: this.endedCount + 1, why })
  }

  private taken(): readonly unknown[] {
    const texts = this.rows
    this.rows = []
    this.rowsLength = 0
    // one may be long: within brackets its text would be there twice
    return texts.length === 1 ? [parsed(texts.pop()!)] : (parsed(`[${texts.join(',')}]`) as unknown[])
  }
}
