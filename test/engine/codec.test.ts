import { describe, expect, test } from 'bun:test'
import { type ColumnSpec, decodeColumns, encodeColumns, quantise } from '../../src/engine/codec.ts'
import { pushVarint, smallestOrder, zigzag } from '../../src/engine/differences.ts'
import { seededRandom } from '../fixtures/knots.ts'

const SEMICIRCLES = 2 ** 31 / 180

describe('numbers', () => {
  test('zigzag', () => {
    expect([0, -1, 1, -2, 2147483647, -2147483648].map(zigzag)).toEqual([0, 1, 2, 3, 4294967294, 4294967295])
  })

  test('LEB128', () => {
    const bytes = (value: number) => {
      const target: number[] = []
      pushVarint(target, value)
      return target
    }
    expect(bytes(300)).toEqual([0xac, 0x02])
    expect(bytes(127)).toEqual([0x7f])
    expect(bytes(4294967295)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f])
  })

  test('a time column of one sample a second has second differences of zero', () => {
    const bytes = encodeColumns(5, [{ id: 1, scale: 1000, values: Float64Array.of(0, 1, 2, 3, 4) }])
    // 'TS', version, flags, n, columns; id, order 2, scale as a double, 6 bytes; 0, +1000, 0, 0, 0
    const scale = [...new Uint8Array(Float64Array.of(1000).buffer)]
    expect([...bytes]).toEqual([0x54, 0x53, 1, 0, 5, 1, 1, 2, ...scale, 6, 0, 0xd0, 0x0f, 0, 0, 0])
  })

  test('the order with the fewest bytes is taken', () => {
    expect(smallestOrder(Int32Array.of(0, 60, -60, 60, -60))).toEqual({ order: 0, bytes: 5 })
    expect(smallestOrder(Int32Array.of(140, 141, 141, 140, 142))).toEqual({ order: 1, bytes: 6 })
    expect(smallestOrder(Int32Array.of(0, 1000, 2000, 3000))).toEqual({ order: 2, bytes: 5 })
  })
})

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
      const values = [full, gaps, smooth, none]
      const { n: count, columns } = decodeColumns(
        encodeColumns(
          n,
          values.map((column, id) => ({ id, scale: 1, values: column })),
        ),
      )
      expect(count).toBe(n)
      expect([...columns.keys()]).toEqual([0, 1, 2, 3])
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

  test('every semicircle of a watch survives', () => {
    const semicircles = Float64Array.of(2147483647, -2147483648, 622_000_001, -1, 0)
    const values = semicircles.map((s) => s / SEMICIRCLES)
    const { columns } = decodeColumns(encodeColumns(5, [{ id: 0, scale: SEMICIRCLES, values }]))
    expect(columns.get(0)!.map((deg) => Math.round(deg * SEMICIRCLES))).toEqual(semicircles)
    expect(columns.get(0)!).toEqual(values)
  })

  test('gaps at either end and a lone value', () => {
    const { NaN: gap } = Number
    for (const values of [[gap, gap, 5], [5, gap, gap], [gap, 5, gap], [gap]]) {
      const column = Float64Array.from(values)
      const { columns } = decodeColumns(encodeColumns(values.length, [{ id: 3, scale: 10, values: column }]))
      expect([...columns.get(3)!]).toEqual(values)
    }
  })
})

describe('quantise', () => {
  test('rounds half up, and what has no 32-bit form is no value', () => {
    expect(quantise(Float64Array.of(2.5, -2.5, 0.04, -0.04), 1)).toEqual(Float64Array.of(3, -2, 0, 0))
    expect(quantise(Float64Array.of(1.24, 1.26), 5)).toEqual(Float64Array.of(1.2, 1.2))
    const { NaN: gap } = Number
    expect([...quantise(Float64Array.of(2 ** 31, -(2 ** 31), Infinity, gap), 1)]).toEqual([gap, -(2 ** 31), gap, gap])
    expect(() => quantise(new Float64Array(1), 0)).toThrow(RangeError)
  })
})

describe('refusals', () => {
  const column = (values: number[], rest: Partial<ColumnSpec> = {}): ColumnSpec => ({
    id: 1,
    scale: 1,
    ...rest,
    values: Float64Array.from(values),
  })

  for (const [name, n, columns] of [
    ['a value of more than 32 bits', 1, [column([2 ** 31])]],
    ['an infinite value', 1, [column([Infinity])]],
    ['a column of another length', 2, [column([1])]],
    ['an id twice', 1, [column([1]), column([2])]],
    ['an id above 255', 1, [column([1], { id: 256 })]],
    ['a scale of 0', 1, [column([1], { scale: 0 })]],
    ['more than a million rows', 1_000_001, []],
    ['half a row', 0.5, []],
    ['256 columns', 0, Array.from({ length: 256 }, (_, id) => column([], { id }))],
  ] as const) {
    test(`${name} is not encoded`, () => {
      expect(() => encodeColumns(n, columns)).toThrow(RangeError)
    })
  }

  const good = encodeColumns(40, [
    column(Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? Number.NaN : i * i * 1000))),
    column(
      Array.from({ length: 40 }, (_, i) => i / 8),
      { id: 2, scale: 8 },
    ),
  ])

  test('a block cut anywhere is refused, and so is one with a byte too many', () => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => decodeColumns(good.subarray(0, length))).toThrow(RangeError)
    }
    expect(() => decodeColumns(Uint8Array.of(...good, 0))).toThrow(RangeError)
    expect(decodeColumns(good).n).toBe(40)
  })

  test('a flipped bit gives other columns or a RangeError, nothing else', () => {
    let refused = 0
    for (let bit = 0; bit < good.length * 8; bit += 1) {
      const damaged = good.slice()
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      refused += isRefused(damaged) ? 1 : 0
    }
    expect(refused).toBeGreaterThan(50)
  })

  test('random bytes behind a good head never hang or crash', () => {
    const random = seededRandom(4)
    for (let round = 0; round < 3000; round += 1) {
      const bytes = Uint8Array.from({ length: 6 + Math.floor(random() * 60) }, () => Math.floor(random() * 256))
      bytes.set([0x54, 0x53, 1, 0])
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
    for (const [at, value] of [
      [0, 0],
      [2, 2],
      [3, 1],
      [7, 3],
      [7, 8],
      [7, 16],
    ] as const) {
      const other = good.slice()
      other[at] = value
      expect(() => decodeColumns(other)).toThrow(RangeError)
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
