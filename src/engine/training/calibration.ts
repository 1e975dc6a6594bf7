import { firstFrom } from '../gather.ts'
import { clamped, PER_DEVIATION } from './numbers.ts'

/** Pairs up to this many days away count, at most `MOST_PAIRS`; with fewer than `LEAST_PAIRS` there is no factor. */
const REACH_DAYS = 365
const MOST_PAIRS = 60
export const LEAST_PAIRS = 8
/** A run is suspect when it deviates by more than this share, or by more than this many spreads. */
const LEAST_SUSPECT = 0.3
const SUSPECT_SPREADS = 3.5

/** One run whose load was measured in both ways. */
export interface Pair {
  readonly day: number
  /** On the scale of the load that counts. */
  readonly load: number
  /** The substitute's load, before its factor. */
  readonly raw: number
}

export interface Calibration {
  readonly factor: number
  /** Number of runs that the factor rests on. */
  readonly n: number
  /** Standard deviation of the logarithm of a single run's deviation. */
  readonly spread: number
}

/** Returns the factor of a day; null: fewer than 8 pairs within a year. */
export type Calibrator = (day: number) => Calibration | null

/** Median ratio of the 60 pairs nearest in days, within a year, of equally near the earlier, limited to `bounds`. */
export function calibrator(pairs: readonly Pair[], bounds: readonly [least: number, most: number]): Calibrator {
  const usable = pairs.filter(({ load, raw }) => load > 0 && raw > 0).toSorted((a, b) => a.day - b.day)
  const days = Float64Array.from(usable, ({ day }) => day)
  const window = slidingWindow(Float64Array.from(usable, ({ load, raw }) => Math.log(load / raw)))
  return (day) => {
    const end = firstFrom(days, day + REACH_DAYS + 1)
    let from = firstFrom(days, day - REACH_DAYS)
    let last = end - MOST_PAIRS
    while (from < last) {
      const middle = (from + last) >> 1
      if (day - days[middle]! > days[middle + MOST_PAIRS]! - day) from = middle + 1
      else last = middle
    }
    const to = Math.min(end, from + MOST_PAIRS)
    if (to - from < LEAST_PAIRS) return null
    const { middle, deviation } = window(from, to)
    return { factor: clamped(Math.exp(middle), ...bounds), n: to - from, spread: PER_DEVIATION * deviation }
  }
}

/**
 * Median and median absolute deviation of the values of a range. Successive ranges differ little, so the values are
 * kept sorted and only those that enter or leave are moved.
 */
function slidingWindow(values: Float64Array): (from: number, to: number) => { middle: number; deviation: number } {
  let first = 0
  let end = 0
  // two ranges that overlap are never further apart
  const sorted = new Float64Array(2 * MOST_PAIRS)
  let count = 0
  const put = (value: number) => {
    const at = firstFrom(sorted, value, count)
    sorted.copyWithin(at + 1, at, count)
    sorted[at] = value
    count += 1
  }
  const take = (value: number) => {
    const at = firstFrom(sorted, value, count)
    sorted.copyWithin(at, at + 1, count)
    count -= 1
  }
  let known = { middle: Number.NaN, deviation: Number.NaN }
  return (from, to) => {
    // runs of one day, and those before the first year and after the last
    if (from === first && to === end) return known
    if (from >= end || to <= first) {
      count = 0
      first = from
      end = from
    }
    while (end < to) put(values[end++]!)
    while (first > from) put(values[--first]!)
    while (end > to) take(values[--end]!)
    while (first < from) take(values[first++]!)
    const half = count >> 1
    const middle = count % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
    known = { middle, deviation: middleDeviation(middle) }
    return known
  }

  /** Median absolute deviation; distances grow from the median to either side, so no sorting is needed. */
  function middleDeviation(middle: number): number {
    let above = firstFrom(sorted, middle, count)
    let below = above - 1
    let before = 0
    let last = 0
    for (let taken = 0; taken <= count >> 1; taken += 1) {
      before = last
      const up = above < count ? Math.abs(sorted[above]! - middle) : Number.POSITIVE_INFINITY
      const down = below >= 0 ? Math.abs(sorted[below]! - middle) : Number.POSITIVE_INFINITY
      if (up <= down) above += 1
      else below -= 1
      last = Math.min(up, down)
    }
    return count % 2 === 1 ? last : (before + last) / 2
  }
}

/** Whether a load by heart rate deviates from the raw one by pace more than those of the runs around do. */
export function isSuspect({ load, raw }: Pick<Pair, 'load' | 'raw'>, calibration: Calibration | null): boolean {
  if (calibration === null || !(load > 0) || !(raw > 0)) return false
  const off = Math.abs(Math.log(load / (calibration.factor * raw)))
  return off > Math.max(LEAST_SUSPECT, SUSPECT_SPREADS * calibration.spread)
}
