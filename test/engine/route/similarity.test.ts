import { describe, expect, test } from 'bun:test'
import type { RoutePath } from '../../../src/engine/route/path.ts'
import {
  type RouteBounds,
  routeBounds,
  SIMILAR_SCORE,
  searchBoxes,
  similarTo,
} from '../../../src/engine/route/similarity.ts'
import { routeSketch, scoreBound } from '../../../src/engine/route/sketch.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { densified, onGlobe, routePath, withNoise } from '../../fixtures/routes.ts'
import oracles from '../../oracles.json'

type Points = readonly (readonly number[])[]

const LOOP = pairs('0,0 1500,0 1500,900 700,900 700,1600 0,1600 0,0')

function pathOf(points: Points, latDeg = 0, lonDeg = 10): RoutePath {
  const route = onGlobe(points, latDeg, lonDeg)
  return routePath(route.latDeg, route.lonDeg)!
}

const ofCorners = (corners: Points, latDeg = 0, lonDeg = 10) => pathOf(densified(corners), latDeg, lonDeg)

describe('score and direction', () => {
  test.each(oracles.similar.cases)('oracle: $name', ({ a, b, score, direction }) => {
    for (const [latDeg, lonDeg] of pairs('0,10 52,13.4 -34,179.99')) {
      const [one, other] = [ofCorners(a, latDeg, lonDeg), ofCorners(b, latDeg, lonDeg)]
      const [found, back] = [similarTo(one)(other), similarTo(other)(one)]
      expect(Math.abs(found.score - score)).toBeLessThan(0.3)
      expect(Math.abs(back.score - found.score)).toBeLessThan(0.001)
      expect([found.direction, back.direction] as string[]).toEqual([direction, direction])
    }
  })

  test('a loop begun a third further round is the same loop: 99.3', () => {
    const points = densified(LOOP).slice(0, -1)
    const third = Math.floor(points.length / 3)
    const shifted = [...points.slice(third), ...points.slice(0, third), points[third]!]
    expect(Math.abs(similarTo(ofCorners(LOOP))(pathOf(shifted)).score - 99.3)).toBeLessThan(0.3)
  })

  test('reverse passes that are owed to the route’s own are not credited: two of three loops are 66.67', () => {
    const there = pairs('0,0 900,0 900,900 0,900 0,0')
    const here = pairs('0,0 -900,0 -900,-900 0,-900 0,0')
    const one = ofCorners([...there, ...there.toReversed(), ...here])
    const other = ofCorners([...there.toReversed(), ...here, ...here.toReversed()])
    // Half a point: where the loops touch, a sample or two of one is in the corridor of the other.
    expect(Math.abs(similarTo(one)(other).score - 66.67)).toBeLessThan(0.5)
  })
})

describe('search', () => {
  test('no match is lost by length, box or sketch, at any latitude and over the antimeridian', () => {
    const random = seededRandom(20)
    let matches = 0
    let refusedOthers = 0
    for (let round = 0; round < 60; round += 1) {
      const latDeg = random() * 140 - 70
      const lonDeg = round % 3 === 0 ? 179.98 : random() * 340 - 170
      const base = randomCorners(random)
      const longer = [...base, [-600 * random(), -400 * random()]]
      const variants = [base, base.toReversed(), detour(base, random), longer, randomCorners(random)]
      const paths = variants.map((corners, k) =>
        pathOf(withNoise(densified(corners), 1 + 7 * random(), round * 10 + k), latDeg, lonDeg),
      )
      for (const query of paths) {
        const score = similarTo(query)
        const bound = scoreBound(query)
        const boxes = searchBoxes(query)
        for (const candidate of paths) {
          const [shorterM, longerM] = [query.lengthM, candidate.lengthM].sort((a, b) => a - b) as [number, number]
          const isKept =
            (100 * shorterM) / longerM >= SIMILAR_SCORE &&
            boxes.some((box) => overlap(box, routeBounds(candidate))) &&
            bound(routeSketch(candidate), candidate.lengthM) >= SIMILAR_SCORE
          const { score: found } = score(candidate)
          expect(found).toBeLessThanOrEqual((100 * shorterM) / longerM + 1e-9)
          if (found >= SIMILAR_SCORE) {
            matches += 1
            expect(isKept).toBe(true)
          } else if (!isKept) {
            refusedOthers += 1
          }
        }
      }
    }
    expect(matches).toBeGreaterThan(600)
    expect(refusedOthers).toBeGreaterThan(200)
  })
})

function randomCorners(random: () => number): number[][] {
  const corners = [[0, 0]]
  for (let k = 0; k < 3 + Math.floor(random() * 8); k += 1) {
    const [x, y] = [corners.at(-1)![0]!, corners.at(-1)![1]!]
    corners.push([x + (random() - 0.5) * 2500, y + (random() - 0.5) * 2500])
  }
  return corners
}

function detour(corners: Points, random: () => number): Points {
  const k = 1 + Math.floor(random() * (corners.length - 1))
  const [x, y] = [corners[k]![0]!, corners[k]![1]!]
  return [...corners.slice(0, k), [x + 300 * random(), y - 300 * random()], ...corners.slice(k)]
}

function overlap(a: RouteBounds, b: RouteBounds): boolean {
  return a.southDeg <= b.northDeg && b.southDeg <= a.northDeg && a.westDeg <= b.eastDeg && b.westDeg <= a.eastDeg
}
