import { decodeSteps, mostOfSteps } from './line.ts'
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
  // at the closest level a line is three pixels wide, and a square is larger than the tile, which shows a part of it
  const margin = z > SQUARE_ZOOM ? 1 : 0
  const side = Math.max(TILE_PX, squarePx) + 2 * margin
  const [counts, lastRun] = [new Uint32Array(side ** 2), new Uint32Array(side ** 2)]
  const shownOf = (index: number) => (index * TILE_PX) % Math.max(TILE_PX, squarePx)
  const shown = { x: shownOf(x), y: shownOf(y) }
  const canvas = { side, margin, squarePx, shown, counts, lastRun }
  const originOf = (square: number, tile: number) => margin + Math.max(0, square * squarePx - tile * TILE_PX)
  let steps = new Int16Array(0)
  return {
    draw: (square, run, line) => {
      if (steps.length < mostOfSteps(line)) steps = new Int16Array(2 * mostOfSteps(line))
      const origin = originOf(square.y, y) * side + originOf(square.x, x)
      drawSteps(canvas, { steps, end: decodeSteps(line, steps), run, origin })
    },
    codes: () => {
      const codes = new Uint8Array(TILE_PX ** 2)
      let isEmpty = true
      for (let row = 0; row < TILE_PX; row += 1) {
        const from = (margin + shown.y + row) * side + margin + shown.x
        for (let column = 0; column < TILE_PX; column += 1) {
          const n = counts[from + column]!
          if (n === 0) continue
          codes[row * TILE_PX + column] = CODES[n] ?? MOST_CODE
          isEmpty = false
        }
      }
      return isEmpty ? null : codes
    },
  }
}

/** Pixels of the squares that a tile shows: how many runs touch each, and which was the last. */
interface Canvas {
  readonly side: number
  readonly margin: number
  readonly squarePx: number
  /** The first pixel of the tile within its square. */
  readonly shown: { readonly x: number; readonly y: number }
  readonly counts: Uint32Array
  readonly lastRun: Uint32Array
}

/** As line.ts decodes them, up to an end. */
interface Drawn {
  readonly steps: Int16Array
  readonly end: number
  readonly run: number
  /** Index of the square's first pixel. */
  readonly origin: number
}

/** In one piece, as a hottest tile has millions of pixels: with a function for each it takes three times as long. */
function drawSteps(
  { side, margin, squarePx, shown, counts, lastRun }: Canvas,
  { steps, end, run, origin }: Drawn,
): void {
  const shift = Math.log2(UNITS / squarePx)
  const last = squarePx - 1
  const [west, north] = [shown.x - margin, shown.y - margin]
  const [east, south] = [shown.x + TILE_PX - 1 + margin, shown.y + TILE_PX - 1 + margin]
  for (let k = 0; k < end; k += 4) {
    const startX = Math.min(last, steps[k]! >> shift)
    const startY = Math.min(last, steps[k + 1]! >> shift)
    const endX = Math.min(last, steps[k + 2]! >> shift)
    const endY = Math.min(last, steps[k + 3]! >> shift)
    if ((startX < west && endX < west) || (startX > east && endX > east)) continue
    if ((startY < north && endY < north) || (startY > south && endY > south)) continue
    const width = Math.abs(endX - startX)
    const height = Math.abs(endY - startY)
    const right = startX < endX ? 1 : -1
    const down = startY < endY ? side : -side
    const beside = height > width ? 1 : side
    const until = origin + endY * side + endX
    let error = width - height
    // Bresenham 1965, both ends included
    for (let at = origin + startY * side + startX; ; ) {
      for (let near = at - margin * beside; near <= at + margin * beside; near += beside) {
        if (lastRun[near] === run) continue
        lastRun[near] = run
        counts[near]! += 1
      }
      if (at === until) break
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
