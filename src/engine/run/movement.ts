import type { Track } from '../track.ts'
import { gpsDistance } from './distance.ts'

/** The device's speed is used when at least this share of rows has one and its integral is close to the distance. */
const LEAST_SPEED_SHARE = 0.9
const LARGEST_SPEED_ERROR = 0.1
/** A record's speed describes the step that ends there, but not a longer step than this. */
const LONGEST_STEP_S = 10
/** Speed of a watch starts at zero with its timer (for 12 s on a Fenix 2): for so long the larger of both counts. */
const SPEED_LAG_S = 15

/**
 * Cumulative metres of every row that tell moving from standing (docs/algorithms.md 7 and 18): of positions the gated
 * ones, in which jitter does not count; of a device the integral of its speed, since whole metres make stops longer.
 */
export function movementM(track: Track, distanceM: Float64Array): Float64Array {
  if (track.distanceSource === 'gps') return gpsDistance(track.tS, track, track.off)?.movedM ?? distanceM
  return byItsSpeed(track, distanceM) ?? distanceM
}

/** @returns null when the device wrote no speed, or its integral does not match the distance */
function byItsSpeed({ n, tS, speedMps, off }: Track, distanceM: Float64Array): Float64Array | null {
  let known = 0
  for (let i = 0; i < n; i += 1) if (!Number.isNaN(speedMps[i]!)) known += 1
  if (n === 0 || known < LEAST_SPEED_SHARE * n) return null
  const movedM = new Float64Array(n)
  let bySpeedM = 0
  let byDistanceM = 0
  let pause = 0
  let startedS = tS[0]!
  for (let k = 1; k < n; k += 1) {
    while (pause < off.length && off[pause]!.endS <= tS[k - 1]!) {
      startedS = off[pause]!.endS
      pause += 1
    }
    const stepS = tS[k]! - tS[k - 1]!
    const stepM = distanceM[k]! - distanceM[k - 1]!
    const speedM = speedMps[k]! * stepS
    const isSpeedGood = stepS <= LONGEST_STEP_S && !Number.isNaN(speedM)
    let metres = stepM
    if (isSpeedGood) {
      bySpeedM += speedM
      byDistanceM += stepM
      metres = tS[k - 1]! - startedS < SPEED_LAG_S ? Math.max(speedM, stepM) : speedM
    }
    movedM[k] = movedM[k - 1]! + metres
  }
  return Math.abs(bySpeedM - byDistanceM) <= LARGEST_SPEED_ERROR * byDistanceM ? movedM : null
}
