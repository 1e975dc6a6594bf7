import { expect, test } from 'bun:test'
import { equivalentDistance, gradeFactor, slopes } from '../../../src/engine/run/grade.ts'
import { knots } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'

/** docs/algorithms.md 8, the row of the fit. */
const TABLE = [
  ...pairs('-0.3,1.493 -0.2,1.0794 -0.1,0.881 -0.085,0.8771 -0.05,0.8974 -0.02,0.9484 0,1 0.02,1.0656 0.05,1.1899'),
  ...pairs('0.1,1.4635 0.15,1.8126 0.2,2.224 0.3,3.1591'),
]

test('the factor of a slope is that of the table', () => {
  for (const [slope, factor] of TABLE) expect(Math.abs(gradeFactor(slope) - factor)).toBeLessThan(0.00006)
})

test('a steady slope is found at every row, dense or sparse, far along the path', () => {
  for (const dtS of [1, 6, 20]) {
    const { tS, distanceM } = knots([[20_000, 3]], dtS)
    expect(tS.length).toBeGreaterThan(900)
    const elevM = distanceM.map((metres) => 500 - 0.08 * metres)
    expect(slopes(distanceM, elevM).every((value) => Math.abs(value + 0.08) < 1e-9)).toBe(true)
  }
})

test('a kilometre at 10 % is 1463.5 m on the flat, and a flat one is itself', () => {
  const { distanceM } = knots([[500, 2]], 1)
  const flatM = (elevM: (metres: number) => number) => equivalentDistance(distanceM, distanceM.map(elevM)).at(-1)!
  expect(flatM((metres) => 0.1 * metres)).toBeCloseTo(1463.5, 0)
  expect(flatM(() => 40)).toBeCloseTo(1000, 9)
})

test('without altitude and while standing the ground is flat', () => {
  const { distanceM } = knots(pairs('50,2 100,0 50,2'), 1)
  const gaps = distanceM.map(() => Number.NaN)
  expect(equivalentDistance(distanceM, gaps).at(-1)!).toBeCloseTo(200, 9)
  // A barometer that drifts while its runner waits makes no slope out of nothing.
  const standing = new Float64Array(60)
  const drift = standing.map((_, i) => 0.1 * i)
  expect(slopes(standing, drift).every((value) => value === 0)).toBe(true)
})
