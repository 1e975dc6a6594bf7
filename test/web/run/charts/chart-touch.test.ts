import { expect, test } from 'bun:test'
import { pinchedRange, withOther } from '../../../../src/web/run/charts/chart-options.ts'

const chart = { widthPx: 300, whole: [0, 3000] } as const

test.each([
  // twice as far apart is half of the run
  [
    [1000, 2000],
    [50, 250],
    [750, 2250],
  ],
  // 100 px for what was 100 px, further right
  [
    [1000, 2000],
    [125, 225],
    [0, 3000],
  ],
  // never out of the run
  [
    [100, 200],
    [200, 240],
    [0, 750],
  ],
  [
    [1000, 2000],
    [140, 160],
    [0, 3000],
  ],
  // nothing while they are on one another
  [[1000, 2000], [150, 155], null],
  [[1000, 2000], [200, 100], null],
] as const)('two fingers on %j keep what is under them at %j px: %j', (under, pixels, range) => {
  expect(pinchedRange(under, pixels, chart)).toEqual(range === null ? null : [...range])
})

test('a second line widens the scale of the first by a quarter at most, and makes one where it is alone', () => {
  const ranges = (
    [
      [310, 390],
      [290, 410],
      [100, 900],
    ] as const
  ).map((other) => withOther([300, 400], other)?.join())
  expect(ranges).toEqual(['300,400', '290,410', '275,425'])
  expect(withOther([300, 400], null)).toEqual([300, 400])
  expect([withOther(null, [1, 2]), withOther(null, null)]).toEqual([[1, 2], null])
})
