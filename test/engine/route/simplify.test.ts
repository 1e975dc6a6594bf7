import { describe, expect, test } from 'bun:test'
import { previewIndexes, significance } from '../../../src/engine/route/simplify.ts'
import { seededRandom } from '../../fixtures/knots.ts'

const METRES_PER_DEGREE = 111_195

describe('significance', () => {
  test('oracle of ten vertices', () => {
    const found = significance(
      Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
      Float64Array.of(0, 0.1, -0.1, 5, 6, 7, 8.1, 9, 9, 9),
    )
    const wanted = [Infinity, 0.1498, 1.4849, 1.4849, 0, 0.0464, 0.0707, 1.1094, 0, Infinity]
    for (const [i, value] of wanted.entries()) {
      if (value === Infinity) expect(found[i]!).toBe(Infinity)
      else expect(found[i]!).toBeCloseTo(value, 4)
    }
    expect([...found.keys()].filter((i) => found[i]! > 1)).toEqual([0, 2, 3, 7, 9])
  })

  test('keeps at every tolerance what Douglas-Peucker keeps there', () => {
    const { xM, yM } = randomWalk(400, 3)
    const ranks = significance(xM, yM)
    for (const eps of [0.5, 2, 5, 20, 100]) {
      expect([...ranks.keys()].filter((i) => ranks[i]! > eps)).toEqual(douglasPeucker(xM, yM, eps))
    }
  })

  test('short lines', () => {
    expect(significance(new Float64Array(0), new Float64Array(0))).toEqual(new Float64Array(0))
    expect(significance(Float64Array.of(1), Float64Array.of(1))).toEqual(Float64Array.of(Infinity))
    expect(significance(Float64Array.of(1, 2), Float64Array.of(1, 2))).toEqual(Float64Array.of(Infinity, Infinity))
  })

  test('a spiral of 86,400 vertices, the worst case of every split, is ranked within seconds', () => {
    const n = 86_400
    const angle = Float64Array.from({ length: n }, (_, i) => Math.sqrt(i) * 0.5)
    const started = performance.now()
    const ranks = significance(
      angle.map((a) => a * 5 * Math.cos(a)),
      angle.map((a) => a * 5 * Math.sin(a)),
    )
    expect(performance.now() - started).toBeLessThan(5000)
    expect(ranks.every((rank) => rank >= 0)).toBe(true)
  })
})

describe('previewIndexes', () => {
  test('an out-and-back keeps start, turn and end', () => {
    const latDeg = Float64Array.from(
      { length: 201 },
      (_, i) => 50 + ((i <= 100 ? i : 200 - i) * 10) / METRES_PER_DEGREE,
    )
    const lonDeg = new Float64Array(201).fill(14)
    expect([...previewIndexes(latDeg, lonDeg, 3)]).toEqual([0, 100, 200])
    expect([...previewIndexes(latDeg, lonDeg, 100)]).toEqual([0, 100, 200])
  })

  test('equal points are two points', () => {
    expect([...previewIndexes(new Float64Array(50).fill(50), new Float64Array(50).fill(14), 100)]).toEqual([0, 49])
  })

  test('the points kept are the most significant ones of the full ranking', () => {
    const { xM, yM } = randomWalk(3000, 11)
    const lonDeg = xM.map((x) => x / METRES_PER_DEGREE)
    const latDeg = yM.map((y) => y / METRES_PER_DEGREE)
    const kept = previewIndexes(latDeg, lonDeg, 100)
    const ranks = significance(xM, yM)
    const least = Math.min(...[...kept].map((i) => ranks[i]!))
    expect(kept.length).toBe(100)
    expect([...kept]).toEqual([...ranks.keys()].filter((i) => ranks[i]! >= least - 1e-3))
  })

  test('a route over the antimeridian keeps the same points as anywhere else', () => {
    const { xM, yM } = randomWalk(500, 5)
    const latDeg = yM.map((y) => 60 + y / METRES_PER_DEGREE)
    const here = xM.map((x) => 10 + x / METRES_PER_DEGREE / 0.5)
    const there = here.map((lon) => (lon - 10 > 0 ? lon - 190 : lon + 170))
    expect(there.some((lon) => lon > 179) && there.some((lon) => lon < -179)).toBe(true)
    expect(previewIndexes(latDeg, there, 40)).toEqual(previewIndexes(latDeg, here, 40))
  })

  test('short routes are kept whole, first and last always', () => {
    expect([...previewIndexes(new Float64Array(0), new Float64Array(0), 100)]).toEqual([])
    expect([...previewIndexes(Float64Array.of(1), Float64Array.of(1), 100)]).toEqual([0])
    expect([...previewIndexes(Float64Array.of(1, 2), Float64Array.of(1, 1), 2)]).toEqual([0, 1])
    expect([...previewIndexes(Float64Array.of(1, 2, 1), Float64Array.of(1, 5, 9), 2)]).toEqual([0, 2])
    expect(() => previewIndexes(Float64Array.of(1, 2), Float64Array.of(1, 2), 1)).toThrow(RangeError)
    expect(() => previewIndexes(Float64Array.of(1, 2), Float64Array.of(1), 5)).toThrow(RangeError)
  })
})

function randomWalk(n: number, seed: number): { xM: Float64Array; yM: Float64Array } {
  const random = seededRandom(seed)
  const xM = new Float64Array(n)
  const yM = new Float64Array(n)
  let heading = 0
  for (let i = 1; i < n; i += 1) {
    heading += random() - 0.5
    xM[i] = xM[i - 1]! + 3 * Math.cos(heading)
    yM[i] = yM[i - 1]! + 3 * Math.sin(heading)
  }
  return { xM, yM }
}

/** The textbook recursion at one tolerance, with the distance to the segment. */
function douglasPeucker(xM: Float64Array, yM: Float64Array, eps: number): number[] {
  const between = (a: number, b: number): number[] => {
    let far = -1
    let most = eps
    for (let i = a + 1; i < b; i += 1) {
      const [dx, dy] = [xM[b]! - xM[a]!, yM[b]! - yM[a]!]
      const square = dx ** 2 + dy ** 2
      const part = square === 0 ? 0 : ((xM[i]! - xM[a]!) * dx + (yM[i]! - yM[a]!) * dy) / square
      const along = Math.min(1, Math.max(0, part))
      const away = Math.hypot(xM[i]! - xM[a]! - along * dx, yM[i]! - yM[a]! - along * dy)
      if (away > most) {
        most = away
        far = i
      }
    }
    return far < 0 ? [] : [...between(a, far), far, ...between(far, b)]
  }
  return [0, ...between(0, xM.length - 1), xM.length - 1]
}
