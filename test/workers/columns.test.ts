import { describe, expect, test } from 'bun:test'
import { quantise } from '../../src/engine/quantise.ts'
import { type ColumnSpec, decodeColumns, encodeColumns } from '../../src/workers/columns.ts'
import { seededRandom } from '../fixtures/knots.ts'

const SEMICIRCLES = 2 ** 31 / 180

describe('round trip', () => {
  for (const n of [0, 1, 127, 128, 129, 5000]) {
    test(`${n} random 32-bit integers, with and without gaps`, () => {
      const random = seededRandom(n + 1)
      const extremes = [2147483647, -2147483648, 0, -1, 1]
      const integer = () =>
        random() < 0.2 ? extremes[Math.floor(random() * 5)]! : Math.floor(random() * 2 ** 32) - 2 ** 31
      const full = Float64Array.from({ length: n }, integer)
      const gaps = full.map((value) => (random() < 0.3 ? Number.NaN : value))
      const smooth = Float64Array.from({ length: n }, (_, i) => i * 3 - 7)
      const none = new Float64Array(n).fill(Number.NaN)
      // steady motion seen through noise, and one whose steps wrap
      const motion = full.map((_, i) => i * 300 + Math.round(random() * 40))
      const wild = full.map((_, i) => (i * 1_999_999_999 + Math.round(random() * 40)) | 0)
      const values = [full, gaps, smooth, none, motion, wild]
      const specs = values.map((column, id) => ({ id, scale: 1, values: column }))
      const { n: count, columns } = decodeColumns(encodeColumns(n, specs))
      expect(count).toBe(n)
      expect([...columns.keys()]).toEqual([0, 1, 2, 3, 4, 5])
      for (const [id, column] of values.entries()) expect([...columns.get(id)!]).toEqual([...column])
    })
  }

  test('quantised values come back bit for bit, whatever the unit', () => {
    const random = seededRandom(99)
    for (const scale of [1, 5, 10, 100, 1000, 128, 1e7, SEMICIRCLES, 1 / 3]) {
      const reach = Math.min(2 ** 31 / scale, 180)
      const raw = Float64Array.from({ length: 2000 }, () => (random() - 0.5) * 1.99 * reach)
      const values = quantise(raw, scale)
      expect(quantise(values, scale)).toEqual(values)
      const { columns } = decodeColumns(encodeColumns(2000, [{ id: 7, scale, values }]))
      expect(columns.get(7)!).toEqual(values)
      for (const [i, value] of values.entries()) expect(Math.abs(value - raw[i]!)).toBeLessThan(0.5001 / scale)
    }
  })
})

describe('quantise', () => {
  test('rounds half up, and what has no 32-bit form is not a value', () => {
    expect(quantise(Float64Array.of(2.5, -2.5, 0.04, -0.04), 1)).toEqual(Float64Array.of(3, -2, 0, 0))
    expect(quantise(Float64Array.of(1.24, 1.26), 5)).toEqual(Float64Array.of(1.2, 1.2))
    const { NaN: gap } = Number
    expect([...quantise(Float64Array.of(2 ** 31, -(2 ** 31), Infinity, gap), 1)]).toEqual([gap, -(2 ** 31), gap, gap])
    expect(() => quantise(new Float64Array(1), 0)).toThrow(RangeError)
  })
})

describe('refusals', () => {
  const column = (values: number[], rest: Partial<ColumnSpec> = {}): ColumnSpec => {
    return { id: 1, scale: 1, ...rest, values: Float64Array.from(values) }
  }

  for (const [name, n, columns] of [
    ['a value of more than 32 bits', 1, [column([2 ** 31])]],
    ['an infinite value', 1, [column([Infinity])]],
    ['a column of another length', 2, [column([1])]],
    ['an id twice', 1, [column([1]), column([2])]],
    ['an id above 255', 1, [column([1], { id: 256 })]],
    ['a scale of 0', 1, [column([1], { scale: 0 })]],
    ['more rows than a track may have', 400_001, []],
    ['half a row', 0.5, []],
    ['17 columns', 0, Array.from({ length: 17 }, (_, id) => column([], { id }))],
  ] as const) {
    test(`${name} is not encoded`, () => {
      expect(() => encodeColumns(n, columns)).toThrow(RangeError)
    })
  }

  const forty = (value: (i: number) => number, rest: Partial<ColumnSpec> = {}) =>
    column(
      Array.from({ length: 40 }, (_, i) => value(i)),
      rest,
    )
  const goodColumns = [
    forty((i) => (i % 7 === 3 ? Number.NaN : i * i * 1000)),
    forty((i) => i / 8, { id: 2, scale: 8 }),
    // numbers of every length, whose open bits are read in one piece and in two
    forty((i) => (i % 2 === 0 ? -1 : 1) * 2 ** (i % 31), { id: 3, scale: 1 / 3 }),
  ].map((spec) => ({ ...spec, values: quantise(spec.values, spec.scale) }))
  const good = encodeColumns(40, goodColumns)
  test('a block cut anywhere is refused, and so are other bytes', () => {
    for (let length = 0; length < good.length; length += 1) expect(isRefused(good.subarray(0, length))).toBe(true)
    expect(decodeColumns(good).n).toBe(40)
    const plain = Buffer.from(Bun.zstdDecompressSync(good))
    for (let length = 0; length < plain.length; length += 1) {
      expect(isRefused(Bun.zstdCompressSync(plain.subarray(0, length)))).toBe(true)
    }
    expect(isRefused(Bun.zstdCompressSync(Buffer.concat([plain, Buffer.of(0)])))).toBe(true)
  })

  test('flipped bits, also below the compression, give other columns or a RangeError, nothing else', () => {
    const plain = Bun.zstdDecompressSync(good)
    let refused = 0
    for (let bit = 0; bit < plain.length * 8; bit += 1) {
      const damaged = plain.slice()
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      refused += isRefused(Bun.zstdCompressSync(damaged)) ? 1 : 0
      if (bit < good.length * 8) isRefused(good.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)))
    }
    expect(refused).toBeGreaterThan(50)
  })

  test('more rows or columns than any track has are refused before anything is allocated', () => {
    const claimed = (rows: number, columns: number) => {
      const plain = Buffer.alloc(7)
      plain.writeUInt16LE(0x5453, 0)
      plain.writeUInt32LE(rows, 2)
      plain.writeUInt8(columns, 6)
      return Bun.zstdCompressSync(plain)
    }
    expect(decodeColumns(claimed(400_000, 0))).toEqual({ n: 400_000, columns: new Map() })
    for (const block of [claimed(400_001, 0), claimed(0, 17), claimed(400_000, 1)]) {
      expect(isRefused(block)).toBe(true)
    }
  })
})

/** Whether decoding throws; anything but a RangeError is passed on and fails the test. */
function isRefused(bytes: Uint8Array): boolean {
  try {
    decodeColumns(bytes)
    return false
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}

test('columns that are not wanted are passed over', () => {
  const columns = [1, 2, 3].map((id) => ({ id, scale: 10, values: Float64Array.of(id, Number.NaN, id / 10) }))
  const bytes = encodeColumns(3, columns)
  const { n, columns: read } = decodeColumns(bytes, [3, 9])
  expect([n, [...read.keys()]]).toEqual([3, [3]])
  expect([...read.get(3)!]).toEqual([3, Number.NaN, 0.3])
  expect([...decodeColumns(bytes).columns.keys()]).toEqual([1, 2, 3])
})
