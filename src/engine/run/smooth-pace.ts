import type { Span } from '../track.ts'

/** Half width of the window: receivers wander by metres, and runners do not change pace within seconds. */
const HALF_WINDOW_S = 10
/** Slower than this, 33 minutes a kilometre, is standing: a pace would only be a spike. */
const SLOWEST_MPS = 0.5
/** Seconds below which a window holds nothing. */
const SHORTEST_S = 1e-6

/**
 * Pace at each row, seconds per km: the time over the distance of the 10 s on either side, linear between rows and never
 * across a pause. At the ends of the run and at pauses the window is what is left of it. O(n).
 * @param tS strictly ascending seconds
 * @param distanceM cumulative metres, never falling, NaN nowhere
 * @param off timer-off time, sorted and apart
 * @returns NaN within pauses and where the runner stands
 */
export function smoothPace(tS: Float64Array, distanceM: Float64Array, off: readonly Span[]): Float64Array {
  const result = new Float64Array(tS.length).fill(Number.NaN)
  const metresAtLow = ascendingReader(tS, distanceM)
  const metresAtHigh = ascendingReader(tS, distanceM)
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

/** Reads a column between its rows at times that never fall. */
function ascendingReader(tS: Float64Array, values: Float64Array): (atS: number) => number {
  let row = 0
  return (atS) => {
    while (row + 1 < tS.length && tS[row + 1]! <= atS) row += 1
    if (row + 1 === tS.length || atS <= tS[row]!) return values[row]!
    const part = (atS - tS[row]!) / (tS[row + 1]! - tS[row]!)
    return values[row]! + part * (values[row + 1]! - values[row]!)
  }
}
