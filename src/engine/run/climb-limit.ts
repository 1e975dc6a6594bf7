import type { ClimbLimit } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import type { ElevationProfile } from './elevation.ts'

/** Climb is stored in tenths of a metre. */
const DECIMALS = 1

/**
 * The profile with climb and descent scaled down to the limit where they exceed it, so that the parts of the run still
 * add up to the whole. A cut takes the smoothing window off the altitudes at its ends, which lets a peak there stand out
 * higher than in the whole run, but a part of a run never climbs more than all of it (CONTRACT 13, line 31).
 */
export function withinClimbLimit(profile: ElevationProfile, limit: ClimbLimit | undefined): ElevationProfile {
  if (limit === undefined) return profile
  return {
    ...profile,
    gainM: limited(profile.gainM, limit.gainM),
    lossM: limited(profile.lossM, limit.lossM),
  }
}

function limited(cumulativeM: Float64Array, limitM: number): Float64Array {
  const totalM = cumulativeM.at(-1) ?? 0
  if (!exceeds(totalM, limitM)) return cumulativeM
  return cumulativeM.map((metres) => metres * (limitM / totalM))
}

/** True when a climb would be shown as more than the limit. */
export function exceeds(climbM: number, limitM: number): boolean {
  return roundHalfUp(climbM, DECIMALS) > limitM
}
