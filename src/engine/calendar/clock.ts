/** A record this much earlier than the one before it is sorted in; after a longer step back the clock was set back. */
const SORTED_STEP_MS = 60_000
/** When the records outlast the session by more than this, the clock is taken to have jumped forward. */
const SURPLUS_S = 60
/** Length that remains of a gap made by a jump of the clock, and the distance of two records after a step back. */
const KEPT_GAP_S = 1

/**
 * Mends a device clock that was set back (docs/algorithms.md 0, rule 1): after a step back of more than 60 s the rest
 * of the file moves to follow one second later. Shorter steps back stay, for sorting.
 * @param timeMs Unix milliseconds in file order; NaN (no time) stays NaN
 */
export function mendBackwardSteps(timeMs: Float64Array): Float64Array {
  const mended = new Float64Array(timeMs.length)
  let shiftMs = 0
  let previousMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < timeMs.length; i += 1) {
    let atMs = timeMs[i]! + shiftMs
    if (previousMs - atMs > SORTED_STEP_MS) {
      const followsMs = previousMs + KEPT_GAP_S * 1000
      shiftMs += followsMs - atMs
      atMs = followsMs
    }
    mended[i] = atMs
    if (Number.isFinite(atMs)) previousMs = atMs
  }
  return mended
}

/**
 * Removes the time by which the records outlast the device's own elapsed time by more than 60 s (docs/algorithms.md 0,
 * rule 3): the clock jumped within the largest gap, which is shortened to one second; what is still beyond is
 * dropped.
 * @param tS ascending seconds since the session's start
 * @param totalElapsedS as the device states it; 0 or less: it states none and nothing is removed
 * @returns the times of the records that stay, and how many of the first records these are
 */
export function removeSurplus(tS: Float64Array, totalElapsedS: number): { tS: Float64Array; kept: number } {
  const n = tS.length
  const surplusS = n === 0 ? 0 : tS[n - 1]! - totalElapsedS
  if (!(totalElapsedS > 0) || !(surplusS > SURPLUS_S)) return { tS, kept: n }
  let after = 0
  let largestS = KEPT_GAP_S
  for (let i = 1; i < n; i += 1) {
    const gapS = tS[i]! - tS[i - 1]!
    if (gapS > largestS) {
      largestS = gapS
      after = i
    }
  }
  const removedS = Math.min(surplusS, largestS - KEPT_GAP_S)
  const mended = tS.slice()
  if (after > 0) for (let i = after; i < n; i += 1) mended[i]! -= removedS
  let kept = n
  // Half a millisecond: the subtraction above must not push the last record past the end it was moved to.
  while (kept > 0 && mended[kept - 1]! > totalElapsedS + 0.0005) kept -= 1
  return { tS: mended.subarray(0, kept), kept }
}
