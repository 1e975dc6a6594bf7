import { LONGEST_RUN_S } from '../../engine/grid.ts'

/** Of more runs at one time, the records go to the later ones. */
const MOST_AT_ONCE = 8
/** Of so many runs that begin within a long one, the rest is not looked at. */
const MOST_LOOKED_AT = 1000
/** A longer run is refused later. */
const LONGEST_MS = LONGEST_RUN_S * 1000

/** Tells which of many runs, in order of their starts, an interval touches, by their numbers. */
export function createRunTimes(runs: readonly { readonly startMs: number; readonly endMs: number }[]) {
  return (fromMs: number, toMs: number): readonly number[] => {
    let low = 0
    let high = runs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (runs[middle]!.startMs <= toMs) low = middle + 1
      else high = middle
    }
    const found: number[] = []
    const least = Math.max(0, low - MOST_LOOKED_AT)
    for (let run = low - 1; run >= least && found.length < MOST_AT_ONCE; run -= 1) {
      const { startMs, endMs } = runs[run]!
      if (startMs < fromMs - LONGEST_MS) break
      if (endMs >= fromMs && endMs - startMs <= LONGEST_MS) found.push(run)
    }
    return found
  }
}
