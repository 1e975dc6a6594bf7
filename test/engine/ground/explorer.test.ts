// Counts, blocks and clusters of squares against the vectors of an independent program.
import { expect, test } from 'bun:test'
import { explored, growthOf } from '../../../src/engine/ground/explorer.ts'
import { squareKey } from '../../../src/engine/ground/squares.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import oracles from '../../places-oracles.json'

const setOf = (squares: readonly (readonly number[])[]) => new Set(squares.map(([x, y]) => squareKey({ x: x!, y: y! })))

test.each(oracles.explorer)('$name', ({ squares, count, maxSquare, maxCluster, grow }) => {
  const visited = setOf(squares)
  const found = explored(visited)
  expect({ count: found.count, cluster: found.cluster.size }).toEqual({ count, cluster: maxCluster })
  expect(found.maxSquare ?? { size: 0, x: null, y: null }).toEqual(maxSquare as never)
  const growth = found.maxSquare && growthOf(visited, found.maxSquare)
  expect(growth && { x: growth.x, y: growth.y, missing: growth.missing }).toEqual(grow as never)
})

test('a square of 40 by 40 that closes round the globe is one block, in any order', () => {
  const random = seededRandom(4)
  const squares = Array.from({ length: 1600 }, (_, k) => [(16_364 + (k % 40)) % 16_384, 500 + Math.floor(k / 40)])
  const visited = setOf(squares.toSorted(() => random() - 0.5))
  const { maxSquare, inner, cluster } = explored(visited)
  expect(maxSquare).toEqual({ size: 40, x: 16_364, y: 500 })
  expect([inner.size, cluster.size]).toEqual([38 * 38, 38 * 38])
})
