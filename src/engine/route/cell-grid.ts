const HEADS = 4096

/** Points by cell: a hash table with chains. */
export interface CellGrid {
  /** Cells per unit of either coordinate. */
  readonly perY: number
  readonly perX: number
  readonly heads: Int32Array
  readonly next: Int32Array
  readonly row: Int32Array
  readonly column: Int32Array
}

export function cellGrid(y: Float64Array, x: Float64Array, { perY, perX }: Pick<CellGrid, 'perY' | 'perX'>): CellGrid {
  const heads = new Int32Array(HEADS).fill(-1)
  const next = new Int32Array(y.length)
  const row = new Int32Array(y.length)
  const column = new Int32Array(y.length)
  // from the last point backwards, so that every chain ascends
  for (let k = y.length - 1; k >= 0; k -= 1) {
    row[k] = Math.floor(y[k]! * perY)
    column[k] = Math.floor(x[k]! * perX)
    const head = headOf(row[k]!, column[k]!)
    next[k] = heads[head]!
    heads[head] = k
  }
  return { perY, perX, heads, next, row, column }
}

/** The chain of a cell. */
export function headOf(row: number, column: number): number {
  const mixed = Math.imul(row, 73_856_093) ^ Math.imul(column, 19_349_663)
  return (mixed ^ (mixed >>> 15)) & (HEADS - 1)
}
