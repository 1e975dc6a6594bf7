// Which metres of a run are new, for streets whose lengths are known.
import { describe, expect, test } from 'bun:test'
import { createNewGround } from '../../../src/engine/ground/new-ground.ts'
import { squareKey } from '../../../src/engine/ground/squares.ts'
import { groundOf } from '../../fixtures/derived.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { densified, onGlobe, withNoise } from '../../fixtures/routes.ts'

const [LAT, LON] = [48.1408, 11.5685]
const EAST = 111_195 * Math.cos((LAT * Math.PI) / 180)

type Metres = readonly [east: number, north: number]

/** A point every 3 m along corners, within one square; GPS errs by some metres all along, and slowly by others. */
function along(corners: readonly Metres[], noiseM = 0, seed = 1) {
  const random = seededRandom(seed)
  const errors = Array.from({ length: 4 }, () => (random() * 2 - 1) * noiseM)
  const points: Metres[] = corners.slice(1).flatMap(([toX, toY], k) => {
    const [fromX, fromY] = corners[k]!
    const steps = Math.ceil(Math.sqrt((toX - fromX) ** 2 + (toY - fromY) ** 2) / 3)
    return Array.from({ length: steps + 1 }, (_, i): Metres => {
      const slow = Math.sin((k * steps + i) / 60)
      const [east, north] = [errors[0]! + slow * errors[1]!, errors[2]! + slow * errors[3]!]
      return [fromX + ((toX - fromX) * i) / steps + east, fromY + ((toY - fromY) * i) / steps + north]
    })
  })
  const ground = groundOf({
    latDeg: Float64Array.from(points, ([, north]) => LAT + north / 111_195),
    lonDeg: Float64Array.from(points, ([east]) => LON + east / EAST),
    tS: Float64Array.from(points, (_, k) => k),
  })!
  expect(ground.squares).toHaveLength(1)
  return ground.squares[0]!
}

const STREET: readonly Metres[] = [
  [-400, -300],
  [300, -300],
  [300, 200],
]
const LENGTH_M = 1200
const moved = (corners: readonly Metres[], byM: number) =>
  corners.map(([east, north]): Metres => [east - byM, north + byM])

describe('of runs along a street', () => {
  const first = along(STREET)
  const street = () => {
    const ground = createNewGround(first.y)
    return { ground, firstM: ground.add(first.line) }
  }

  test('the first is new, to the metre', () => {
    // the map is 0.3 % wider than the sphere of 111,195 m a degree
    expect(Math.abs(street().firstM / LENGTH_M - 1)).toBeLessThan(0.01)
  })

  test('the same again, the other way, or up to 15 m aside is not', () => {
    const { ground } = street()
    expect(ground.add(first.line)).toBe(0)
    expect(ground.add(along(STREET.toReversed()).line)).toBe(0)
    for (const asideM of [-15, -8, 8, 15]) expect(ground.add(along(moved(STREET, asideM / Math.SQRT2)).line)).toBe(0)
  })
})

test('a library of 400 noisy runs has run 93 to 101 % of its streets, over all squares', () => {
  const random = seededRandom(12)
  const streets = new Set<string>()
  const squares = new Map<number, ReturnType<typeof createNewGround>>()
  let sumM = 0
  for (let run = 0; run < 400; run += 1) {
    const path = walk(random)
    for (const [k, to] of path.slice(1).entries()) streets.add([String(path[k]), String(to)].toSorted().join(' '))
    const points = withNoise(densified(path, 9), 4, run)
    const route = onGlobe(points, LAT, LON)
    const ground = groundOf({ ...route, tS: Float64Array.from(route.latDeg, (_, k) => k) })!
    for (const square of ground.squares) {
      const key = squareKey(square)
      if (!squares.has(key)) squares.set(key, createNewGround(square.y))
      sumM += squares.get(key)!.add(square.line)
    }
  }
  expect(squares.size).toBeGreaterThan(40)
  const share = sumM / (streets.size * BLOCK_M)
  expect(share).toBeGreaterThan(0.93)
  expect(share).toBeLessThan(1.01)
})

const BLOCK_M = 1000
const REACH_BLOCKS = 5

/** 5 to 14 km along the streets of a grid, and back over no street at once. */
function walk(random: () => number): Metres[] {
  const whole = (below: number) => Math.floor(random() * below)
  let [x, y] = [whole(2 * REACH_BLOCKS) - REACH_BLOCKS, whole(2 * REACH_BLOCKS) - REACH_BLOCKS]
  const path: Metres[] = [[x * BLOCK_M, y * BLOCK_M]]
  let isEast = random() < 0.5
  for (let blocks = 5 + whole(10); blocks > 0; blocks -= 1, isEast = !isEast) {
    const by = random() < 0.5 ? -1 : 1
    if (isEast) x += Math.abs(x + by) > REACH_BLOCKS ? -by : by
    else y += Math.abs(y + by) > REACH_BLOCKS ? -by : by
    path.push([x * BLOCK_M, y * BLOCK_M])
  }
  return path
}
