import { expect, test } from 'bun:test'
import { quantise } from '../../src/engine/quantise.ts'
import { pathOf, routeIndex } from '../../src/workers/route-index.ts'
import { routePath } from '../fixtures/routes.ts'
import { madeRoutes } from '../library/route-library.ts'

test('a stored path is the path that was made, to 11 cm', () => {
  for (const { latDeg, lonDeg } of madeRoutes(40, 3)) {
    const [path, stored] = [routePath(latDeg, lonDeg)!, routeIndex({ latDeg, lonDeg })!]
    const again = pathOf(stored)
    const places = { latDeg: quantise(path.latDeg, 1e6), lonDeg: quantise(path.lonDeg, 1e6) }
    for (const key of ['headingEast', 'headingNorth', 'selfSame', 'selfOpposite'] as const) {
      expect([key, ...again[key]]).toEqual([key, ...path[key]])
    }
    expect([[...again.latDeg], [...again.lonDeg]]).toEqual([[...places.latDeg], [...places.lonDeg]])
  }
  const { path, lengthM } = routeIndex(madeRoutes(1, 3)[0]!)!
  expect(() => pathOf({ path: path.slice(0, -1), lengthM })).toThrow(RangeError)
})
