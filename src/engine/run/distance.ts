import { gathered, reader, rowsWith } from '../gather.ts'
import { distanceBetweenM } from '../route/geo.ts'
import type { Positions, Span } from '../track.ts'
import { type Stop, stops, timerOnS } from './moving.ts'

/** Faster steps are not running: Bolt's fastest measured ten metres were 12.3 m/s. */
export const IMPOSSIBLE_MPS = 12.5
/** Metres beyond that speed that a GPS receiver may jump in one record when it catches up after a stop. */
export const JUMP_SLACK_M = 100
const GATE_M = 5
/** A stop has jitter with this many steps, or steps this short on average; few long ones are a slow walk. */
const JITTER_STEPS = 20
const JITTER_STEP_S = 3

interface GpsDistance {
  /** Cumulative metres at every row. */
  readonly distanceM: Float64Array
  /** Along anchors at least 5 m apart, linear in time between them, so that jitter while standing adds nothing. */
  readonly gatedM: Float64Array
  /** As `gatedM`, but in stops too sparse for jitter the plain steps count, since the runner walked there. */
  readonly movedM: Float64Array
}

/**
 * Distance from positions (docs/algorithms.md 4, steps 2 to 4): the sum of WGS84 steps. Steps that touch timer-off time
 * and jumps beyond 12.5 m/s + 100 m add nothing; within stops that contain jitter (docs/algorithms.md 18) it grows as
 * `gatedM` does. Rows without a position are interpolated in time; before the first and after the last it does not
 * grow.
 * @param tS strictly ascending seconds
 * @param off timer-off time, sorted, not overlapping
 * @returns null with fewer than two positions
 */
export function gpsDistance(tS: Float64Array, { latDeg, lonDeg }: Positions, off: readonly Span[]): GpsDistance | null {
  const rows = rowsWith(latDeg, lonDeg)
  if (rows.length < 2) return null
  const timeS = gathered(tS, rows)
  const onS = timerOnS(timeS, off)
  const stepM = new Float64Array(rows.length - 1)
  const isBreak = new Uint8Array(rows.length - 1)
  for (let k = 0; k < stepM.length; k += 1) {
    const seconds = timeS[k + 1]! - timeS[k]!
    const metres = betweenRows(k, k + 1)
    isBreak[k] = isJump(metres, seconds) || onS[k]! < seconds - 1e-9 ? 1 : 0
    stepM[k] = isBreak[k] === 1 ? 0 : metres
  }
  const gatedM = gated()
  const found = stops(timeS, gatedM, { off, elevM: null })
  const sparse = found.filter((stop) => !holdsJitter(stop))
  const movedM = sparse.length === 0 ? gatedM : withSteps(gatedM, stepM, sparse)
  for (const stop of found) {
    if (!holdsJitter(stop)) continue
    for (let k = stop.firstIndex; k < stop.lastIndex; k += 1) stepM[k] = gatedM[k + 1]! - gatedM[k]!
  }
  const distanceM = new Float64Array(rows.length)
  for (let k = 0; k < stepM.length; k += 1) distanceM[k + 1] = distanceM[k]! + stepM[k]!
  const spreadGatedM = spread(tS, rows, gatedM)
  return {
    distanceM: spread(tS, rows, distanceM),
    gatedM: spreadGatedM,
    movedM: movedM === gatedM ? spreadGatedM : spread(tS, rows, movedM),
  }

  function betweenRows(a: number, b: number): number {
    const from = rows[a]!
    const to = rows[b]!
    return distanceBetweenM(latDeg[from]!, lonDeg[from]!, latDeg[to]!, lonDeg[to]!)
  }

  function gated(): Float64Array {
    const result = new Float64Array(rows.length)
    let anchor = 0
    for (let k = 1; k < rows.length; k += 1) {
      if (isBreak[k - 1] === 1) {
        // both sides of a break are anchors: one piece ends, the next begins, and nothing is added between them
        if (anchor < k - 1) addAnchor(anchor, k - 1)
        result[k] = result[k - 1]!
        anchor = k
      } else if (k === rows.length - 1 || betweenRows(anchor, k) >= GATE_M) {
        addAnchor(anchor, k)
        anchor = k
      }
    }
    return result

    function addAnchor(from: number, to: number): void {
      const metres = betweenRows(from, to)
      const seconds = timeS[to]! - timeS[from]!
      for (let k = from + 1; k <= to; k += 1) {
        result[k] = result[from]! + (metres * (timeS[k]! - timeS[from]!)) / seconds
      }
    }
  }
}

/** Whether nobody runs so far in that time, even where a receiver catches up. */
export function isJump(metres: number, seconds: number): boolean {
  return metres > IMPOSSIBLE_MPS * seconds + JUMP_SLACK_M
}

/** The cumulative distance with its growth inside the given stops replaced by these steps. */
function withSteps(cumulativeM: Float64Array, stepM: Float64Array, within: readonly Stop[]): Float64Array {
  const result = new Float64Array(cumulativeM.length)
  let next = 0
  for (let k = 0; k + 1 < result.length; k += 1) {
    while (next < within.length && within[next]!.lastIndex <= k) next += 1
    const isWithin = next < within.length && k >= within[next]!.firstIndex
    result[k + 1] = result[k]! + (isWithin ? stepM[k]! : cumulativeM[k + 1]! - cumulativeM[k]!)
  }
  return result
}

function holdsJitter({ firstIndex, lastIndex, timerS }: Stop): boolean {
  const steps = lastIndex - firstIndex
  return steps >= JITTER_STEPS || timerS <= JITTER_STEP_S * steps
}

/** Gaps are interpolated in time; at the ends the distance does not grow. null when no row has a distance. */
export function filledDistance(tS: Float64Array, distanceM: Float64Array): Float64Array | null {
  const rows = rowsWith(distanceM, distanceM)
  if (rows.length === 0) return null
  if (rows.length === distanceM.length) return distanceM
  return spread(tS, rows, gathered(distanceM, rows))
}

function spread(tS: Float64Array, rows: Uint32Array, values: Float64Array): Float64Array {
  return tS.map(reader(gathered(tS, rows), values))
}
