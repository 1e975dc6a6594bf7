import { describe, expect, test } from 'bun:test'
import { sumAt } from '../../../src/web/charts/year-place.ts'
import { pairs } from '../../fixtures/pairs.ts'

/** 52 parts of 10 km each. */
const EVEN = Array.from({ length: 52 }, () => 10_000)

describe('the sum of a year on one of its days', () => {
  test.each(pairs('0,0 0.25,130000 0.5,260000 1,520000'))('of an even year is its share: %p', (share, metres) => {
    expect(sumAt(EVEN, share)).toBeCloseTo(metres, 6)
  })

  test('goes evenly through a part', () => {
    expect(sumAt([10_000, 30_000], 0.75)).toBeCloseTo(25_000, 6)
  })

  test('holds today all that was run, although the part of today is not over', () => {
    // the run of this morning, in a part of which a tenth is over
    const parts = [10_000, 8_000, 0, 0]
    expect(sumAt(parts, 1.1 / 4, 1.1 / 4)).toBeCloseTo(18_000, 6)
    expect(sumAt(parts, 1.05 / 4, 1.1 / 4)).toBeCloseTo(14_000, 6)
    expect(sumAt(parts, 0.5 / 4, 1.1 / 4)).toBeCloseTo(5_000, 6)
  })

  test('holds the whole sum when a part ends today', () => {
    expect(sumAt([10_000, 8_000, 0, 0], 0.5, 0.5)).toBeCloseTo(18_000, 6)
  })
})
