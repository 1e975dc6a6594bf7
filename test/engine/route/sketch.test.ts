import { expect, test } from 'bun:test'
import type { RoutePath } from '../../../src/engine/route/path.ts'
import { SIMILAR_SCORE, similarTo } from '../../../src/engine/route/similarity.ts'
import { packSketch, routeSketch, scoreBound, unpackSketch } from '../../../src/engine/route/sketch.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { densified, onGlobe, routePath } from '../../fixtures/routes.ts'
import { madeRoutes } from '../../library/route-library.ts'

type Corners = readonly (readonly number[])[]

function pathOf(corners: Corners, latDeg = 0, lonDeg = 10): RoutePath {
  const route = onGlobe(densified(corners), latDeg, lonDeg)
  return routePath(route.latDeg, route.lonDeg)!
}

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

test('a day round one spot with a way there hides the way in its sketch, but not from the bound', () => {
  // about 6,000 samples in one or two cells: the seven of a cell of the way are less than half a unit of 255
  const random = seededRandom(4)
  const spot = Array.from({ length: 6000 }, () => [2020 + random() * 40, 20 + random() * 40])
  const day = pathOf([[0, 0], ...spot])
  expect(routeSketch(day).filter((byte) => byte > 0).length).toBeLessThan(6)
  expect(scoreBound(day)(routeSketch(day), day.lengthM)).toBeGreaterThanOrEqual(similarTo(day)(day).score)
})

test('a packed sketch is the same again, and never longer', () => {
  const random = seededRandom(17)
  for (const filled of [0, 0.002, 0.01, 0.1, 0.3, 0.6, 1]) {
    for (let round = 0; round < 50; round += 1) {
      const sketch = Uint8Array.from({ length: 512 }, () => (random() < filled ? Math.floor(random() * 256) : 0))
      const packed = packSketch(sketch)
      expect(packed.length).toBeLessThanOrEqual(512)
      expect(unpackSketch(packed)).toEqual(sketch)
    }
  }
  for (const cell of [0, 254, 255, 256, 510, 511]) {
    const sketch = new Uint8Array(512)
    sketch[cell] = 9
    expect(unpackSketch(packSketch(sketch))).toEqual(sketch)
  }
  const [{ latDeg, lonDeg } = { latDeg: new Float64Array(0), lonDeg: new Float64Array(0) }] = madeRoutes(1, 77)
  expect(packSketch(routeSketch(routePath(latDeg, lonDeg)!)).length).toBeLessThan(200)
})

test('damaged packed sketches are refused or other sketches', () => {
  const random = seededRandom(18)
  for (let round = 0; round < 3000; round += 1) {
    const bytes = Uint8Array.from({ length: Math.floor(random() * 511) }, () => Math.floor(random() ** 3 * 256))
    try {
      expect(unpackSketch(bytes).length).toBe(512)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
  expect(() => unpackSketch(Uint8Array.of(3))).toThrow(RangeError)
  expect(() => unpackSketch(Uint8Array.of(254, 1, 254, 1, 9, 1))).toThrow(RangeError)
})
