import { reader } from '../gather.ts'
import type { Span } from '../track.ts'

/** Half width of the window: GPS positions wander by metres, while runners do not change pace within seconds. */
const HALF_WINDOW_S = 10
/** Slower than this, 33 minutes a kilometre, counts as standing and has no pace. */
const SLOWEST_MPS = 0.5
/** A window of less than this many seconds is empty. */
const SHORTEST_S = 1e-6

/**
 * Pace at each row, seconds per km: time over distance of the 10 s on either side, interpolated between rows and never
 * across a pause. At the ends of the run and at pauses the window is cut. O(n).
 * @param tS strictly ascending seconds
 * @param distanceM cumulative metres, never falling, never NaN
 * @param off timer-off time, sorted, not overlapping
 * @returns NaN within pauses and where the runner stands
 */
export function smoothPace(tS: Float64Array, distanceM: Float64Array, off: readonly Span[]): Float64Array {
  const result = new Float64Array(tS.length).fill(Number.NaN)
  const metresAtLow = reader(tS, distanceM)
  const metresAtHigh = reader(tS, distanceM)
  const lastS = tS.at(-1) ?? 0
  let next = 0
  for (let i = 0; i < tS.length; i += 1) {
    const atS = tS[i]!
    while (next < off.length && off[next]!.endS <= atS) next += 1
    const pause = off[next]
    if (pause !== undefined && pause.startS < atS) continue
    const fromS = Math.max(off[next - 1]?.endS ?? 0, atS - HALF_WINDOW_S, tS[0]!)
    const toS = Math.min(pause?.startS ?? lastS, atS + HALF_WINDOW_S, lastS)
    const seconds = toS - fromS
    const metres = metresAtHigh(toS) - metresAtLow(fromS)
    if (seconds > SHORTEST_S && metres >= SLOWEST_MPS * seconds) result[i] = (seconds / metres) * 1000
  }
  return result
}
