// Where runs start, and counts, blocks and clusters of squares, against the vectors of an independent program.
import { expect, test } from 'bun:test'
import { explored, growthOf } from '../../../src/engine/ground/explorer.ts'
import { squareKey } from '../../../src/engine/ground/squares.ts'
import { distanceM, PLACE_M, startGroups } from '../../../src/engine/ground/starts.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../places-oracles.json'

const spots = (points: readonly (readonly number[])[]) => points.map(([lat, lon]) => ({ lat: lat!, lon: lon! }))

test.each(oracles.starts.map((one, k) => [k, one] as const))('vector %i', (_, { points, placeOf, places }) => {
  const found = startGroups(spots(points))
  expect([...found.placeOf]).toEqual(placeOf)
  expect(found.places.map(({ runs }) => runs)).toEqual(places.map(({ runs }) => runs))
  // the vectors have seven decimals
  for (const [k, { lat, lon }] of found.places.entries()) {
    expect(Math.abs(lat - places[k]!.lat)).toBeLessThan(1e-7)
    expect(Math.abs(lon - places[k]!.lon)).toBeLessThan(1e-7)
  }
})

test('naming a place moves no start out of it, wherever the name is put among its starts', () => {
  const random = seededRandom(7)
  const starts = Array.from({ length: 400 }, () => {
    const metres = random() ** 2 * 600
    const angle = random() * 7
    return { lat: 48 + (metres * Math.sin(angle)) / 111_195, lon: 11 + (metres * Math.cos(angle)) / 74_400 }
  })
  const { places, placeOf } = startGroups(starts)
  for (const [k, { lat, lon }] of places.entries()) {
    const named = startGroups(starts, [{ lat, lon }])
    const before = starts.flatMap((start, i) =>
      placeOf[i] === k && distanceM(start, { lat, lon }) <= PLACE_M ? [i] : [],
    )
    expect(before.filter((i) => named.placeOf[i] !== 0)).toEqual([])
    expect(named.places[0]!.runs).toBeGreaterThanOrEqual(places[k]!.runs)
  }
})

test('a start between two named places belongs to the nearer one', () => {
  const [starts, named] = [pairs('48.0016,11 48.0014,11 48.01,11'), pairs('48,11 48.003,11')].map(spots)
  expect([...startGroups(starts!, named).placeOf]).toEqual([1, 0, 2])
})

const setOf = (squares: readonly (readonly number[])[]) => new Set(squares.map(([x, y]) => squareKey({ x: x!, y: y! })))

test.each(oracles.explorer)('$name', ({ squares, count, maxSquare, maxCluster, grow }) => {
  const visited = setOf(squares)
  const found = explored(visited)
  expect({ count: found.count, cluster: found.cluster.size }).toEqual({ count, cluster: maxCluster })
  expect(found.maxSquare ?? { size: 0, x: null, y: null }).toEqual(maxSquare as never)
  const growth = found.maxSquare && growthOf(visited, found.maxSquare)
  expect(growth && { x: growth.x, y: growth.y, missing: growth.missing }).toEqual(grow as never)
})
