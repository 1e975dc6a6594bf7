import { describe, expect, test } from 'bun:test'
import { previewIndexes } from '../../../src/engine/route/simplify.ts'
import { seededRandom } from '../../fixtures/knots.ts'

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
