import { stepsOf } from './line.ts'
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
  const squarePx = 2 ** (z - SQUARE_ZOOM + 8)
  // at the closest level a line is three pixels wide; a square larger than the tile is drawn whole, with a margin
  const margin = z > SQUARE_ZOOM ? 1 : 0
  const side = Math.max(TILE_PX, squarePx) + 2 * margin
  const canvas = { side, margin, squarePx, counts: new Uint32Array(side ** 2), lastRun: new Uint32Array(side ** 2) }
  const fromTile = (square: number, tile: number) => square * squarePx - tile * TILE_PX
  let corner = 0
  return {
    draw: (square, run, line) => {
      const [left, top] = [fromTile(square.x, x), fromTile(square.y, y)]
      corner = (margin - Math.min(0, top)) * side + margin - Math.min(0, left)
      drawLine(canvas, { line, run, origin: corner + top * side + left })
    },
    codes: () => {
      const codes = new Uint8Array(TILE_PX ** 2)
      for (let row = 0; row < TILE_PX; row += 1) {
        const from = corner + row * side
        for (const [column, n] of canvas.counts.subarray(from, from + TILE_PX).entries()) {
          codes[row * TILE_PX + column] = CODES[n] ?? MOST_CODE
        }
      }
      return codes.some((code) => code > 0) ? codes : null
    },
  }
}

/** Pixels of the squares that a tile shows: how many runs touch each, and which was the last. */
interface Canvas {
  readonly side: number
  readonly margin: number
  readonly squarePx: number
  readonly counts: Uint32Array
  readonly lastRun: Uint32Array
}

/** In one piece, as a hottest tile has millions of pixels: with a function for each it takes three times as long. */
function drawLine(
  { side, margin, squarePx, counts, lastRun }: Canvas,
  { line, run, origin }: { readonly line: Uint8Array; readonly run: number; readonly origin: number },
): void {
  const shift = Math.log2(UNITS / squarePx)
  const last = squarePx - 1
  const steps = stepsOf(line)
  for (let k = 0; k < steps.length; k += 4) {
    const startX = Math.min(last, steps[k]! >> shift)
    const startY = Math.min(last, steps[k + 1]! >> shift)
    const endX = Math.min(last, steps[k + 2]! >> shift)
    const endY = Math.min(last, steps[k + 3]! >> shift)
    const width = Math.abs(endX - startX)
    const height = Math.abs(endY - startY)
    const right = startX < endX ? 1 : -1
    const down = startY < endY ? side : -side
    const beside = height > width ? 1 : side
    const end = origin + endY * side + endX
    let error = width - height
    // Bresenham 1965, both ends included
    for (let at = origin + startY * side + startX; ; ) {
      for (let near = at - margin * beside; near <= at + margin * beside; near += beside) {
        if (lastRun[near] === run) continue
        lastRun[near] = run
        counts[near]! += 1
      }
      if (at === end) break
      const doubled = 2 * error
      if (doubled > -height) {
        error -= height
        at += right
      }
      if (doubled < width) {
        error += width
        at += down
      }
    }
  }
}
