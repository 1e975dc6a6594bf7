import type { RoutePath } from './line.ts'
import { cellsAround, corridorCells, SKETCH_CELLS } from './sketch.ts'

/** A cell holds at least a sample when its byte is not 0, as long as the fullest one holds no more than this. */
const MOST_IN_A_CELL = 509
/** For the noise of sums and divisions. */
const SLACK = 1e-9

/**
 * How much routes can score against one, at most, as far as their sketches tell (ALGORITHMS 6). Neither side gets credit
 * for a sample that has none of the other's in its corridor, so the score is no more than
 * 100 * min(covered metres of the one, of the other) / the longer length:
 * - of the candidate, the weight of its cells that the query's corridor meets; a byte is rounded by half a unit at most;
 * - of the query, the samples around which the candidate has a cell that is not empty.
 * @returns a function of a candidate's sketch and length, from 0 to 100
 */
export function scoreBound(query: RoutePath): (sketch: Uint8Array, lengthM: number) => number {
  const cells = corridorCells(query)
  const around = Array.from({ length: query.n }, (_, k) => cellsAround(query, k))
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
function mayHideCells(sketch: Uint8Array, lengthM: number): boolean {
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
