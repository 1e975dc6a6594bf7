import type { Span } from '../track.ts'
/** Longest time one sample stands for in an average, seconds (ALGORITHMS 2). */
export const MAX_HOLD_S = 10
/** The last sample has no successor: it stands for one second (oracle of ALGORITHMS 2). */
const LAST_HOLD_S = 1

/**
 * Time-weighted mean of a step-held column inside a window: a sample holds from its time to the next sample with a
 * value, but at most `maxHoldS`; the last one holds a second. Rows without a value (NaN) are passed over.
 * @param tS ascending seconds
 * @param values same length as `tS`
 * @returns null when no sample holds inside the window
 */
export function heldMean(tS: Float64Array, values: Float64Array, window: Span, maxHoldS: number): number | null {
  let weightS = 0
  let sum = 0
  let sinceS = Number.NaN
  let held = Number.NaN
  for (let i = firstFrom(tS, window.startS - maxHoldS); i <= tS.length; i += 1) {
    const isPastEnd = i === tS.length
    if (!isPastEnd && Number.isNaN(values[i]!)) continue
    const endS = isPastEnd ? sinceS + Math.min(LAST_HOLD_S, maxHoldS) : Math.min(tS[i]!, sinceS + maxHoldS)
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

/** Index of the first time that is not before `fromS`. */
function firstFrom(tS: Float64Array, fromS: number): number {
  let low = 0
  let high = tS.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (tS[middle]! < fromS) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Seconds that each sample stands for (ALGORITHMS 5): until the next one, after a gap of more than four usual intervals
 * (10 to 60 s) for one usual interval; the last one for a usual interval. Timer-off time is taken out afterwards.
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
    heldS[i] = untilS - startS - offWithin(off, cursor, { startS, endS: untilS })
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
  // One sample a second is the usual case; it needs no sorting.
  if (2 * upToOne > count || count === 0) return 1
  const sorted = intervals.subarray(0, count).sort()
  const median = (sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2
  return Math.min(60, Math.max(1, median))
}

function offWithin(off: readonly Span[], first: number, { startS, endS }: Span): number {
  let sum = 0
  for (let k = first; k < off.length && off[k]!.startS < endS; k += 1) {
    sum += Math.max(0, Math.min(off[k]!.endS, endS) - Math.max(off[k]!.startS, startS))
  }
  return sum
}
