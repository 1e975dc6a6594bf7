import type { Stretch } from './stretch.ts'

/** Width of a cell; searches reach no further than this from a position, that of traces of old paths 66 m. */
const CELL_M = 68
const HEADS = 4096

/** The points of a stretch by cell: a hash table with chains. */
export interface StretchGrid {
  readonly stretch: Stretch
  readonly heads: Int32Array
  readonly next: Int32Array
  readonly column: Int32Array
  readonly row: Int32Array
}

export function stretchGrid(stretch: Stretch): StretchGrid {
  const { n, xM, yM } = stretch
  const heads = new Int32Array(HEADS).fill(-1)
  const next = new Int32Array(n)
  const column = new Int32Array(n)
  const row = new Int32Array(n)
  // from the last point backwards, so that every chain ascends
  for (let k = n - 1; k >= 0; k -= 1) {
    column[k] = Math.floor(xM[k]! / CELL_M)
    row[k] = Math.floor(yM[k]! / CELL_M)
    const head = headOf(row[k]!, column[k]!)
    next[k] = heads[head]!
    heads[head] = k
  }
  return { stretch, heads, next, column, row }
}

/**
 * Calls back with the index of every point within one cell width of a position, and of some further ones; in no order.
 * @param xM metres on the plane of the stretch
 */
export function eachNear({ heads, next, column, row }: StretchGrid, xM: number, yM: number, near: (k: number) => void) {
  const c = Math.floor(xM / CELL_M)
  const r = Math.floor(yM / CELL_M)
  for (let y = r - 1; y <= r + 1; y += 1) {
    for (let x = c - 1; x <= c + 1; x += 1) {
      for (let k = heads[headOf(y, x)]!; k >= 0; k = next[k]!) {
        if (row[k] === y && column[k] === x) near(k)
      }
    }
  }
}

function headOf(row: number, column: number): number {
  const mixed = Math.imul(row, 73_856_093) ^ Math.imul(column, 19_349_663)
  return (mixed ^ (mixed >>> 15)) & (HEADS - 1)
}
