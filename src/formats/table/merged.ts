import { rowNumbers } from '../../engine/gather.ts'
import { type PointColumn, PointTable } from './points.ts'
import { valuesOf } from './rows.ts'

/** A list of values with times of its own, Unix milliseconds; columns of equal length. NaN is a missing value. */
export interface TimedColumns {
  readonly timeMs: Float64Array
  readonly columns: readonly (readonly [name: PointColumn, values: Float64Array])[]
}

type Values<Row> = { readonly [Name in PointColumn]?: (row: Row) => number }

/** The rows of a list in columns. @throws FormatError as `valuesOf` */
export function timedColumns<Row>(
  rows: readonly Row[],
  timeMs: (row: Row) => number,
  values: Values<Row>,
): TimedColumns {
  const columns = Object.entries(values).map(([name, value]) => [name as PointColumn, valuesOf(rows, value)] as const)
  return { timeMs: valuesOf(rows, timeMs), columns }
}

/**
 * Lays lists with times of their own on one time base: values of one second become one point, with the time of the list
 * that comes first. Of one list only the first of several rows in a second counts.
 */
export function mergedPoints(sources: readonly TimedColumns[]): PointTable {
  const seconds = sources.map(({ timeMs }) => timeMs.map((ms) => Math.floor(ms / 1000)))
  const orders = seconds.map((second) => {
    const order = rowNumbers(second.length).filter((row) => !Number.isNaN(second[row]!))
    sortByTime(order, second)
    return order
  })
  const next = sources.map(() => 0)
  const secondAt = (k: number) => seconds[k]![orders[k]![next[k]!] ?? -1] ?? Number.POSITIVE_INFINITY
  const points = new PointTable()
  for (;;) {
    const second = Math.min(...sources.map((_, k) => secondAt(k)))
    if (second === Number.POSITIVE_INFINITY) return points
    for (const [k, { timeMs, columns }] of sources.entries()) {
      if (secondAt(k) !== second) continue
      const row = orders[k]![next[k]!]!
      if (Number.isNaN(points.next.timeMs)) points.next.timeMs = timeMs[row]!
      for (const [name, values] of columns) {
        if (Number.isNaN(points.next[name])) points.next[name] = values[row]!
      }
      while (secondAt(k) === second) next[k]! += 1
    }
    points.add()
  }
}

/** Sorts rows by their times; rows of one time keep their order. */
export function sortByTime(rows: Uint32Array, atMs: Float64Array): void {
  const isSorted = rows.every((row, k) => k === 0 || atMs[rows[k - 1]!]! <= atMs[row]!)
  if (!isSorted) rows.sort((a, b) => atMs[a]! - atMs[b]! || a - b)
}
