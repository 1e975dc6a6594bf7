import { expect, test } from 'bun:test'
import { pathMayPass, sketchMayPass, stretchEnds } from '../../../src/engine/route/pass-bounds.ts'
import { passFinder } from '../../../src/engine/route/passes.ts'
import { encodePath, pathPositions, routePath } from '../../../src/engine/route/path.ts'
import { routeBounds } from '../../../src/engine/route/similarity.ts'
import { routeSketch } from '../../../src/engine/route/sketch.ts'
import { stretchOf } from '../../../src/engine/route/stretch.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { madeRoutes } from '../../fixtures/route-library.ts'

test('no route that passes is ruled out by bounds, sketch or path, and most others are', () => {
  const ways = madeRoutes(500, 21).map(({ latDeg, lonDeg }) => {
    const tS = Float64Array.from(latDeg, (_, k) => k * 3)
    const path = routePath(latDeg, lonDeg)!
    return { tS, latDeg, lonDeg, distanceM: tS.map((seconds) => seconds * 3), path, sketch: routeSketch(path) }
  })
  const random = seededRandom(4)
  const counts = { passes: 0, others: 0, sketched: 0, met: 0 }
  for (let k = 0; k < 30; k += 1) {
    const way = ways[Math.floor(random() * ways.length)]!
    const lengthM = Math.min(way.distanceM.at(-1)!, [100, 300, 1000, 2500][k % 4]!)
    const fromM = k % 5 === 0 ? 0 : random() * (way.distanceM.at(-1)! - lengthM)
    const { stretch } = stretchOf(way, fromM, fromM + lengthM)!
    const find = passFinder(stretch)
    const { start, end, reachNorthDeg, reachEastDeg } = stretchEnds(stretch)
    const [bySketch, byPath] = [sketchMayPass(stretch), pathMayPass(stretch)]
    for (const other of ways) {
      const bounds = routeBounds(other.path)
      const isIn = [start, end].every(
        ({ latDeg, lonDeg }) =>
          latDeg >= bounds.southDeg - reachNorthDeg &&
          latDeg <= bounds.northDeg + reachNorthDeg &&
          lonDeg >= bounds.westDeg - reachEastDeg &&
          lonDeg <= bounds.eastDeg + reachEastDeg,
      )
      const isSketched = bySketch(other.sketch, other.path.lengthM)
      const isMet = byPath(pathPositions(encodePath(other.path), other.path.lengthM), other.path.lengthM)
      if (find(other.tS, other).length > 0) {
        expect([isIn, isSketched, isMet]).toEqual([true, true, true])
        counts.passes += 1
      } else {
        counts.others += 1
        if (isIn && isSketched) counts.sketched += 1
        if (isIn && isSketched && isMet) counts.met += 1
      }
    }
  }
  expect(counts.passes).toBeGreaterThan(300)
  expect(counts.met).toBeLessThan(counts.passes)
  expect(counts.sketched).toBeLessThan(counts.others / 5)
})
