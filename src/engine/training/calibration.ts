import { clamped, median, robustSpread } from './numbers.ts'

/** Days that a pair may be away, pairs that count, and with fewer than these there is no factor. */
const REACH_DAYS = 365
const MOST_PAIRS = 60
export const LEAST_PAIRS = 8
/** Unusual beyond this, or beyond so many spreads. */
const LEAST_SUSPECT = 0.3
const SUSPECT_SPREADS = 3.5

/** One run that was measured in both ways. */
export interface Pair {
  readonly day: number
  /** On the scale that counts. */
  readonly load: number
  /** By the substitute, before its factor. */
  readonly raw: number
}

export interface Calibration {
  readonly factor: number
  /** Runs that it rests on. */
  readonly n: number
  /** Standard deviation of the logarithm of what one run is off by. */
  readonly spread: number
}

/** Finds the factor of a day; null: fewer than 8 pairs within a year. */
export type Calibrator = (day: number) => Calibration | null

/**
 * The median ratio of the 60 pairs nearest in days, at most a year away; of pairs as far the earlier ones.
 * @param bounds of the factor
 */
export function calibrator(pairs: readonly Pair[], bounds: readonly [least: number, most: number]): Calibrator {
  const usable = pairs.filter(({ load, raw }) => load > 0 && raw > 0).toSorted((a, b) => a.day - b.day)
  const logs = usable.map(({ load, raw }) => Math.log(load / raw))
  return (day) => {
    let from = firstFrom(usable, day)
    let to = from
    while (to - from < MOST_PAIRS) {
      const before = from > 0 ? day - usable[from - 1]!.day : Number.POSITIVE_INFINITY
      const after = to < usable.length ? usable[to]!.day - day : Number.POSITIVE_INFINITY
      if (Math.min(before, after) > REACH_DAYS) break
      if (before <= after) from -= 1
      else to += 1
    }
    if (to - from < LEAST_PAIRS) return null
    const near = logs.slice(from, to)
    const middle = median(near)
    return { factor: clamped(Math.exp(middle), ...bounds), n: near.length, spread: robustSpread(near, middle) }
  }
}

/** Place of the first pair that is not before a day. */
function firstFrom(sorted: readonly Pair[], day: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]!.day < day) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * True when a heart rate says something else of a run than its pace does, by more than the runs around it.
 * @param load by heart rate
 * @param raw by pace, before its factor
 */
export function isSuspect({ load, raw }: Pick<Pair, 'load' | 'raw'>, calibration: Calibration | null): boolean {
  if (calibration === null || !(load > 0) || !(raw > 0)) return false
  const off = Math.abs(Math.log(load / (calibration.factor * raw)))
  return off > Math.max(LEAST_SUSPECT, SUSPECT_SPREADS * calibration.spread)
}
