import { type ColumnForm, type ColumnSpec, formOf } from './column-form.ts'
import { differences, pushVarint, readDifferences, restore, unzigzag, zigzag } from './differences.ts'
import { decodeNumbers, encodeNumbers } from './entropy.ts'
import { Reader } from './reader.ts'

/** 11 days at one a second. A blob that claims more rows is damaged or hostile and is refused. */
export const MAX_ROWS = 1_000_000
/** Versions of the format: blobs of version 1 stay readable for ever; version 2 is written. */
const [LEB128, COUNTED] = [1, 2]
/** Version 1 allowed more, but in version 2 a few bytes can claim a column of a million rows. */
const MAX_COLUMNS = 16
/** Flags in the second byte of a column; its lowest two bits are the order of the differences. */
const [HAS_NULLS, WHOLE_SCALE] = [4, 8]

/**
 * Values rounded to multiples of 1 / scale, half up, as the codec returns them: encoding these loses nothing.
 * @param result where they are written, of the same length; may be `values` itself
 * @returns `result`; NaN where a value is not finite or its integer needs more than 32 bits
 * @throws RangeError for a scale that is not positive and finite
 */
export function quantise(
  values: Float64Array,
  scale: number,
  result: Float64Array = new Float64Array(values.length),
): Float64Array {
  if (!isScale(scale)) throw new RangeError(`A column's scale must be positive and finite, not ${scale}`)
  for (let i = 0; i < values.length; i += 1) {
    const integer = Math.round(values[i]! * scale)
    // integer | 0 differs from integer for NaN, infinities and more than 32 bits; it also turns -0 into 0.
    result[i] = (integer | 0) === integer ? (integer | 0) / scale : Number.NaN
  }
  return result
}

/**
 * Encodes columns of one length (docs/algorithms.md 12). The integers of a column, without rows that have no value, are
 * taken relative to the first one, in units of the largest number that divides all of them, then as differences of
 * order 0 to 3 (whichever is smallest), and are written with engine/entropy.ts.
 *
 *     'TS' u8 version; u8 0; varint n; u8 columns
 *     a column: u8 id; u8 order | nulls << 2 | whole << 3; varint scale if it is whole, else f64; varint bytes of its
 *         payload
 *     the payloads: presence as alternating run lengths (present first) if it has nulls; and if a row has a value:
 *         varint zigzag of the first; varint unit; the numbers: zigzag of the differences
 *
 * Differences wrap at 32 bits, so every int32 survives.
 * @throws RangeError for a column of another length, a repeated or bad id, a bad scale, a value that has no int32
 */
export function encodeColumns(n: number, columns: Iterable<ColumnSpec>): Uint8Array {
  if (!Number.isInteger(n) || n < 0 || n > MAX_ROWS) throw new RangeError(`Cannot encode ${n} rows`)
  const header: number[] = [0x54, 0x53, COUNTED, 0]
  pushVarint(header, n)
  const countAt = header.push(0) - 1
  const payloads: Uint8Array[] = []
  const seen = new Set<number>()
  for (const column of columns) {
    checkColumn(column, n)
    if (seen.has(column.id)) throw new RangeError(`Column ${column.id} comes twice`)
    seen.add(column.id)
    if (seen.size > MAX_COLUMNS) throw new RangeError(`Cannot encode more than ${MAX_COLUMNS} columns`)
    const { scale } = column
    const form = column.form ?? formOf(column)
    const { order } = form
    const hasNulls = form.integers.length < n
    const payload = encoded(form, hasNulls ? presenceRuns(column.values) : [])
    payloads.push(payload)

    const isWhole = Number.isInteger(scale) && scale < 2 ** 32
    header.push(column.id, order | (hasNulls ? HAS_NULLS : 0) | (isWhole ? WHOLE_SCALE : 0))
    if (isWhole) pushVarint(header, scale)
    else pushFloat64(header, scale)
    pushVarint(header, payload.length)
  }
  header[countAt] = payloads.length
  return concatenated([Uint8Array.from(header), ...payloads])
}

function encoded({ integers, unit, steps, order, numbers }: ColumnForm, presence: readonly number[]): Uint8Array {
  const [first] = integers
  if (first === undefined) return Uint8Array.from(presence)
  const head = [...presence]
  pushVarint(head, zigzag(first))
  pushVarint(head, unit)
  return concatenated([Uint8Array.from(head), encodeNumbers(numbers ?? differences(steps, order))])
}

/**
 * Decodes what `encodeColumns` wrote, by id: exactly the quantised values, NaN where a row has none.
 * @param wanted ids of the columns to decode; others are skipped unread. Absent: all
 * @throws RangeError for anything but a complete, well-formed blob; claimed sizes are checked before memory is
 * allocated
 */
export function decodeColumns(
  bytes: Uint8Array,
  wanted?: readonly number[],
): { n: number; columns: Map<number, Float64Array> } {
  const reader = new Reader(bytes)
  if (!isBlock(bytes)) throw new RangeError('Not a block of columns')
  reader.at = 2
  const version = reader.byte()
  if ((version !== LEB128 && version !== COUNTED) || reader.byte() !== 0) {
    throw new RangeError(`Unknown version ${version} of a block of columns`)
  }
  const n = reader.varint()
  if (n > MAX_ROWS) throw new RangeError(`A block of ${n} rows is too large`)
  const count = reader.byte()
  if (version === COUNTED && count > MAX_COLUMNS) throw new RangeError(`A block of ${count} columns is too large`)
  const heads = Array.from({ length: count }, () => columnHead(reader, version))
  const declared = heads.reduce((sum, head) => sum + head.size, 0)
  if (declared !== reader.left) throw new RangeError(`Columns of ${declared} bytes in ${reader.left}`)

  const columns = new Map<number, Float64Array>()
  for (const head of heads) {
    if (wanted?.includes(head.id) === false) {
      reader.at += head.size
      continue
    }
    if (columns.has(head.id)) throw new RangeError(`Column ${head.id} comes twice`)
    columns.set(head.id, version === LEB128 ? readColumn(reader, head, n) : readCounted(reader, head, n))
  }
  return { n, columns }
}

/** Whether bytes begin with the mark of an encoded block of columns. */
export function isBlock(bytes: Uint8Array): boolean {
  return bytes[0] === 0x54 && bytes[1] === 0x53
}

type ColumnHead = ReturnType<typeof columnHead>

function columnHead(reader: Reader, version: number) {
  const id = reader.byte()
  const bits = reader.byte()
  const order = bits & 3
  if (bits > (version === LEB128 ? 7 : 15) || (version === LEB128 && order === 3))
    throw new RangeError(`Column ${id} has an unknown form ${bits}`)
  const scale = (bits & WHOLE_SCALE) === 0 ? reader.float64() : reader.varint()
  if (!isScale(scale)) throw new RangeError(`Column ${id} has no usable unit`)
  return { id, order, hasNulls: (bits & HAS_NULLS) !== 0, scale, size: reader.varint() }
}

/** Rows of which a run of four hours has fewer. */
const USUAL_ROWS = 16_384
const usualNumbers = new Int32Array(USUAL_ROWS)

/** Room for the numbers of a column, until the next column is read; reused, since most runs are short. */
function numbersFor(count: number): Int32Array {
  return count <= USUAL_ROWS ? usualNumbers.subarray(0, count) : new Int32Array(count)
}

/** Reads a column of version 2. */
function readCounted(reader: Reader, head: ColumnHead, n: number): Float64Array {
  const end = reader.at + head.size
  const runs = head.hasNulls ? readRuns(reader, n) : [n]
  const present = runs.reduce((sum, length, k) => (k % 2 === 0 ? sum + length : sum), 0)
  const values = new Float64Array(n)
  if (present === 0) values.fill(Number.NaN)
  else {
    const first = unzigzag(reader.varint())
    const unit = reader.varint()
    const numbers = numbersFor(present)
    decodeNumbers(reader, end, numbers)
    restore(numbers, { order: head.order, first, unit, scale: head.scale, runs, values })
  }
  if (reader.at !== end) throw new RangeError(`Column ${head.id} does not fill its bytes`)
  return values
}

/** Reads a column of version 1. */
function readColumn(reader: Reader, head: ColumnHead, n: number): Float64Array {
  // Every value takes at least one byte, so no blob makes us allocate more than eight times its own size.
  if (head.size < n) throw new RangeError(`Column ${head.id} has ${head.size} bytes for ${n} rows`)
  const end = reader.at + head.size
  const runs = head.hasNulls ? readRuns(reader, n) : null
  const values = new Float64Array(n)
  reader.at = readDifferences(reader.bytes.subarray(0, end), reader.at, { order: head.order, values })
  if (reader.at !== end) throw new RangeError(`Column ${head.id} does not fill its bytes`)
  if (head.scale !== 1) for (let i = 0; i < n; i += 1) values[i]! /= head.scale
  if (runs === null) return values
  let row = 0
  for (const [k, length] of runs.entries()) {
    if (k % 2 === 1) values.fill(Number.NaN, row, row + length)
    row += length
  }
  return values
}

function readRuns(reader: Reader, n: number): number[] {
  const runs: number[] = []
  let rows = 0
  while (rows < n) {
    const length = reader.varint()
    // Only the first run may be empty: otherwise a block full of zeros could claim endless empty runs.
    if (length === 0 && runs.length > 0) throw new RangeError('An empty run of rows')
    runs.push(length)
    rows += length
  }
  if (rows !== n) throw new RangeError(`Runs of ${rows} rows in a block of ${n}`)
  return runs
}

function checkColumn({ id, scale, values }: ColumnSpec, n: number): void {
  if (!Number.isInteger(id) || id < 0 || id > 255) throw new RangeError(`A column cannot have the id ${id}`)
  if (values.length !== n) throw new RangeError(`Column ${id} has ${values.length} rows, not ${n}`)
  if (!isScale(scale)) throw new RangeError(`Column ${id} has the scale ${scale}`)
}

function presenceRuns(values: Float64Array): number[] {
  const runs: number[] = []
  let length = 0
  let isPresent = true
  for (let i = 0; i < values.length; i += 1) {
    if (Number.isNaN(values[i]!) === isPresent) {
      pushVarint(runs, length)
      length = 0
      isPresent = !isPresent
    }
    length += 1
  }
  pushVarint(runs, length)
  return runs
}

function pushFloat64(target: number[], value: number): void {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  target.push(...bytes)
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}

function isScale(scale: number): boolean {
  return Number.isFinite(scale) && scale > 0
}
