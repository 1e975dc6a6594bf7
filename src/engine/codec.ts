import { MAX_VARINT_BYTES, pushVarint, readDifferences, smallestOrder, writeDifferences } from './differences.ts'

/** Rows that a track may have, 11 days at one a second; a larger count is a damaged or hostile blob. */
export const MAX_ROWS = 1_000_000
const VERSION = 1
/** Bit of a column's second byte, of which the lowest two are the order of differences. */
const HAS_NULLS = 4

export interface ColumnSpec {
  /** 0 to 255, unique within a blob. */
  readonly id: number
  /** Stored integer = round(value * scale); the unit is 1 / scale. */
  readonly scale: number
  /** NaN is no value. */
  readonly values: Float64Array
}

/**
 * The values as the codec gives them back: multiples of 1 / scale, half up. Encoding what this returns loses nothing.
 * @param scale above 0, finite
 * @returns a new column; NaN where the value is not finite or its integer has more than 32 bits
 * @throws RangeError for a bad scale
 */
export function quantise(values: Float64Array, scale: number): Float64Array {
  if (!isScale(scale)) throw new RangeError(`A column's scale must be positive and finite, not ${scale}`)
  const result = new Float64Array(values.length)
  for (let i = 0; i < values.length; i += 1) {
    const integer = Math.round(values[i]! * scale)
    // The comparison with | 0 fails for NaN, infinities and more than 32 bits; it also turns -0 into 0.
    result[i] = (integer | 0) === integer ? (integer | 0) / scale : Number.NaN
  }
  return result
}

/**
 * Columns of one length as bytes: differences of order 0, 1 or 2 (whichever is smallest), zigzag, LEB128 (ALGORITHMS 12).
 *
 *     'TS' u8 version; u8 0; varint n; u8 columns
 *     a column: u8 id; u8 order | nulls << 2; f64 scale; varint bytes of its payload
 *     the payloads: presence as alternating run lengths (present first) if it has nulls, then n differences
 *
 * A row without a value repeats the value before it. Differences wrap at 32 bits, so every int32 survives.
 * @throws RangeError for a column of another length, a repeated or bad id, a bad scale, a value that has no int32
 */
export function encodeColumns(n: number, columns: readonly ColumnSpec[]): Uint8Array {
  if (!Number.isInteger(n) || n < 0 || n > MAX_ROWS) throw new RangeError(`Cannot encode ${n} rows`)
  if (columns.length > 255) throw new RangeError(`Cannot encode ${columns.length} columns`)
  const header: number[] = [0x54, 0x53, VERSION, 0]
  pushVarint(header, n)
  header.push(columns.length)
  const payloads: Uint8Array[] = []
  const seen = new Set<number>()
  const scratch = new Int32Array(n)
  for (const column of columns) {
    checkColumn(column, n)
    if (seen.has(column.id)) throw new RangeError(`Column ${column.id} comes twice`)
    seen.add(column.id)
    const hasNulls = toIntegers(column, scratch)
    const { order, bytes } = smallestOrder(scratch)
    const presence = hasNulls ? presenceRuns(column.values) : []
    const payload = new Uint8Array(presence.length + bytes)
    payload.set(presence)
    writeDifferences(scratch, order, payload.subarray(presence.length))
    payloads.push(payload)

    header.push(column.id, order | (hasNulls ? HAS_NULLS : 0))
    pushFloat64(header, column.scale)
    pushVarint(header, payload.length)
  }
  return concatenated([Uint8Array.from(header), ...payloads])
}

/**
 * The columns of `encodeColumns`, by id: exactly the quantised values that went in, NaN where there was none.
 * @param wanted ids; others are passed over unread. Absent: all
 * @throws RangeError for anything that is no whole, well-formed blob; sizes are checked before memory is taken
 */
export function decodeColumns(
  bytes: Uint8Array,
  wanted?: readonly number[],
): { n: number; columns: Map<number, Float64Array> } {
  const reader = new Reader(bytes)
  if (reader.byte() !== 0x54 || reader.byte() !== 0x53) throw new RangeError('Not a block of columns')
  const version = reader.byte()
  if (version !== VERSION || reader.byte() !== 0)
    throw new RangeError(`Unknown version ${version} of a block of columns`)
  const n = reader.varint()
  if (n > MAX_ROWS) throw new RangeError(`A block of ${n} rows is too large`)
  const heads = Array.from({ length: reader.byte() }, () => columnHead(reader))
  const declared = heads.reduce((sum, head) => sum + head.size, 0)
  if (declared !== reader.left) throw new RangeError(`Columns of ${declared} bytes in ${reader.left}`)

  const columns = new Map<number, Float64Array>()
  for (const head of heads) {
    if (wanted?.includes(head.id) === false) {
      reader.at += head.size
      continue
    }
    if (columns.has(head.id)) throw new RangeError(`Column ${head.id} comes twice`)
    // Every value takes a byte at least, so no blob makes us take more than eight times its own size.
    if (head.size < n) throw new RangeError(`Column ${head.id} has ${head.size} bytes for ${n} rows`)
    columns.set(head.id, readColumn(reader, head, n))
  }
  return { n, columns }
}

type ColumnHead = ReturnType<typeof columnHead>

function columnHead(reader: Reader) {
  const id = reader.byte()
  const bits = reader.byte()
  const order = bits & 3
  if (order === 3 || bits > 7) throw new RangeError(`Column ${id} has an unknown form ${bits}`)
  const scale = reader.float64()
  if (!isScale(scale)) throw new RangeError(`Column ${id} has no usable unit`)
  return { id, order, hasNulls: (bits & HAS_NULLS) !== 0, scale, size: reader.varint() }
}

function readColumn(reader: Reader, head: ColumnHead, n: number): Float64Array {
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
    // Only the first run may be empty: otherwise zeros could fill the block with nothing.
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

/** Fills `integers`; returns whether some row has no value. */
function toIntegers({ id, scale, values }: ColumnSpec, integers: Int32Array): boolean {
  let hasNulls = false
  let last = 0
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!
    if (Number.isNaN(value)) {
      hasNulls = true
    } else {
      const integer = Math.round(value * scale)
      last = integer | 0
      if (last !== integer) throw new RangeError(`Column ${id} cannot hold ${value}: it has no 32-bit form`)
    }
    integers[i] = last
  }
  return hasNulls
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

/** A position in the bytes that never leaves them. */
class Reader {
  at = 0
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new RangeError('A block of columns ends early')
    this.at += 1
    return byte
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      const byte = this.byte()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw new RangeError('A number in a block of columns has no end')
  }

  float64(): number {
    if (this.left < 8) throw new RangeError('A block of columns ends early')
    const value = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8).getFloat64(0, true)
    this.at += 8
    return value
  }
}
