import { CORRIDOR_M, type RouteLine } from './corridor.ts'
import { METRES_PER_DEGREE, RAD_PER_DEG } from './geo.ts'
import type { RoutePath } from './path.ts'

/** Number of hashed cells of a sketch, one byte each (docs/algorithms.md 6). */
const SKETCH_CELLS = 512
const CELL_M = 150
/** Width of the corridor plus the rounding of stored positions. */
const DILATION_M = CORRIDOR_M + 1
/** While the fullest cell holds at most this many samples, every cell with a sample has a byte above 0. */
const MOST_IN_A_CELL = 509
/** Tolerance for rounding errors of sums and divisions. */
const SLACK = 1e-9

/**
 * Samples per hashed cell of about 150 m, scaled so that the fullest is 255. No byte is off by more than half a unit,
 * which `scoreBound` relies on; raising bytes that round to 0 to 1 would break that for long runs round one spot.
 */
export function routeSketch(line: RouteLine): Uint8Array {
  const counts = new Uint32Array(SKETCH_CELLS)
  for (let k = 0; k < line.n; k += 1) counts[cellOf(line.latDeg[k]!, line.lonDeg[k]!)]! += 1
  const fullest = counts.reduce((most, count) => Math.max(most, count), 1)
  return Uint8Array.from(counts, (count) => Math.round((255 * count) / fullest))
}

/**
 * Upper bound of the score, 0 to 100, of routes by their sketches and lengths (docs/algorithms.md 6). Neither side gets
 * credit for a sample with no sample of the other in its corridor, so it is 100 * the smaller covered length / the
 * longer length:
 * - of the candidate, the weight of its cells that touch the corridor; a byte is rounded by half a unit at most;
 * - of the query, the samples around which the candidate has a cell that is not empty.
 */
export function scoreBound(query: RoutePath): (sketch: Uint8Array, lengthM: number) => number {
  const around = Array.from({ length: query.n }, (_, k) => cellsAround(query, k))
  // 1 for every cell that the query's corridor touches
  const cells = new Uint8Array(SKETCH_CELLS)
  for (const cell of around.flat()) cells[cell] = 1
  return (sketch, lengthM) => {
    const longerM = Math.max(query.lengthM, lengthM)
    if (!(longerM > 0)) return 0
    const hides = mayHideCells(sketch, lengthM)
    const candidateM = lengthM * weightInside(sketch, cells, hides)
    const queryM = query.lengthM * (hides ? 1 : coveredShare(sketch, around))
    return Math.min(100, (100 * Math.min(candidateM, queryM)) / longerM + SLACK)
  }
}

/** Largest share of the candidate's samples that can be in these cells. */
function weightInside(sketch: Uint8Array, cells: Uint8Array, hides: boolean): number {
  let inside = 0
  let outside = 0
  for (let k = 0; k < SKETCH_CELLS; k += 1) {
    const byte = sketch[k]!
    if (byte === 0 && !(hides && cells[k] === 1)) continue
    if (cells[k] === 1) inside += byte + 0.5
    else outside += byte - 0.5
  }
  return inside > 0 ? inside / (inside + outside) : 0
}

/** Whether the fullest cell may hold so many samples that cells with a single sample are rounded to 0. */
function mayHideCells(sketch: Uint8Array, lengthM: number): boolean {
  let sum = 0
  for (let k = 0; k < SKETCH_CELLS; k += 1) sum += sketch[k]!
  // bytes are 255 * count / fullest, so apart from rounding their sum is 255 * n / fullest
  const samples = Math.max(1, Math.round(lengthM / 20))
  return 255 * samples > MOST_IN_A_CELL * (sum - SKETCH_CELLS / 2)
}

function coveredShare(sketch: Uint8Array, around: readonly (readonly number[])[]): number {
  let covered = 0
  for (const cells of around) {
    for (const cell of cells) {
      if (sketch[cell]! === 0) continue
      covered += 1
      break
    }
  }
  return covered / around.length
}

/** The cells that the corridor around one sample touches, each once. */
function cellsAround(line: RouteLine, k: number): readonly number[] {
  const northDeg = DILATION_M / line.northMPerDeg
  const eastDeg = DILATION_M / line.eastMPerDeg[k]!
  const cells: number[] = []
  // Cells are wider than the square around the sample, so its corners, side middles and centre are in all cells that it
  // touches.
  for (let row = -1; row <= 1; row += 1) {
    for (let column = -1; column <= 1; column += 1) {
      const cell = cellOf(line.latDeg[k]! + row * northDeg, line.lonDeg[k]! + column * eastDeg)
      if (!cells.includes(cell)) cells.push(cell)
    }
  }
  return cells
}

/** Rows have equal height, and as many columns as are CELL_M wide, so that they close round the globe. */
function cellOf(latDeg: number, lonDeg: number): number {
  const row = cellRow(latDeg)
  const column = cellColumn(row, lonDeg)
  const mixed = Math.imul(row, 0x9e3779b1) ^ Math.imul(column, 0x85ebca6b)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 23) & (SKETCH_CELLS - 1)
}

/** Row of a cell of about 150 m, from the equator to the north. */
export function cellRow(latDeg: number): number {
  return Math.floor((latDeg * METRES_PER_DEGREE) / CELL_M)
}

export function cellColumn(row: number, lonDeg: number): number {
  const outerRow = row >= 0 ? row + 1 : row
  const parallelM = 360 * METRES_PER_DEGREE * Math.cos(((outerRow * CELL_M) / METRES_PER_DEGREE) * RAD_PER_DEG)
  const columns = Math.max(1, Math.floor(parallelM / CELL_M))
  const turns = (lonDeg + 180) / 360
  return Math.min(columns - 1, Math.floor((turns - Math.floor(turns)) * columns))
}
