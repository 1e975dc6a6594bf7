import { firstFrom, gathered } from '../gather.ts'
import type { Span } from '../track.ts'
import { secondsWithin } from './moving.ts'

/** Longest time for which one sample holds in an average, seconds (docs/algorithms.md 2). */
export const MAX_HOLD_S = 10
/** The last sample has no successor and holds for one second (docs/algorithms.md 2). */
const LAST_HOLD_S = 1

/** Samples of a sensor with their own times; each holds until the next. */
export interface HeldSeries {
  readonly tS: Float64Array
  readonly values: Float64Array
}

/** The samples between two values, inclusive; null when there is none. */
export function heldSeries(
  tS: Float64Array,
  values: Float64Array,
  [least, most]: readonly [number, number],
): HeldSeries | null {
  const rows = new Uint32Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i += 1) {
    if (values[i]! >= least && values[i]! <= most && Number.isFinite(values[i]!)) {
      rows[count] = i
      count += 1
    }
  }
  const within = rows.subarray(0, count)
  return count === 0 ? null : { tS: gathered(tS, within), values: gathered(values, within) }
}

/**
 * Time-weighted mean inside a window: a sample holds until the next one, but at most `MAX_HOLD_S`; the last one holds a
 * second. null when none holds inside.
 */
export function heldMean({ tS, values }: HeldSeries, window: Span): number | null {
  let weightS = 0
  let sum = 0
  let sinceS = Number.NaN
  let held = Number.NaN
  for (let i = firstFrom(tS, window.startS - MAX_HOLD_S); i <= tS.length; i += 1) {
    const isPastEnd = i === tS.length
    const endS = isPastEnd ? sinceS + LAST_HOLD_S : Math.min(tS[i]!, sinceS + MAX_HOLD_S)
    const seconds = Math.min(endS, window.endS) - Math.max(sinceS, window.startS)
    if (seconds > 0) {
      weightS += seconds
      sum += seconds * held
    }
    if (isPastEnd || tS[i]! >= window.endS) break
    sinceS = tS[i]!
    held = values[i]!
  }
  return weightS > 0 ? sum / weightS : null
}

/** The greatest of the samples inside a window; null when there is none. */
export function heldMost({ tS, values }: HeldSeries, window: Span): number | null {
  let most = Number.NEGATIVE_INFINITY
  for (let i = firstFrom(tS, window.startS); i < tS.length && tS[i]! < window.endS; i += 1) {
    if (values[i]! > most) most = values[i]!
  }
  return most === Number.NEGATIVE_INFINITY ? null : most
}

/**
 * Seconds for which each sample holds (docs/algorithms.md 5): until the next one; before a gap of more than four usual
 * intervals (10 to 60 s), and at the end, for one usual interval. Timer-off time is removed afterwards.
 * @param tS elapsed seconds of the samples that have a value, increasing
 * @param off timer-off spans in order, not overlapping
 */
export function heldSeconds(tS: Float64Array, off: readonly Span[]): Float64Array {
  const nominalS = nominalInterval(tS)
  const longestS = Math.min(60, Math.max(10, 4 * nominalS))
  const heldS = new Float64Array(tS.length)
  let cursor = 0
  for (let i = 0; i < tS.length; i += 1) {
    const startS = tS[i]!
    const gapS = i + 1 < tS.length ? tS[i + 1]! - startS : Number.POSITIVE_INFINITY
    const untilS = startS + (gapS > longestS ? nominalS : Math.max(0, gapS))
    while (cursor < off.length && off[cursor]!.endS <= startS) cursor += 1
    heldS[i] = untilS - startS - secondsWithin(off, startS, untilS, cursor)
  }
  return heldS
}

/** Median interval between samples, 1 to 60 s. */
function nominalInterval(tS: Float64Array): number {
  const intervals = new Float64Array(tS.length)
  let count = 0
  let upToOne = 0
  for (let i = 1; i < tS.length; i += 1) {
    const intervalS = tS[i]! - tS[i - 1]!
    if (!(intervalS > 0)) continue
    intervals[count] = intervalS
    count += 1
    if (intervalS <= 1) upToOne += 1
  }
  // one sample a second is the usual case and needs no sorting
  if (2 * upToOne > count || count === 0) return 1
  const sorted = intervals.subarray(0, count).sort()
  const median = (sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2
  return Math.min(60, Math.max(1, median))
}
