import { expect, test } from 'bun:test'
import { SIMILAR_SCORE, similarTo } from '../../../src/engine/route/similarity.ts'
import { packSketch, routeSketch, scoreBound, unpackSketch } from '../../../src/engine/route/sketch.ts'
import { seededRandom } from '../../fixtures/knots.ts'
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

test('a packed sketch is the same again, and never longer; damaged ones are refused or other sketches', () => {
  const random = seededRandom(17)
  for (const filled of [0, 0.002, 0.01, 0.1, 0.3, 0.6, 1]) {
    for (let round = 0; round < 50; round += 1) {
      const sketch = Uint8Array.from({ length: 512 }, () => (random() < filled ? Math.floor(random() * 256) : 0))
      const packed = packSketch(sketch)
      expect(packed.length).toBeLessThanOrEqual(512)
      expect(unpackSketch(packed)).toEqual(sketch)
      const bytes = Uint8Array.from({ length: Math.floor(random() * 511) }, () => Math.floor(random() ** 3 * 256))
      try {
        expect(unpackSketch(bytes)).toHaveLength(512)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
  }
})
