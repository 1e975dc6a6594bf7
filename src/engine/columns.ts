import { LIMITS } from './grid.ts'
import type { Column, SampleColumns } from './track.ts'

export const COLUMNS = Object.keys(LIMITS) as readonly Column[]

/** Every column of samples, made by its name. */
export function columnsWith(made: (name: Column) => Float64Array): Record<Column, Float64Array> {
  return Object.fromEntries(COLUMNS.map((name) => [name, made(name)])) as Record<Column, Float64Array>
}

/** The columns alone of what has others beside them. */
export function columnsOf(samples: SampleColumns): Record<Column, Float64Array> {
  return columnsWith((name) => samples[name])
}

/** Columns of gaps. */
export function emptyColumns(n: number): Record<Column, Float64Array> {
  return columnsWith(() => new Float64Array(n).fill(Number.NaN))
}
