/** A value holds until the next row, but at most this long, so not over pauses. */
const MOST_HELD_S = 20

/**
 * Smooths paces by the mean speed in a window around each row; a row without a pace stays without. O(n).
 * @param elapsedS ascending seconds
 * @param paces seconds per km, NaN is a gap
 * @param windowS seconds, half before and half after
 */
export function smoothedPaces(elapsedS: Float64Array, paces: Float64Array, windowS: number): Float64Array {
  const n = paces.length
  /** Prefix sums up to a row: seconds, and seconds times speed. */
  const seconds = new Float64Array(n + 1)
  const ways = new Float64Array(n + 1)
  for (let i = 0; i < n; i += 1) {
    const untilNext = i + 1 < n ? elapsedS[i + 1]! - elapsedS[i]! : elapsedS[i]! - (elapsedS[i - 1] ?? elapsedS[i]! - 1)
    const heldS = paces[i]! > 0 ? Math.min(MOST_HELD_S, untilNext) : 0
    seconds[i + 1] = seconds[i]! + heldS
    ways[i + 1] = ways[i]! + (heldS > 0 ? heldS / paces[i]! : 0)
  }
  const result = new Float64Array(n).fill(Number.NaN)
  let from = 0
  let to = 0
  for (let i = 0; i < n; i += 1) {
    while (elapsedS[from]! < elapsedS[i]! - windowS / 2) from += 1
    while (to < n && elapsedS[to]! <= elapsedS[i]! + windowS / 2) to += 1
    if (Number.isNaN(paces[i]!)) continue
    const way = ways[to]! - ways[from]!
    result[i] = way > 0 ? (seconds[to]! - seconds[from]!) / way : paces[i]!
  }
  return result
}
