import { expect, test } from 'bun:test'
import { stretchEnds } from '../../../src/engine/route/pass-bounds.ts'
import { passFinder } from '../../../src/engine/route/passes.ts'
import { decodePath, encodePath, pathThrough, routeAnchors } from '../../../src/engine/route/path.ts'
import { routeBounds } from '../../../src/engine/route/similarity.ts'
import { stretchOf } from '../../../src/engine/route/stretch.ts'
import { routeTrace, traceMayPass, traceOfPath } from '../../../src/engine/route/trace.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { type MadeRoute, madeRoutes } from '../../library/route-library.ts'

const HOME = { latDeg: 52.5, lonDeg: 13.4 }

/** The route elsewhere on the globe, as long as at home, with every `each`th of its points, 9 m apart. */
function moved({ latDeg, lonDeg }: MadeRoute, to: typeof HOME, each: number): MadeRoute {
  const wider = Math.cos((HOME.latDeg * Math.PI) / 180) / Math.cos((to.latDeg * Math.PI) / 180)
  const kept = (values: Float64Array) => values.filter((_, k) => k % each === 0)
  return {
    latDeg: kept(latDeg).map((lat) => lat - HOME.latDeg + to.latDeg),
    lonDeg: kept(lonDeg).map((lon) => {
      const there = (lon - HOME.lonDeg) * wider + to.lonDeg
      return there > 180 ? there - 360 : there
    }),
  }
}

/** How many pairs of a stretch and a route pass, and how many of the others bounds and trace let through. */
function judged(routes: readonly MadeRoute[], lengthsM: readonly number[], stepM: number) {
  const ways = routes.map(({ latDeg, lonDeg }) => {
    const tS = Float64Array.from(latDeg, (_, k) => k * 3)
    const distanceM = Float64Array.from(latDeg, (_, k) => k * stepM)
    const anchors = routeAnchors(latDeg, lonDeg)!
    const path = pathThrough(anchors)
    const bounds = routeBounds(path)
    const traces = [routeTrace(anchors), traceOfPath(decodePath(encodePath(path), path.lengthM))]
    return { tS, latDeg, lonDeg, distanceM, bounds, traces }
  })
  const random = seededRandom(4)
  const counts = { passes: 0, others: 0, let: 0 }
  for (let k = 0; k < 30; k += 1) {
    const way = ways[Math.floor(random() * ways.length)]!
    const lengthM = Math.min(way.distanceM.at(-1)!, lengthsM[k % lengthsM.length]!)
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
      const [isLet, isLetByPath] = other.traces.map(may)
      if (find(other.tS, other).length > 0) {
        expect([isIn, isLet, isLetByPath]).toEqual([true, true, true])
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
  const counts = judged(ROUTES, LENGTHS_M, 9)
  expect(counts.passes).toBeGreaterThan(300)
  expect(counts.let).toBeLessThan(counts.passes)
})

test.each([
  ['across the antimeridian', { latDeg: -17, lonDeg: 179.99 }],
  ['in the far north', { latDeg: 78.2, lonDeg: 15.6 }],
  ['on the equator', { latDeg: 0.001, lonDeg: -78.4 }],
])('no route that passes is ruled out %s', (_, place) => {
  const there = ROUTES.slice(0, 200).map((route) => moved(route, place, 1))
  const counts = judged(there, LENGTHS_M, 9)
  expect(counts.passes).toBeGreaterThan(100)
  expect(counts.let).toBeLessThan(counts.passes)
})

test('no route that passes is ruled out where its positions are 180 m apart', () => {
  const sparse = ROUTES.slice(0, 300).map((route) => moved(route, HOME, 20))
  const counts = judged(sparse, [1000, 2500], 180)
  expect(counts.passes).toBeGreaterThan(100)
})

test('a route too long for a trace has an empty one and is never ruled out', () => {
  const n = 300_000
  const latDeg = Float64Array.from({ length: n }, (_, k) => (k % 2 === 0 ? 10 : 10.05))
  const lonDeg = Float64Array.from({ length: n }, (_, k) => k * 0.0001)
  const trace = routeTrace(routeAnchors(latDeg, lonDeg)!)
  expect(trace).toHaveLength(0)
  const { latDeg: lat, lonDeg: lon } = ROUTES[0]!
  const tS = Float64Array.from(lat, (_, k) => k * 3)
  const { stretch } = stretchOf({ tS, distanceM: tS.map((s) => s * 3), latDeg: lat, lonDeg: lon }, 100, 1000)!
  expect(traceMayPass(stretch)(trace)).toBe(true)
})
