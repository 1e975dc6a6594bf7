import { expect, test } from 'bun:test'
import { chartDrawing, mapDrawing } from '../../../src/features/share/drawings.ts'

const KM = { unitM: 1000, name: 'km' }
/** Metres of a degree of latitude. */
const DEGREE_M = 111_195

const pathOf = (svg: string, of: string) => new RegExp(`class="${of}" d="([^"]+)"`).exec(svg)?.[1] ?? ''
const spotsOf = (path: string) => [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
/** Pixels between the ends of the scale, and what it says. */
function scaleOf(svg: string) {
  const [, from, to] = /class="scale" d="M([\d.]+) [^H]+H([\d.]+)/.exec(svg) ?? []
  return { px: Number(to) - Number(from), says: /text-anchor="end">([^<]+)</.exec(svg)?.[1] ?? null }
}

test('a map is true to scale in both directions, north up, and its scale says so', () => {
  // 400 m to the north, then 800 m to the east, at 60° where a degree of longitude is half as long
  const corner = 60 + 400 / DEGREE_M
  const spots = [
    [10, 60],
    [10, corner],
    [10 + 1600 / DEGREE_M, corner],
  ]
  const svg = mapDrawing(spots, KM).text
  const [start, turn, finish] = spotsOf(pathOf(svg, 'route'))
  const [north, east] = [start![1]! - turn![1]!, finish![0]! - turn![0]!]
  expect(north).toBeGreaterThan(0)
  expect(east / north).toBeCloseTo(2, 1)
  const { px, says } = scaleOf(svg)
  expect(says).toBe('100 m')
  expect(px / north).toBeCloseTo(100 / 400, 1)
  const miles = scaleOf(
    mapDrawing(
      [
        [10, 60],
        [10, 60 + 20_000 / DEGREE_M],
      ],
      { unitM: 1609.344, name: 'mi' },
    ).text,
  )
  expect(miles.says).toBe('5 mi')
  // 348 px are 20 km
  expect(Math.abs(miles.px - (348 * 8046.72) / 20_000)).toBeLessThan(1)
})

test('a runner who stood still has a map without a scale', () => {
  const svg = mapDrawing(
    [
      [10, 60],
      [10, 60],
    ],
    KM,
  ).text
  expect([scaleOf(svg).says, /NaN|Infinity/.test(svg)]).toEqual([null, false])
})

test('a chart has faster paces and greater heights above, and leaves gaps out', () => {
  const distanceM = [0, 1000, 2000, 3000]
  const drawn = (kind: 'pace' | 'elevation', values: (number | null)[]) =>
    chartDrawing({ ...KM, title: 'T', kind, distanceM, values, words: String })?.text ?? null
  const ysOf = (svg: string | null) => spotsOf(pathOf(svg ?? '', 'line')).map(([, y]) => y!)
  const paces = ysOf(drawn('pace', [300, 400, null, 300]))
  expect(paces).toHaveLength(3)
  expect([paces[0]! < paces[1]!, paces[0]]).toEqual([true, paces[2]!])
  const heights = ysOf(drawn('elevation', [500, 600, 550, 500]))
  expect([heights[1]! < heights[2]!, heights[2]! < heights[0]!]).toEqual([true, true])
  const xs = spotsOf(pathOf(drawn('elevation', [500, 600, 550, 500]) ?? '', 'line')).map(([x]) => x!)
  expect(xs[1]! - xs[0]!).toBeCloseTo(xs[3]! - xs[2]!, 0)
  expect(drawn('pace', [null, 300, null, null])).toBeNull()
})
