import { MAX_ROWS } from '../engine/limits.ts'

/** More than any block has. */
const MAX_COLUMNS = 16
const [MARK, HEAD_BYTES, COLUMN_BYTES, LEVEL] = [0x5453, 7, 18, 3]

export interface ColumnSpec {
  /** 0 to 255, unique within a block. */
  readonly id: number
  /** Stored integer = round(value * scale); the unit is 1 / scale. */
  readonly scale: number
  /** NaN is not a value. */
  readonly values: Float64Array
}

/**
 * Encodes columns of one length (docs/algorithms.md 12): the integers of the rows that have a value, in the largest unit
 * that divides all, as zigzag coded differences of the order that takes the fewest bits, the bytes of equal weight
 * together; zstd finds the rest.
 *
 *     zstd of: u16 'TS'; u32 n; u8 columns
 *     a column: u8 id; u8 order; f64 scale; i32 unit; u32 number of runs of rows; a u32 each, those with a value first;
 *         four planes of bytes
 *
 * @throws RangeError for a column of another length, a repeated or bad id, a bad scale, a value that has no int32
 */
export function encodeColumns(n: number, columns: Iterable<ColumnSpec>): Uint8Array {
  if (!Number.isInteger(n) || n < 0 || n > MAX_ROWS) throw new RangeError(`Cannot encode ${n} rows`)
  const parts: Uint8Array[] = []
  const seen = new Set<number>()
  for (const column of columns) {
    checkColumn(column, n)
    if (seen.has(column.id)) throw new RangeError(`Column ${column.id} comes twice`)
    seen.add(column.id)
    parts.push(...encoded(column))
  }
  if (seen.size > MAX_COLUMNS) throw new RangeError(`Cannot encode more than ${MAX_COLUMNS} columns`)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16LE(MARK, 0)
  head.writeUInt32LE(n, 2)
  head.writeUInt8(seen.size, 6)
  return new Uint8Array(Bun.zstdCompressSync(Buffer.concat([head, ...parts]), { level: LEVEL }))
}

function checkColumn({ id, scale, values }: ColumnSpec, n: number): void {
  if (!Number.isInteger(id) || id < 0 || id > 255) throw new RangeError(`A column cannot have the id ${id}`)
  if (values.length !== n) throw new RangeError(`Column ${id} has ${values.length} rows, not ${n}`)
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) throw new RangeError(`Column ${id} has the scale ${scale}`)
}

function encoded(column: ColumnSpec): readonly [Uint8Array, Uint8Array] {
  const { integers, runs } = presentOf(column)
  const unit = sharedUnit(integers)
  for (let i = 0; unit > 1 && i < integers.length; i += 1) integers[i]! /= unit
  const { order, numbers } = shortest(integers)
  const head = Buffer.alloc(COLUMN_BYTES + 4 * runs.length)
  head.writeUInt8(column.id, 0)
  head.writeUInt8(order, 1)
  head.writeDoubleLE(column.scale, 2)
  head.writeInt32LE(unit, 10)
  head.writeUInt32LE(runs.length, 14)
  for (const [k, length] of runs.entries()) head.writeUInt32LE(length, COLUMN_BYTES + 4 * k)
  const count = numbers.length
  const planes = new Uint8Array(4 * count)
  for (let i = 0; i < count; i += 1) {
    const number = numbers[i]!
    planes[i] = number
    planes[count + i] = number >>> 8
    planes[2 * count + i] = number >>> 16
    planes[3 * count + i] = number >>> 24
  }
  return [head, planes]
}

/** About the bits that a column takes before zstd. @throws as `encodeColumns` */
export function bitsOf(column: ColumnSpec): number {
  return shortest(presentOf(column).integers).bits
}

/** The integers of the rows that have a value, and lengths of runs of rows with and without one in turn. */
function presentOf({ id, scale, values }: ColumnSpec) {
  const integers = new Int32Array(values.length)
  const runs: number[] = []
  let [count, length, isPresent] = [0, 0, true]
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!
    if (Number.isNaN(value) === isPresent) {
      runs.push(length)
      length = 0
      isPresent = !isPresent
    }
    length += 1
    if (!isPresent) continue
    const integer = Math.round(value * scale)
    if ((integer | 0) !== integer) throw new RangeError(`Column ${id} cannot hold ${value}: it has no 32-bit form`)
    integers[count] = integer
    count += 1
  }
  runs.push(length)
  return { integers: integers.subarray(0, count), runs }
}

/** The largest number that divides every integer. */
function sharedUnit(integers: Int32Array): number {
  let unit = 0
  for (let i = 0; i < integers.length && unit !== 1; i += 1) {
    for (let rest = Math.abs(integers[i]!); rest !== 0; ) {
      const left = unit % rest
      unit = rest
      rest = left
    }
  }
  return unit === 0 || unit > 0x7fffffff ? 1 : unit
}

/** Zigzag coded differences of the order with the fewest bits: 1 to the last value, 2 and step, 3 and mean step. */
function shortest(integers: Int32Array) {
  let best = { order: 0, numbers: integers, bits: Number.POSITIVE_INFINITY }
  for (let order = 0; order <= 3; order += 1) {
    const numbers = new Int32Array(integers.length)
    let bits = 0
    let [last, a, b, c, d] = [0, 0, 0, 0, 0]
    for (let i = 0; i < integers.length; i += 1) {
      const value = integers[i]!
      const step = (value - last) | 0
      const beyond = order === 0 ? value : (step - expected(order, a, b, c, d)) | 0
      numbers[i] = (beyond << 1) ^ (beyond >> 31)
      bits += 32 - Math.clz32(numbers[i]!)
      d = c
      c = b
      b = a
      a = step
      last = value
    }
    if (bits < best.bits) best = { order, numbers, bits }
  }
  return best
}

/** The next step after `a`, and before it `b`, `c`, `d`: none, the last one, or a mean, for steady motion with noise. */
function expected(order: number, a: number, b: number, c: number, d: number): number {
  if (order < 2) return 0
  return order === 2 ? a : (Math.imul(a, 13) + Math.imul(b, 9) + Math.imul(c, 6) + Math.imul(d, 4)) >> 5
}

/**
 * Decodes what `encodeColumns` wrote, by id: exactly the quantised values, NaN where a row has none.
 * @param wanted ids of the columns to decode; others are passed over. Absent: all
 * @throws RangeError for anything but a complete, well-formed block
 */
export function decodeColumns(
  block: Uint8Array,
  wanted?: readonly number[],
): { readonly n: number; readonly columns: Map<number, Float64Array> } {
  const bytes = unpacked(block)
  if (bytes.length < HEAD_BYTES || bytes.readUInt16LE(0) !== MARK) throw new RangeError('Not a block of columns')
  const [n, count] = [bytes.readUInt32LE(2), bytes.readUInt8(6)]
  if (n > MAX_ROWS || count > MAX_COLUMNS) throw new RangeError(`A block of ${n} rows is too large`)
  const columns = new Map<number, Float64Array>()
  let at = HEAD_BYTES
  for (let k = 0; k < count; k += 1) {
    const id = bytes.readUInt8(at)
    const runsAt = at + COLUMN_BYTES
    const runs = lengthsOf(bytes.subarray(runsAt, runsAt + 4 * bytes.readUInt32LE(at + 14)))
    let [rows, present] = [0, 0]
    for (let run = 0; run < runs.length; run += 1) {
      rows += runs[run]!
      if (run % 2 === 0) present += runs[run]!
    }
    const start = runsAt + 4 * runs.length
    if (rows !== n || start + 4 * present > bytes.length) throw new RangeError(`Column ${id} is damaged`)
    if (wanted?.includes(id) !== false) {
      const [order, unit, scale] = [bytes.readUInt8(at + 1), bytes.readInt32LE(at + 10), bytes.readDoubleLE(at + 2)]
      columns.set(id, restored(bytes.subarray(start, start + 4 * present), { order, unit, scale, runs, n }))
    }
    at = start + 4 * present
  }
  if (at !== bytes.length) throw new RangeError('A block of columns is damaged')
  return { n, columns }
}

/** @throws RangeError when the bytes are no whole numbers */
function lengthsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer)
}

function unpacked(block: Uint8Array): Buffer {
  try {
    return Bun.zstdDecompressSync(block as Uint8Array<ArrayBuffer>)
  } catch {
    throw new RangeError('Not a block of columns')
  }
}

interface Stored {
  readonly order: number
  readonly unit: number
  readonly scale: number
  readonly runs: Uint32Array
  readonly n: number
}

function restored(planes: Uint8Array, { order, unit, scale, runs, n }: Stored): Float64Array {
  const values = new Float64Array(n)
  const count = planes.length / 4
  let [i, row, value, a, b, c, d] = [0, 0, 0, 0, 0, 0, 0]
  for (let run = 0; run < runs.length; run += 1) {
    const end = row + runs[run]!
    if (run % 2 === 1) values.fill(Number.NaN, row, end)
    else
      for (; row < end; row += 1) {
        const coded =
          planes[i]! | (planes[i + count]! << 8) | (planes[i + 2 * count]! << 16) | (planes[i + 3 * count]! << 24)
        i += 1
        const beyond = (coded >>> 1) ^ -(coded & 1)
        if (order === 0) value = beyond
        else {
          const step = (beyond + expected(order, a, b, c, d)) | 0
          d = c
          c = b
          b = a
          a = step
          value = (value + step) | 0
        }
        values[row] = (value * unit) / scale
      }
    row = end
  }
  return values
}
