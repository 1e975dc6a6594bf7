import { describe, expect, test } from 'bun:test'
import { smoothedPaces } from '../../../../src/web/run/charts/series.ts'

const seconds = (count: number) => Float64Array.from({ length: count }, (_, k) => k)

describe('a smoothed pace', () => {
  test('is the mean of the speeds around it, not of the paces', () => {
    // 4 m/s and 2 m/s in turn: 3 m/s, which is 333.3 s, while the mean of the paces were 375 s
    const paces = Float64Array.from({ length: 101 }, (_, k) => (k % 2 === 0 ? 250 : 500))
    expect(smoothedPaces(seconds(101), paces, 30)[50]).toBeCloseTo(1000 / 3, -1)
  })

  test('takes a spike down to its share of the window', () => {
    const paces = new Float64Array(101).fill(300)
    paces[50] = 60
    const smooth = smoothedPaces(seconds(101), paces, 30)
    // one of 31 rows is five times as fast
    expect(smooth[50]).toBeCloseTo((300 * 31) / 35, 6)
    expect(smooth[34]).toBeCloseTo(300, 9)
    expect(smooth[66]).toBeCloseTo(300, 9)
  })

  test('keeps its gaps, which count for nothing', () => {
    const paces = new Float64Array(60).fill(300)
    paces.fill(Number.NaN, 20, 30)
    const smooth = smoothedPaces(seconds(60), paces, 30)
    expect([...smooth.keys()].filter((row) => Number.isNaN(smooth[row]!))).toEqual(
      [...Array(10).keys()].map((k) => k + 20),
    )
    expect(smooth[31]).toBeCloseTo(300, 9)
    expect(smoothedPaces(Float64Array.of(0), Float64Array.of(300), 30)[0]).toBe(300)
  })
})
