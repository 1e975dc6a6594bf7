import { describe, expect, test } from 'bun:test'
import { previewIndexes } from '../../../src/engine/route/simplify.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { workedMs } from '../../worked.ts'

const METRES_PER_DEGREE = 111_195

describe('previewIndexes', () => {
  test('oracle of ten vertices', () => {
    const yM = [0, 0.1, -0.1, 5, 6, 7, 8.1, 9, 9, 9]
    const latDeg = Float64Array.from(yM, (y) => y / METRES_PER_DEGREE)
    const lonDeg = Float64Array.from(yM.keys(), (x) => x / METRES_PER_DEGREE)
    expect([...previewIndexes(latDeg, lonDeg, 5)]).toEqual([0, 2, 3, 7, 9])
    // by their significance: 1.1094, 0.1498, 0.0707, 0.0464; the others are on straight lines
    expect([...previewIndexes(latDeg, lonDeg, 6)]).toEqual([0, 1, 2, 3, 7, 9])
    expect([...previewIndexes(latDeg, lonDeg, 7)]).toEqual([0, 1, 2, 3, 6, 7, 9])
    expect([...previewIndexes(latDeg, lonDeg, 10)]).toEqual([0, 1, 2, 3, 5, 6, 7, 9])
  })

  test('the points kept are those that Douglas-Peucker keeps at some tolerance', () => {
    for (const eps of [0.5, 2, 5, 20, 100]) {
      const { xM, yM } = randomWalk(3000, 11)
      const wanted = douglasPeucker(xM, yM, eps)
      const lonDeg = xM.map((x) => x / METRES_PER_DEGREE)
      const latDeg = yM.map((y) => y / METRES_PER_DEGREE)
      expect([...previewIndexes(latDeg, lonDeg, wanted.length)]).toEqual(wanted)
    }
  })

  test('a spiral of 86,400 vertices, the worst case of every split, takes no seconds', () => {
    const angle = Float64Array.from({ length: 86_400 }, (_, i) => Math.sqrt(i) * 0.5)
    const latDeg = angle.map((a) => (a * 5 * Math.sin(a)) / METRES_PER_DEGREE)
    const lonDeg = angle.map((a) => (a * 5 * Math.cos(a)) / METRES_PER_DEGREE)
    const worked = workedMs(() => expect(previewIndexes(latDeg, lonDeg, 100).length).toBe(100))
    expect(worked).toBeLessThan(1000)
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
