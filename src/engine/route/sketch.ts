import { CORRIDOR_M } from './corridor.ts'
import type { RouteLine } from './line.ts'
/** Bytes of a sketch: hashed cells (ALGORITHMS 6). */
export const SKETCH_CELLS = 512
const CELL_M = 150
/** The corridor and the rounding of stored positions. */
const DILATION_M = CORRIDOR_M + 1
const METRES_PER_DEGREE = 111_195
const RAD_PER_DEG = Math.PI / 180

/**
 * How many of a route's samples lie in each hashed cell of about 150 m, the fullest as 255, to the nearest byte: none is
 * off by more than half a unit, which the bound of engine/sketch-bound.ts rests on. Raising what rounds to nothing to 1
 * would break it for long runs round one spot.
 */
export function routeSketch(line: RouteLine): Uint8Array {
  const counts = new Uint32Array(SKETCH_CELLS)
  for (let k = 0; k < line.n; k += 1) counts[cellOf(line.latDeg[k]!, line.lonDeg[k]!)]! += 1
  const fullest = counts.reduce((most, count) => Math.max(most, count), 1)
  return Uint8Array.from(counts, (count) => Math.round((255 * count) / fullest))
}

/** 1 for every cell that a point of the query's corridor can lie in. */
export function corridorCells(line: RouteLine): Uint8Array {
  const cells = new Uint8Array(SKETCH_CELLS)
  for (let k = 0; k < line.n; k += 1) for (const cell of cellsAround(line, k)) cells[cell] = 1
  return cells
}

/** The cells that a point of one sample's corridor can lie in, each once. */
export function cellsAround(line: RouteLine, k: number): readonly number[] {
  const northDeg = DILATION_M / line.northMPerDeg
  const eastDeg = DILATION_M / line.eastMPerDeg[k]!
  const cells: number[] = []
  // Cells are wider than the square around the sample: its corners, sides and centre meet all of them.
  for (let row = -1; row <= 1; row += 1) {
    for (let column = -1; column <= 1; column += 1) {
      const cell = cellOf(line.latDeg[k]! + row * northDeg, line.lonDeg[k]! + column * eastDeg)
      if (!cells.includes(cell)) cells.push(cell)
    }
  }
  return cells
}

/** Rows of equal height; each has the most columns that keep its cells at least CELL_M wide, so they close round the globe. */
function cellOf(latDeg: number, lonDeg: number): number {
  const row = Math.floor((latDeg * METRES_PER_DEGREE) / CELL_M)
  const outerRow = row >= 0 ? row + 1 : row
  const parallelM = 360 * METRES_PER_DEGREE * Math.cos(((outerRow * CELL_M) / METRES_PER_DEGREE) * RAD_PER_DEG)
  const columns = Math.max(1, Math.floor(parallelM / CELL_M))
  const turns = (lonDeg + 180) / 360
  const column = Math.min(columns - 1, Math.floor((turns - Math.floor(turns)) * columns))
  const mixed = Math.imul(row, 0x9e3779b1) ^ Math.imul(column, 0x85ebca6b)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 23) & (SKETCH_CELLS - 1)
}
