import { type CellGrid, cellGrid, headOf } from './cell-grid.ts'
import type { Stretch } from './stretch.ts'

/** Width of a cell; searches reach no further than this from a position, those of traces 57 m. */
const CELL_M = 68

export interface StretchGrid extends CellGrid {
  readonly stretch: Stretch
}

export function stretchGrid(stretch: Stretch): StretchGrid {
  return { stretch, ...cellGrid(stretch.yM, stretch.xM, { perY: 1 / CELL_M, perX: 1 / CELL_M }) }
}

/** Calls back with every point within a cell width, and some further ones, in no order. @param xM on the plane */
export function eachNear(
  { perY, perX, heads, next, column, row }: StretchGrid,
  xM: number,
  yM: number,
  near: (k: number) => void,
) {
  const c = Math.floor(xM * perX)
  const r = Math.floor(yM * perY)
  for (let y = r - 1; y <= r + 1; y += 1) {
    for (let x = c - 1; x <= c + 1; x += 1) {
      for (let k = heads[headOf(y, x)]!; k >= 0; k = next[k]!) {
        if (row[k] === y && column[k] === x) near(k)
      }
    }
  }
}
