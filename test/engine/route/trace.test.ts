import { expect, test } from 'bun:test'
import { stretchEnds } from '../../../src/engine/route/pass-bounds.ts'
import { passFinder } from '../../../src/engine/route/passes.ts'
import { pathThrough, routeAnchors } from '../../../src/engine/route/path.ts'
import { routeBounds } from '../../../src/engine/route/similarity.ts'
import { stretchOf } from '../../../src/engine/route/stretch.ts'
import { routeTrace, traceMayPass } from '../../../src/engine/route/trace.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { type MadeRoute, madeRoutes } from '../../library/route-library.ts'

const HOME = { latDeg: 52.5, lonDeg: 13.4 }
const THERE = { latDeg: -17, lonDeg: 179.99 }

/** The route across the antimeridian, as long as at home. */
function moved({ latDeg, lonDeg }: MadeRoute): MadeRoute {
  const wider = Math.cos((HOME.latDeg * Math.PI) / 180) / Math.cos((THERE.latDeg * Math.PI) / 180)
  return {
    latDeg: latDeg.map((lat) => lat - HOME.latDeg + THERE.latDeg),
    lonDeg: lonDeg.map((lon) => {
      const there = (lon - HOME.lonDeg) * wider + THERE.lonDeg
      return there > 180 ? there - 360 : there
    }),
  }
}

/** How many pairs of a stretch and a route pass, and how many of the others bounds and trace let through. */
function judged(routes: readonly MadeRoute[]) {
  const ways = routes.map(({ latDeg, lonDeg }) => {
    const tS = Float64Array.from(latDeg, (_, k) => k * 3)
    const distanceM = Float64Array.from(latDeg, (_, k) => k * 9)
    const anchors = routeAnchors(latDeg, lonDeg)!
    const path = pathThrough(anchors)
    const bounds = routeBounds(path)
    return { tS, latDeg, lonDeg, distanceM, bounds, trace: routeTrace(anchors) }
  })
  const random = seededRandom(4)
  const counts = { passes: 0, others: 0, let: 0 }
  for (let k = 0; k < 30; k += 1) {
    const way = ways[Math.floor(random() * ways.length)]!
    const lengthM = Math.min(way.distanceM.at(-1)!, LENGTHS_M[k % LENGTHS_M.length]!)
    const fromM = k % 5 === 0 ? 0 : random() * (way.distanceM.at(-1)! - lengthM)
    const { stretch } = stretchOf(way, fromM, fromM + lengthM)!
    const find = passFinder(stretch)
    const { start, end, reachNorthDeg, reachEastDeg } = stretchEnds(stretch)
    const may = traceMayPass(stretch)
    for (const other of ways) {
      const { bounds } = other
      const [south, north] = [bounds.southDeg - reachNorthDeg, bounds.northDeg + reachNorthDeg]
      const [west, east] = [bounds.westDeg - reachEastDeg, bounds.eastDeg + reachEastDeg]
      const isBetween = (deg: number, least: number, most: number) => deg >= least && deg <= most
      const isIn = [start, end].every(({ latDeg, lonDeg }) => {
        return isBetween(latDeg, south, north) && [-360, 0, 360].some((turn) => isBetween(lonDeg + turn, west, east))
      })
      const isLet = may(other.trace)
      if (find(other.tS, other).length > 0) {
        expect([isIn, isLet]).toEqual([true, true])
        counts.passes += 1
      } else {
        counts.others += 1
        if (isIn && isLet) counts.let += 1
      }
    }
  }
  return counts
}

const ROUTES = madeRoutes(500, 21)
const LENGTHS_M = [100, 300, 1000, 2500]

test('no route that passes is ruled out by bounds or trace, and most others are', () => {
  const counts = judged(ROUTES)
  expect(counts.passes).toBeGreaterThan(300)
  expect(counts.let).toBeLessThan(counts.passes)
})

test('no route that passes is ruled out across the antimeridian', () => {
  const counts = judged(ROUTES.slice(0, 200).map(moved))
  expect(counts.passes).toBeGreaterThan(100)
  expect(counts.let).toBeLessThan(counts.passes)
})
