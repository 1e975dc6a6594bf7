import { CORRIDOR_M, type RouteLine } from './corridor.ts'
import { METRES_PER_DEGREE, RAD_PER_DEG } from './geo.ts'
import type { RoutePath } from './path.ts'

/** Bytes of a sketch: hashed cells (docs/algorithms.md 6). */
export const SKETCH_CELLS = 512
const CELL_M = 150
/** The corridor and the rounding of stored positions. */
const DILATION_M = CORRIDOR_M + 1
/** A cell holds at least a sample when its byte is not 0, as long as the fullest one holds no more than this. */
const MOST_IN_A_CELL = 509
const FULL_GAP = 255
/** For the noise of sums and divisions. */
const SLACK = 1e-9

/**
 * How many of a route's samples lie in each hashed cell of about 150 m, the fullest as 255, to the nearest byte: none is
 * off by more than half a unit, which `scoreBound` rests on. Raising what rounds to nothing to 1 would break it for long
 * runs round one spot.
 */
export function routeSketch(line: RouteLine): Uint8Array {
  const counts = new Uint32Array(SKETCH_CELLS)
  for (let k = 0; k < line.n; k += 1) counts[cellOf(line.latDeg[k]!, line.lonDeg[k]!)]! += 1
  const fullest = counts.reduce((most, count) => Math.max(most, count), 1)
  return Uint8Array.from(counts, (count) => Math.round((255 * count) / fullest))
}

/**
 * A sketch for storage: of each cell that is not empty how many cells it lies behind the one before, as bytes of 255 and
 * one below, and its byte. One that would not be shorter stays as it is.
 */
export function packSketch(sketch: Uint8Array): Uint8Array {
  const bytes: number[] = []
  let gap = 0
  for (const byte of sketch) {
    if (byte !== 0) {
      for (; gap >= FULL_GAP; gap -= FULL_GAP) bytes.push(FULL_GAP)
      bytes.push(gap, byte)
      gap = 0
    } else gap += 1
  }
  return bytes.length < SKETCH_CELLS ? Uint8Array.from(bytes) : sketch
}

/**
 * The sketch that `packSketch` packed; an older library has it as it is.
 * @throws RangeError for other bytes
 */
export function unpackSketch(packed: Uint8Array): Uint8Array {
  if (packed.length === SKETCH_CELLS) return packed
  const sketch = new Uint8Array(SKETCH_CELLS)
  let cell = 0
  for (let at = 0; at < packed.length; at += 1) {
    const gap = packed[at]!
    cell += gap
    if (gap === FULL_GAP) continue
    at += 1
    if (cell >= SKETCH_CELLS || at >= packed.length) throw new RangeError('A stored sketch is damaged')
    sketch[cell] = packed[at]!
    cell += 1
  }
  return sketch
}

/**
 * How much routes can score against one, at most, as far as their sketches tell (docs/algorithms.md 6). Neither side
 * gets credit for a sample that has none of the other's in its corridor, so the score is no more than 100 * min(covered
 * metres of the one, of the other) / the longer length:
 * - of the candidate, the weight of its cells that the query's corridor meets; a byte is rounded by half a unit at most;
 * - of the query, the samples around which the candidate has a cell that is not empty.
 * @returns a function of a candidate's sketch and length, from 0 to 100
 */
export function scoreBound(query: RoutePath): (sketch: Uint8Array, lengthM: number) => number {
  const around = Array.from({ length: query.n }, (_, k) => cellsAround(query, k))
  // 1 for every cell that a point of the query's corridor can lie in
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

/** Largest share of the candidate's samples that can lie in the cells. */
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

/** True when the fullest cell may hold so much that a sample elsewhere is rounded to nothing. */
export function mayHideCells(sketch: Uint8Array, lengthM: number): boolean {
  let sum = 0
  for (let k = 0; k < SKETCH_CELLS; k += 1) sum += sketch[k]!
  // bytes are 255 * count / fullest, so that their sum is 255 * n / fullest but for their roundings
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

/** The cells that a point of one sample's corridor can lie in, each once. */
function cellsAround(line: RouteLine, k: number): readonly number[] {
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
export function cellOf(latDeg: number, lonDeg: number): number {
  const row = Math.floor((latDeg * METRES_PER_DEGREE) / CELL_M)
  const outerRow = row >= 0 ? row + 1 : row
  const parallelM = 360 * METRES_PER_DEGREE * Math.cos(((outerRow * CELL_M) / METRES_PER_DEGREE) * RAD_PER_DEG)
  const columns = Math.max(1, Math.floor(parallelM / CELL_M))
  const turns = (lonDeg + 180) / 360
  const column = Math.min(columns - 1, Math.floor((turns - Math.floor(turns)) * columns))
  const mixed = Math.imul(row, 0x9e3779b1) ^ Math.imul(column, 0x85ebca6b)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 23) & (SKETCH_CELLS - 1)
}
