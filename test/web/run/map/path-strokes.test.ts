import { describe, expect, test } from 'bun:test'
import { distanceMarks, pathStrokes, rowNear } from '../../../../src/web/run/map/path-strokes.ts'
import { pairs } from '../../../fixtures/pairs.ts'

const SIZE = { width: 200, height: 100 }
/** One unit of the world is one pixel, its zero in the middle of the frame. */
const VIEW = { x: 0, y: 0, scale: 1 }

function pointsOf(places: readonly (readonly [number, number])[]) {
  return { x: Float64Array.from(places, ([x]) => x), y: Float64Array.from(places, ([, y]) => y) }
}

function strokesOf(places: readonly (readonly [number, number])[], steps: number[] = [], breaks: number[] = []) {
  const n = places.length
  return pathStrokes(pointsOf(places), {
    view: VIEW,
    size: SIZE,
    steps: Int8Array.from({ length: n }, (_, i) => steps[i] ?? 0),
    isBreak: Uint8Array.from({ length: n }, (_, i) => (breaks.includes(i) ? 1 : 0)),
  })
}

describe('drawing a route', () => {
  test('one colour is one line, in pixels from the top left', () => {
    expect(strokesOf(pairs('-50,0 0,10 50,0'))).toEqual([{ step: 0, xy: [50, 50, 100, 60, 150, 50] }])
  })

  test('a new colour begins where the old one ends', () => {
    expect(strokesOf(pairs('-50,0 0,0 50,0'), [0, 0, 3])).toEqual([
      { step: 0, xy: [50, 50, 100, 50] },
      { step: 3, xy: [100, 50, 150, 50] },
    ])
  })

  test('nothing is drawn over a break, and a gap is bridged', () => {
    expect(strokesOf(pairs('-50,0 -20,0 20,0 50,0'), [], [2])).toHaveLength(2)
    expect(strokesOf(pairs('-50,0 NaN,NaN 50,0'))).toEqual([{ step: 0, xy: [50, 50, 150, 50] }])
  })

  test('points without a pixel of their own are left out: 20,000 within 100 px are at most some 130', () => {
    const places = Array.from({ length: 20_000 }, (_, i) => [-50 + i / 200, 0] as const)
    const [stroke, ...others] = strokesOf(places)
    expect(others).toEqual([])
    expect(stroke!.xy.length / 2).toBeLessThan(130)
    expect(stroke!.xy.at(-2)).toBeGreaterThan(149)
  })

  test('what is out of sight is not drawn, what crosses the frame is', () => {
    expect(strokesOf(pairs('-500,0 -400,0 -300,20'))).toEqual([])
    expect(strokesOf(pairs('-500,0 500,0'))).toHaveLength(1)
  })

  test('the nearest row is found within reach only', () => {
    const points = pointsOf(pairs('-50,0 NaN,NaN 0,0 50,0'))
    expect(rowNear(points, VIEW, { px: 108, py: 55, size: SIZE, mostPx: 20 })).toBe(2)
    expect(rowNear(points, VIEW, { px: 125, py: 95, size: SIZE, mostPx: 20 })).toBe(-1)
  })

  test('kilometre marks are between the rows, several in one long step', () => {
    const points = pointsOf(pairs('0,0 10,0 NaN,NaN 40,30'))
    const marks = distanceMarks(points, Float64Array.of(0, 1500, 2000, 4500), 1000)
    expect(marks.map(({ count }) => count)).toEqual([1, 2, 3, 4])
    expect(marks[0]!.x).toBeCloseTo(1000 / 150, 9)
    expect(marks[1]!.x).toBeCloseTo(10 + 30 / 6, 9)
    expect(marks[3]!.y).toBeCloseTo(25, 9)
  })
})
