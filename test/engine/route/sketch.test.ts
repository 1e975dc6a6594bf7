import { expect, test } from 'bun:test'
import { SIMILAR_SCORE, similarTo } from '../../../src/engine/route/similarity.ts'
import { routeSketch, scoreBound } from '../../../src/engine/route/sketch.ts'
import { routePath } from '../../fixtures/routes.ts'
import { madeRoutes } from '../../library/route-library.ts'

test('no pair of made routes scores more than its bound, and few that are not a match need to be scored', () => {
  const paths = madeRoutes(400, 77).map(({ latDeg, lonDeg }) => routePath(latDeg, lonDeg)!)
  const sketches = paths.map(routeSketch)
  let refused = 0
  let needless = 0
  for (const query of paths.slice(0, 40)) {
    const bound = scoreBound(query)
    const score = similarTo(query)
    for (const [k, candidate] of paths.entries()) {
      const most = bound(sketches[k]!, candidate.lengthM)
      const found = score(candidate).score
      expect(most).toBeGreaterThanOrEqual(found)
      if (found >= SIMILAR_SCORE) continue
      if (most < SIMILAR_SCORE) refused += 1
      else needless += 1
    }
  }
  expect(refused).toBeGreaterThan(10 * needless)
})
