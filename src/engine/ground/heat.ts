import { eachStep } from './line.ts'
import { SQUARE_ZOOM, type Square, UNITS } from './squares.ts'

/** Pixels a side of a tile. */
export const TILE_PX = 256
/** Zoom levels that are drawn. */
export const HEAT_ZOOMS = [6, 15] as const
const MOST_CODE = 255

/** A square of the world in Web Mercator. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** The code of a pixel through which n runs went: exact to 33, then in steps of about 4 % (docs/algorithms.md 24). */
export function codeOf(n: number): number {
  return Math.min(MOST_CODE, Math.floor(19 * Math.log2(n + 1) + 0.5))
}

const CODES = Uint8Array.from({ length: 11_000 }, (_, n) => codeOf(n))

/** The squares that a tile holds, or the one that holds it; the last ones included. */
export function squaresOfTile({ z, x, y }: Tile) {
  const [from, to] = z <= SQUARE_ZOOM ? [2 ** (SQUARE_ZOOM - z), 1] : [1, 2 ** (z - SQUARE_ZOOM)]
  const first = (index: number) => Math.floor(index / to) * from
  return { x0: first(x), x1: first(x) + from - 1, y0: first(y), y1: first(y) + from - 1 }
}

/** Counts the runs of each pixel of a tile, each run once in a pixel. */
export interface HeatTile {
  /** Each run is drawn once in a square. @param run above 0 */
  draw(square: Square, run: number, line: Uint8Array): void
  /** One byte a pixel, rows from the north-west; null: no run touches it. */
  codes(): Uint8Array<ArrayBuffer> | null
}

export function createHeatTile({ z, x, y }: Tile): HeatTile {
  const counts = new Uint32Array(TILE_PX * TILE_PX)
  const lastRun = new Uint32Array(TILE_PX * TILE_PX)
  const squarePx = 2 ** (z - SQUARE_ZOOM + 8)
  const shift = Math.log2(UNITS / squarePx)
  // at the closest level a line is three pixels wide
  const reach = z > SQUARE_ZOOM ? 1 : 0
  let drawn = false
  return {
    draw: (square, run, line) => {
      const [left, top] = [square.x * squarePx - x * TILE_PX, square.y * squarePx - y * TILE_PX]
      const pixel = (unit: number) => Math.min(squarePx - 1, unit >> shift)
      const put = (px: number, py: number) => {
        // a wide line ends with its square, as what is beyond is drawn with the next
        if (px < 0 || py < 0 || px >= squarePx || py >= squarePx) return
        const [column, row] = [left + px, top + py]
        if (column < 0 || row < 0 || column >= TILE_PX || row >= TILE_PX) return
        const at = row * TILE_PX + column
        if (lastRun[at] === run) return
        lastRun[at] = run
        counts[at]! += 1
        drawn = true
      }
      eachStep(line, (fromX, fromY, toX, toY) => {
        const [startX, startY, endX, endY] = [pixel(fromX), pixel(fromY), pixel(toX), pixel(toY)]
        // of a square that is larger than the tile
        if (reach > 0 && (isBeside(startX + left, endX + left) || isBeside(startY + top, endY + top))) return
        bresenham([startX, startY], [endX, endY], (px, py, isSteep) => {
          for (let off = -reach; off <= reach; off += 1) put(isSteep ? px + off : px, isSteep ? py : py + off)
        })
      })
    },
    codes: () => (drawn ? Uint8Array.from(counts, (n) => CODES[n] ?? MOST_CODE) : null),
  }
}

function isBeside(from: number, to: number): boolean {
  return Math.max(from, to) < -1 || Math.min(from, to) > TILE_PX
}

type Pixel = readonly [x: number, y: number]

/** The pixels of a line, both ends included (Bresenham 1965). */
function bresenham([x0, y0]: Pixel, [x1, y1]: Pixel, put: (x: number, y: number, isSteep: boolean) => void): void {
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)]
  const [stepX, stepY] = [x0 < x1 ? 1 : -1, y0 < y1 ? 1 : -1]
  const isSteep = height > width
  let error = width - height
  for (let [x, y] = [x0, y0]; ; ) {
    put(x, y, isSteep)
    if (x === x1 && y === y1) return
    const doubled = 2 * error
    if (doubled > -height) {
      error -= height
      x += stepX
    }
    if (doubled < width) {
      error += width
      y += stepY
    }
  }
}
