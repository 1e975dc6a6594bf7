import { firstFrom } from '../../gather.ts'
import { median } from '../numbers.ts'

const NEAREST_RUNS = 60
const LOAD_PER_HOUR = 50

interface PacedRun {
  readonly day: number
  readonly hours: number
  /** By pace, before its factor. */
  readonly paceLoad: number
}

/**
 * Factor of loads by pace where nothing calibrates them: the middle one of the 60 runs nearest in days, of equally near
 * the earlier, loads 50 an hour. null without a run.
 */
export function loadScale(runs: readonly PacedRun[]): (day: number) => number | null {
  const usable = runs.filter(({ hours, paceLoad }) => hours > 0 && paceLoad > 0).toSorted((a, b) => a.day - b.day)
  const days = usable.map(({ day }) => day)
  const logs = usable.map(({ hours, paceLoad }) => Math.log((LOAD_PER_HOUR * hours) / paceLoad))
  return (day) => {
    if (usable.length === 0) return null
    const first = firstFrom(days, day)
    let from = Math.max(0, first - NEAREST_RUNS)
    // of runs of one day the first is taken first, so that a day is looked at as a whole
    while (from > 0 && days[from - 1] === days[from]) from -= 1
    const near = logs.slice(from, first + NEAREST_RUNS).map((log, i) => ({ log, off: Math.abs(days[from + i]! - day) }))
    near.sort((a, b) => a.off - b.off)
    return Math.exp(median(near.slice(0, NEAREST_RUNS).map(({ log }) => log)))
  }
}
