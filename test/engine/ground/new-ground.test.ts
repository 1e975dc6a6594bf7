// Which metres of a run are new, for streets whose lengths are known.
import { describe, expect, test } from 'bun:test'
import { groundOf } from '../../../src/engine/ground/ground.ts'
import { createNewGround } from '../../../src/engine/ground/new-ground.ts'
import { seededRandom } from '../../fixtures/knots.ts'

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
