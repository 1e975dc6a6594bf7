// Squares and lines of tracks against the vectors of an independent program, and against tracks resampled finely.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { groundOf } from '../../../src/engine/ground/ground.ts'
import { eachStep } from '../../../src/engine/ground/line.ts'
import { columnOf, rowOf, squareKey, UNITS, wrapped } from '../../../src/engine/ground/squares.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../places-oracles.json'

// a test of 200 tracks takes seconds where others work, too
setDefaultTimeout(60_000)

type Pair = readonly number[]

function trackOf(positions: readonly (Pair | null)[], seams: readonly number[] = []) {
  return {
    latDeg: Float64Array.from(positions, (one) => one?.[0] ?? Number.NaN),
    lonDeg: Float64Array.from(positions, (one) => one?.[1] ?? Number.NaN),
    tS: Float64Array.from(positions, (_, k) => k),
    seams,
  }
}

const visited = (positions: readonly (Pair | null)[], seams: readonly number[] = []) =>
  groundOf(trackOf(positions, seams))?.squares ?? []

test.each(oracles.squares)('$name', ({ positions, squares }) => {
  expect(visited(positions).map(({ x, y }) => [x, y])).toEqual(squares)
})

/** Metres east and north of a place as positions, a step of some metres each. */
function walk(seed: number): Pair[] {
  const random = seededRandom(seed)
  const [lat, lon] = [random() * 140 - 70, random() < 0.2 ? 179.999 : random() * 360 - 180]
  const east = 111_195 * Math.cos((lat * Math.PI) / 180)
  let [x, y, heading] = [0, 0, random() * 7]
  return Array.from({ length: 400 }, () => {
    heading += (random() - 0.5) * 1.5
    const metres = random() < 0.02 ? 190 : 3 + random() * 25
    x += Math.cos(heading) * metres
    y += Math.sin(heading) * metres
    const at = lon + x / east
    return [lat + y / 111_195, at > 180 ? at - 360 : at]
  })
}

const WALKS = Array.from({ length: 200 }, (_, seed) => walk(seed + 1))

/** Share of a square that the line of a run has in it, units. */
function reach(line: Uint8Array): number {
  let most = 0
  eachStep(line, (fromX, fromY, toX, toY) => {
    most = Math.max(most, Math.abs(toX - fromX), Math.abs(toY - fromY))
  })
  return most
}

describe('200 random tracks', () => {
  test('have no position further than 3 units from their line', () => {
    let furthest = 0
    for (const positions of WALKS) {
      const lines = new Map(visited(positions).map((square) => [squareKey(square), square]))
      for (const [lat, lon] of positions) {
        const [x, y] = [columnOf(lon!), rowOf(lat!)]
        const square = lines.get(squareKey({ x: wrapped(Math.floor(x)), y: Math.floor(y) }))!
        const [unitX, unitY] = [(x - Math.floor(x)) * UNITS, (y - Math.floor(y)) * UNITS]
        let nearest = Number.POSITIVE_INFINITY
        eachStep(square.line, (fromX, fromY, toX, toY) => {
          const [byX, byY] = [toX - fromX, toY - fromY]
          const along =
            byX === 0 && byY === 0 ? 0 : ((unitX - fromX) * byX + (unitY - fromY) * byY) / (byX ** 2 + byY ** 2)
          const share = Math.min(1, Math.max(0, along))
          const away = Math.sqrt((fromX + share * byX - unitX) ** 2 + (fromY + share * byY - unitY) ** 2)
          nearest = Math.min(nearest, away)
        })
        furthest = Math.max(furthest, nearest)
      }
    }
    expect(furthest).toBeLessThanOrEqual(3)
    // the lines are thinned
    expect(furthest).toBeGreaterThan(1)
  })
})

test('nothing is run across a seam, and a square is entered at the position after the edge', () => {
  const there = pairs('48.137,11.575 48.137,11.577 48.137,11.579 48.137,11.581')
  const entered = pairs('8718,0 8719,3')
  const [whole, parted] = [visited(there), visited(there, [3])]
  expect(whole.map(({ x, enteredS }) => [x, enteredS])).toEqual(entered)
  expect(parted.map(({ x, enteredS }) => [x, enteredS])).toEqual(entered)
  expect(reach(whole[1]!.line)).toBeGreaterThan(10)
  expect(reach(parted[1]!.line)).toBe(0)
})
