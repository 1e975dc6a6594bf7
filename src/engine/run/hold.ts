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
