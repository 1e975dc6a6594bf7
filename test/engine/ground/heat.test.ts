// Tiles of the heat map against counts of pixels made in another way.
import { describe, expect, test } from 'bun:test'
import { groundOf } from '../../../src/engine/ground/ground.ts'
import { codeOf, createHeatTile, squaresOfTile, type Tile } from '../../../src/engine/ground/heat.ts'
import { eachStep } from '../../../src/engine/ground/line.ts'
import { columnOf, rowOf } from '../../../src/engine/ground/squares.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import oracles from '../../places-oracles.json'

type Pair = readonly [lat: number, lon: number]

test('codes of counts are those of the vectors', () => {
  for (const [n, code] of oracles.codes) expect([n, codeOf(n!)]).toEqual([n, code!])
  // exact to 33 runs
  expect(new Set(Array.from({ length: 34 }, (_, n) => codeOf(n))).size).toBe(34)
})

function walk(seed: number, [lat, lon]: Pair): Pair[] {
  const random = seededRandom(seed)
  let heading = random() * 7
  let [y, x] = [lat + (random() - 0.5) * 0.01, lon + (random() - 0.5) * 0.01]
  return Array.from({ length: 300 }, (): Pair => {
    heading += (random() - 0.5) * 1.2
    y += Math.sin(heading) * 0.00012
    x += Math.cos(heading) * 0.00018
    return [y, x > 180 ? x - 360 : x]
  })
}

const ground = (positions: readonly Pair[]) =>
  groundOf({
    latDeg: Float64Array.from(positions, ([lat]) => lat),
    lonDeg: Float64Array.from(positions, ([, lon]) => lon),
    tS: Float64Array.from(positions, (_, k) => k),
  })!

type Ground = ReturnType<typeof ground>

function tileOf(grounds: readonly Ground[], tile: Tile): Uint8Array | null {
  const heat = createHeatTile(tile)
  const { x0, x1, y0, y1 } = squaresOfTile(tile)
  for (const [k, { squares }] of grounds.entries()) {
    for (const square of squares) {
      if (square.x >= x0 && square.x <= x1 && square.y >= y0 && square.y <= y1) heat.draw(square, k + 1, square.line)
    }
  }
  return heat.codes()
}

/** Pixels of one run on the whole world at a zoom, by a line drawn step by step along its longer side. */
function pixelsOf({ squares }: Ground, z: number): Set<string> {
  const found = new Set<string>()
  const squarePx = 2 ** (z - 6)
  for (const { x, y, line } of squares) {
    const pixel = (unit: number) => Math.min(squarePx - 1, Math.floor((unit * squarePx) / 1024))
    eachStep(line, (fromX, fromY, toX, toY) => {
      let [px, py] = [pixel(fromX), pixel(fromY)]
      const [endX, endY] = [pixel(toX), pixel(toY)]
      const [wide, high] = [Math.abs(endX - px), Math.abs(endY - py)]
      let error = wide - high
      for (;;) {
        const across = z === 15 ? [-1, 0, 1] : [0]
        for (const off of across) {
          const [column, row] = high > wide ? [px + off, py] : [px, py + off]
          if (column >= 0 && row >= 0 && column < squarePx && row < squarePx)
            found.add(`${x * squarePx + column} ${y * squarePx + row}`)
        }
        if (px === endX && py === endY) break
        const twice = 2 * error
        if (twice > -high) {
          error -= high
          px += Math.sign(endX - px)
        }
        if (twice < wide) {
          error += wide
          py += Math.sign(endY - py)
        }
      }
    })
  }
  return found
}

function tileAt(z: number, [lat, lon]: Pair): Tile {
  const scale = 2 ** (z - 14)
  return { z, x: Math.floor(columnOf(lon) * scale), y: Math.floor(rowOf(lat) * scale) }
}

describe('a tile', () => {
  const PLACES: readonly Pair[] = [
    [48.137, 11.575],
    [-16.8, 179.9995],
  ]
  const runs = PLACES.map((place) => Array.from({ length: 40 }, (_, seed) => ground(walk(seed + 1, place))))

  test.each([6, 9, 12, 13, 14, 15])('of zoom %i equals a count of each pixel over all runs', (z) => {
    for (const [k, place] of PLACES.entries()) {
      const tile = tileAt(z, place)
      const counts = new Map<string, number>()
      for (const run of runs[k]!) for (const key of pixelsOf(run, z)) counts.set(key, (counts.get(key) ?? 0) + 1)
      const expected = Uint8Array.from({ length: 65_536 }, (_, at) => {
        const [column, row] = [tile.x * 256 + (at % 256), tile.y * 256 + Math.floor(at / 256)]
        return codeOf(counts.get(`${column} ${row}`) ?? 0)
      })
      expect(expected.some((code) => code > codeOf(z < 13 ? 2 : 1))).toBe(true)
      expect(tileOf(runs[k]!, tile)).toEqual(expected)
    }
  })
})
