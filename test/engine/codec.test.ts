import { describe, expect, test } from 'bun:test'
import { decodeColumns, encodeColumns, quantise } from '../../src/engine/codec.ts'
import type { ColumnSpec } from '../../src/engine/column-form.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { encodeOldColumns } from '../fixtures/old-columns.ts'
import { pairs } from '../fixtures/pairs.ts'

const SEMICIRCLES = 2 ** 31 / 180

describe('size', () => {
  test('a time column of one sample a second takes its head and no bit a row', () => {
    const seconds = (n: number) => [{ id: 1, scale: 1000, values: Float64Array.from({ length: n }, (_, t) => t) }]
    // 'TS', version, flags, n, columns; id, order 2 and a whole scale, 1000, 8 bytes; first 0, unit 1000; tokens 0 to 2
    const head = [0x54, 0x53, 2, 0, 5, 1, 1, 10, 0xe8, 0x07, 8, 0, 0xe8, 0x07]
    expect([...encodeColumns(5, seconds(5))].slice(0, head.length + 1)).toEqual([...head, 3])
    const short = encodeColumns(5000, seconds(5000))
    expect(encodeColumns(100_000, seconds(100_000)).length).toBeLessThan(short.length + 110)
    expect(decodeColumns(short).columns.get(1)!).toEqual(seconds(5000)[0]!.values)
  })

  test('bytes are near the entropy of the values', () => {
    const random = seededRandom(3)
    const bytesOf = (n: number, rises: number) => {
      let height = 0
      const values = Float64Array.from({ length: n }, () => (height += random() < rises ? 4 : 0))
      return encodeColumns(n, [{ id: 1, scale: 1, values }]).length
    }
    expect(bytesOf(8000, 0.5)).toBeLessThan(1000 + 40)
    // 0.2864 bits a value
    expect(bytesOf(80_000, 0.05)).toBeLessThan(0.2864 * 10_000 * 1.03)
  })
})

describe('round trip', () => {
  test('random 32-bit integers come back, with and without gaps, also from blocks of version 1', () => {
    for (const n of [0, 1, 127, 128, 129, 5000]) {
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
      for (const order of [0, 1, 2] as const) {
        const old = decodeColumns(
          encodeOldColumns(
            n,
            specs.map((spec) => ({ ...spec, order })),
          ),
        )
        for (const [id, column] of values.entries()) expect([...old.columns.get(id)!]).toEqual([...column])
      }
    }
  })

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

test('quantise rounds half up, and what has no 32-bit form is not a value', () => {
  expect(quantise(Float64Array.of(2.5, -2.5, 0.04, -0.04), 1)).toEqual(Float64Array.of(3, -2, 0, 0))
  expect(quantise(Float64Array.of(1.24, 1.26), 5)).toEqual(Float64Array.of(1.2, 1.2))
  const { NaN: gap } = Number
  expect([...quantise(Float64Array.of(2 ** 31, -(2 ** 31), Infinity, gap), 1)]).toEqual([gap, -(2 ** 31), gap, gap])
  expect(() => quantise(new Float64Array(1), 0)).toThrow(RangeError)
})

describe('refusals', () => {
  const column = (values: number[], rest: Partial<ColumnSpec> = {}): ColumnSpec => {
    return { id: 1, scale: 1, ...rest, values: Float64Array.from(values) }
  }

  test.each<[string, number, ColumnSpec[]]>([
    ['a value of more than 32 bits', 1, [column([2 ** 31])]],
    ['an infinite value', 1, [column([Infinity])]],
    ['a column of another length', 2, [column([1])]],
    ['an id twice', 1, [column([1]), column([2])]],
    ['an id above 255', 1, [column([1], { id: 256 })]],
    ['a scale of 0', 1, [column([1], { scale: 0 })]],
    ['more than a million rows', 1_000_001, []],
    ['half a row', 0.5, []],
    ['17 columns', 0, Array.from({ length: 17 }, (_, id) => column([], { id }))],
  ])('%s is not encoded', (_, n, columns) => {
    expect(() => encodeColumns(n, columns)).toThrow(RangeError)
  })

  const forty = (value: (i: number) => number, rest: Partial<ColumnSpec> = {}) =>
    column([...Array(40).keys()].map(value), rest)
  const goodColumns = [
    forty((i) => (i % 7 === 3 ? Number.NaN : i * i * 1000)),
    forty((i) => i / 8, { id: 2, scale: 8 }),
    // numbers of every length, whose open bits are read in one piece and in two
    forty((i) => (i % 2 === 0 ? -1 : 1) * 2 ** (i % 31), { id: 3, scale: 1 / 3 }),
  ].map((spec) => ({ ...spec, values: quantise(spec.values, spec.scale) }))
  const good = encodeColumns(40, goodColumns)
  const oldColumns = goodColumns.map((spec) => ({ ...spec, order: 1 as const }))
  const goodOld = encodeOldColumns(40, oldColumns)

  test('a block cut anywhere is refused, and so is one with a byte too many', () => {
    for (const block of [good, goodOld]) {
      for (let length = 0; length < block.length; length += 1) {
        expect(() => decodeColumns(block.subarray(0, length))).toThrow(RangeError)
      }
      expect(() => decodeColumns(Uint8Array.of(...block, 0))).toThrow(RangeError)
      expect(decodeColumns(block).n).toBe(40)
    }
  })

  test('a flipped bit gives other columns or a RangeError, nothing else', () => {
    for (const block of [good, goodOld]) {
      let refused = 0
      for (let bit = 0; bit < block.length * 8; bit += 1) {
        const damaged = block.slice()
        damaged[bit >> 3]! ^= 1 << (bit & 7)
        refused += isRefused(damaged) ? 1 : 0
      }
      expect(refused).toBeGreaterThan(50)
    }
  })

  test('random bytes behind a good head never hang or crash', () => {
    const random = seededRandom(4)
    for (let round = 0; round < 3000; round += 1) {
      const bytes = Uint8Array.from({ length: 6 + Math.floor(random() * 60) }, () => Math.floor(random() * 256))
      bytes.set([0x54, 0x53, 1 + (round % 2), 0])
      isRefused(bytes)
    }
  })

  test('a million rows or a large column declared in a few bytes take no memory', () => {
    const scale = [...new Uint8Array(Float64Array.of(1).buffer)]
    const million = [0xc0, 0x84, 0x3d]
    const head = [0x54, 0x53, 1, 0]
    const refuses = (rest: number[]) => expect(() => decodeColumns(Uint8Array.of(...head, ...rest))).toThrow(RangeError)
    refuses([...million, 1, 1, 0, ...scale, 1, 0])
    refuses([...million, 1, 1, 0, ...scale, ...million, 0])
    const short = Uint8Array.of(...head, ...million, 1, 1, 0, ...scale, 1, 0)
    expect(() => decodeColumns(short)).toThrow('Column 1 has 1 bytes for 1000000 rows')
    refuses([0xc1, 0x84, 0x3d, 0])
    refuses([0xff, 0xff, 0xff, 0xff, 0xff, 0])
    expect(decodeColumns(Uint8Array.of(...head, ...million, 0))).toEqual({ n: 1_000_000, columns: new Map() })
    // a column of version 2 may have no bit a row, so that they are few
    const sixteen = Array.from({ length: 16 }, (_, id) => column([], { id }))
    const many = encodeColumns(0, sixteen)
    many[5] = 17
    expect(() => decodeColumns(many)).toThrow('17 columns')
  })

  test('a value of more than 32 bits in the bytes is refused', () => {
    const block = (last: number) =>
      Uint8Array.of(
        ...[0x54, 0x53, 1, 0, 1, 1, 1, 0, ...new Uint8Array(Float64Array.of(1).buffer), 5],
        ...[0xff, 0xff, 0xff, 0xff, last],
      )
    expect([...decodeColumns(block(0x0f)).columns.get(1)!]).toEqual([-2147483648])
    expect(() => decodeColumns(block(0x1f))).toThrow(RangeError)
    expect(() => decodeColumns(block(0xff))).toThrow(RangeError)
  })

  test('an unknown version or form is refused', () => {
    const changed = (block: Uint8Array, bytes: string) => pairs(bytes).map(([at, value]) => block.with(at, value))
    for (const other of [...changed(good, '0,0 2,3 3,1 7,16'), ...changed(goodOld, '7,3 7,8 7,16')])
      expect(() => decodeColumns(other)).toThrow(RangeError)
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
