import { describe, expect, test } from 'bun:test'
import { withOther } from '../../../../src/web/run/charts/chart-scale.ts'
import { around, pinchedRange } from '../../../../src/web/run/charts/chart-touch.ts'

const chart = { widthPx: 300, whole: [0, 3000] } as const

describe('two fingers on a chart', () => {
  test('keep what is under them: twice as far apart is half of the run', () => {
    expect(pinchedRange([1000, 2000], [50, 250], chart)).toEqual([750, 2250])
    // 100 px for what was 100 px, further right
    expect(pinchedRange([1000, 2000], [125, 225], chart)).toEqual([0, 3000])
    expect(pinchedRange([1000, 1500], [150, 250], chart)).toEqual([250, 1750])
  })

  test('never leave the run', () => {
    expect(pinchedRange([100, 200], [200, 240], chart)).toEqual([0, 750])
    expect(pinchedRange([2800, 2900], [10, 50], chart)).toEqual([2250, 3000])
    expect(pinchedRange([1000, 2000], [140, 160], chart)).toEqual([0, 3000])
  })

  test('do nothing while they are on one another', () => {
    expect(pinchedRange([1000, 2000], [150, 155], chart)).toBeNull()
    expect(pinchedRange([1000, 2000], [200, 100], chart)).toBeNull()
  })
})

test('a double tap shows a part around its place, moved inwards at the ends', () => {
  expect(around(1500, [0, 3000], 0.3)).toEqual([1050, 1950])
  expect(around(10, [0, 3000], 0.3)).toEqual([0, 900])
  expect(around(2990, [0, 3000], 0.3)).toEqual([2100, 3000])
})

test('a second line widens the scale of the first by a quarter at most, and makes one where it is alone', () => {
  expect(withOther([300, 400], [310, 390])).toEqual([300, 400])
  expect(withOther([300, 400], [290, 410])).toEqual([290, 410])
  expect(withOther([300, 400], [100, 900])).toEqual([275, 425])
  expect([withOther([300, 400], null), withOther(null, [1, 2]), withOther(null, null)]).toEqual([
    [300, 400],
    [1, 2],
    null,
  ])
})
