import { expect, test } from 'bun:test'
import { decodeColumns, encodeColumns, quantise } from '../../src/engine/codec.ts'
import { seededRandom } from '../fixtures/knots.ts'

test('quantise rounds half up, and what has no 32-bit form is not a value', () => {
  expect(quantise(Float64Array.of(2.5, -2.5, 0.04, -0.04), 1)).toEqual(Float64Array.of(3, -2, 0, 0))
  const { NaN: gap } = Number
  expect([...quantise(Float64Array.of(2 ** 31, -(2 ** 31), Infinity, gap), 1)]).toEqual([gap, -(2 ** 31), gap, gap])
})

test('columns on their grids come back bit for bit, with and without gaps, all of them or those that are wanted', () => {
  for (const n of [0, 1, 127, 128, 129, 5000]) {
    const random = seededRandom(n + 1)
    const full = Float64Array.from({ length: n }, () => Math.floor(random() * 2 ** 32) - 2 ** 31)
    const gaps = full.map((value) => (random() < 0.3 ? Number.NaN : value))
    const motion = full.map((_, i) => i * 300 + Math.round(random() * 40))
    const wild = full.map((_, i) => (i * 1_999_999_999 + Math.round(random() * 40)) | 0)
    const degrees = quantise(
      full.map(() => (random() - 0.5) * 180),
      2 ** 31 / 180,
    )
    const none = new Float64Array(n).fill(Number.NaN)
    const values = [full, gaps, motion, wild, none, degrees]
    const specs = values.map((column, id) => ({ id, scale: id === 5 ? 2 ** 31 / 180 : 1, values: column }))
    const bytes = encodeColumns(n, specs)
    const { n: count, columns } = decodeColumns(bytes)
    expect([count, ...columns.keys()]).toEqual([n, 0, 1, 2, 3, 4, 5])
    for (const [id, column] of values.entries()) expect([...columns.get(id)!]).toEqual([...column])
    const wanted = decodeColumns(bytes, [1, 9]).columns
    expect([[...wanted.keys()], [...wanted.get(1)!]]).toEqual([[1], [...gaps]])
  }
})

test('damaged blocks are refused with a RangeError, or are other columns', () => {
  const values = Float64Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? Number.NaN : (-1) ** i * 2 ** (i % 31)))
  const good = encodeColumns(40, [{ id: 1, scale: 1, values }])
  for (let length = 0; length < good.length; length += 1)
    expect(() => decodeColumns(good.subarray(0, length))).toThrow(RangeError)
  expect(() => decodeColumns(Uint8Array.of(...good, 0))).toThrow(RangeError)
  const random = seededRandom(4)
  for (let round = 0; round < 3000; round += 1) {
    const bytes = Uint8Array.from({ length: 6 + Math.floor(random() * 60) }, () => Math.floor(random() * 256))
    if (round % 2 === 0) bytes.set([0x54, 0x53, 2, 0])
    const flipped = good.with(round % good.length, good[round % good.length]! ^ (1 << (round & 7)))
    for (const damaged of [bytes, flipped]) {
      try {
        decodeColumns(damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
  }
})
