import { nearestRow, type RunSeries } from '../charts/series.ts'
import type { GhostRace } from '../types.ts'

/** Position of the ghost and its gap along the run. */
export interface GhostPlaces {
  /** The row of this run at which the ghost is when the runner is at `row`. */
  rowOf(row: number): number
  /** Seconds behind at a row; negative is ahead. */
  gapAt(row: number): number
}

/** @returns null for a run without distances */
export function ghostPlaces({ places }: Pick<GhostRace, 'places'>, series: RunSeries): GhostPlaces | null {
  const { distanceM: along } = series
  if (along === null) return null
  const { distanceM, elapsedS, ghostElapsedS, gapS } = places
  const startS = ghostElapsedS[0]! - elapsedS[0]!
  return {
    rowOf: (row) => nearestRow(along, between(ghostElapsedS, distanceM, series.elapsedS[row]! + startS)),
    gapAt: (row) => between(distanceM, gapS, along[row]!),
  }
}

/** Interpolates a column where a never falling one has the value. */
export function between(ascending: readonly number[], column: readonly number[], at: number): number {
  let low = 0
  let high = ascending.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= at) low = middle
    else high = middle
  }
  const step = ascending[high]! - ascending[low]!
  const part = step > 0 ? Math.max(0, Math.min(1, (at - ascending[low]!) / step)) : 0
  return column[low]! + part * (column[high]! - column[low]!)
}
