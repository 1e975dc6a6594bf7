import { firstFrom } from '../gather.ts'
import { clamped, middleOf, PER_DEVIATION } from './numbers.ts'

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
  const days = usable.map(({ day }) => day)
  const window = slidingWindow(usable.map(({ load, raw }) => Math.log(load / raw)))
  return (day) => {
    let from = firstFrom(days, day)
    let to = from
    while (to - from < MOST_PAIRS) {
      const before = from > 0 ? day - usable[from - 1]!.day : Number.POSITIVE_INFINITY
      const after = to < usable.length ? usable[to]!.day - day : Number.POSITIVE_INFINITY
      if (Math.min(before, after) > REACH_DAYS) break
      if (before <= after) from -= 1
      else to += 1
    }
    if (to - from < LEAST_PAIRS) return null
    const { middle, deviation } = window(from, to)
    return { factor: clamped(Math.exp(middle), ...bounds), n: to - from, spread: PER_DEVIATION * deviation }
  }
}

/**
 * Median and median absolute deviation of the values of a range. Successive ranges differ little, so the values are
 * kept sorted and only those that enter or leave are moved.
 */
function slidingWindow(values: readonly number[]): (from: number, to: number) => { middle: number; deviation: number } {
  let first = 0
  let end = 0
  const sorted: number[] = []
  const put = (value: number) => sorted.splice(firstFrom(sorted, value), 0, value)
  const take = (value: number) => sorted.splice(firstFrom(sorted, value), 1)
  return (from, to) => {
    if (from >= end || to <= first) {
      sorted.length = 0
      first = from
      end = from
    }
    while (end < to) put(values[end++]!)
    while (first > from) put(values[--first]!)
    while (end > to) take(values[--end]!)
    while (first < from) take(values[first++]!)
    const middle = middleOf(sorted)
    return { middle, deviation: middleDeviation(sorted, middle) }
  }
}

/** Median absolute deviation; distances grow from the median to either side, so no sorting is needed. */
function middleDeviation(sorted: readonly number[], middle: number): number {
  let above = firstFrom(sorted, middle)
  let below = above - 1
  let before = 0
  let last = 0
  for (let taken = 0; taken <= sorted.length >> 1; taken += 1) {
    before = last
    const up = above < sorted.length ? Math.abs(sorted[above]! - middle) : Number.POSITIVE_INFINITY
    const down = below >= 0 ? Math.abs(sorted[below]! - middle) : Number.POSITIVE_INFINITY
    if (up <= down) above += 1
    else below -= 1
    last = Math.min(up, down)
  }
  return sorted.length % 2 === 1 ? last : (before + last) / 2
}

/** Whether a load by heart rate deviates from the raw one by pace more than those of the runs around do. */
export function isSuspect({ load, raw }: Pick<Pair, 'load' | 'raw'>, calibration: Calibration | null): boolean {
  if (calibration === null || !(load > 0) || !(raw > 0)) return false
  const off = Math.abs(Math.log(load / (calibration.factor * raw)))
  return off > Math.max(LEAST_SUSPECT, SUSPECT_SPREADS * calibration.spread)
}
