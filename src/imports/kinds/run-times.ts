import { LONGEST_RUN_S } from '../../engine/grid.ts'

/** Of more runs at one time, the records go to the later ones. */
const MOST_AT_ONCE = 8
/** Of so many runs that begin within a long one, the rest is not looked at. */
const MOST_LOOKED_AT = 1000

interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** Which of many runs, in order of their starts, were under way at a time. */
export class RunTimes {
  private readonly startMs: Float64Array
  private readonly endMs: Float64Array
  /** The latest end up to each run. */
  private readonly reachedMs: Float64Array
  private readonly found: number[] = []

  constructor(runs: readonly Stretch[]) {
    this.startMs = Float64Array.from(runs, ({ startMs }) => startMs)
    // a longer one is refused later, and would be looked at for each record
    this.endMs = Float64Array.from(runs, ({ startMs, endMs }) => (endMs - startMs > LONGEST_RUN_S * 1000 ? NaN : endMs))
    let reached = Number.NEGATIVE_INFINITY
    this.reachedMs = this.endMs.map((end) => {
      if (end > reached) reached = end
      return reached
    })
  }

  /** The numbers of the runs that an interval touches; valid until the next call. */
  at(fromMs: number, toMs: number): readonly number[] {
    const { found, startMs, endMs, reachedMs } = this
    found.length = 0
    let low = 0
    let high = startMs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (startMs[middle]! <= toMs) low = middle + 1
      else high = middle
    }
    const least = Math.max(0, low - MOST_LOOKED_AT)
    for (let run = low - 1; run >= least && reachedMs[run]! >= fromMs && found.length < MOST_AT_ONCE; run -= 1) {
      if (endMs[run]! >= fromMs) found.push(run)
    }
    return found
  }
}
