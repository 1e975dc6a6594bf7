import type { AnalyzeOptions } from '../analysis.ts'
import type { ClimbLimit, Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { filledDistance } from './distance.ts'
import { type ElevationProfile, smoothed } from './elevation.ts'
import { profileOfParts } from './elevation-parts.ts'
import { equivalentDistance } from './grade.ts'
import { type HeldSeries, heldSeries } from './hold.ts'
import { movementM } from './movement.ts'
import { type Stop, stops } from './moving.ts'
import { HEART_RATE_RANGE } from './zones.ts'

/** Half width of the smoothing of altitude where it counts as movement, seconds (docs/algorithms.md 7). */
const VERTICAL_HALF_WINDOW_S = 15
/** Climb is stored in tenths of a metre. */
const CLIMB_DECIMALS = 1
/** A cadence of 0 counts as missing. */
const CADENCE_RANGE = [Number.MIN_VALUE, Infinity] as const

/** Columns that both the whole run and its splits are computed from; null: the samples do not give them. */
export interface Readings {
  /** Cumulative metres of every row. */
  readonly distanceM: Float64Array | null
  readonly profile: ElevationProfile | null
  readonly found: readonly Stop[] | null
  /** Cumulative grade-equivalent metres on the flat. */
  readonly equivalentM: Float64Array | null
  readonly heartRate: HeldSeries | null
  readonly cadence: HeldSeries | null
}

export function trackReadings(track: Track, elevation: AnalyzeOptions['elevation']): Readings {
  const graded = gradedDistance(track, elevation)
  const { distanceM, profile } = graded
  const found = distanceM === null ? null : foundStops(track, distanceM, profile)
  return {
    ...graded,
    found,
    heartRate: heldSeries(track.tS, track.heartRateBpm, HEART_RATE_RANGE),
    cadence: heldSeries(track.tS, track.cadenceRpm, CADENCE_RANGE),
  }
}

/** The readings of distance and elevation alone. */
export function gradedDistance(
  track: Track,
  elevation: AnalyzeOptions['elevation'],
): Pick<Readings, 'distanceM' | 'profile' | 'equivalentM'> {
  const { tS } = track
  const distanceM = filledDistance(tS, track.distanceM)
  const measured = track.indoor
    ? null
    : profileOfParts(track, { ...elevation, source: track.elevationSource, distanceM })
  const profile =
    measured &&
    (track.climb === undefined
      ? withinClimbLimit(measured, track.climbLimit)
      : withClimb(measured, track.climb, distanceM ?? tS))
  const isGraded = distanceM !== null && profile !== null && profile.source !== 'gps'
  return { distanceM, profile, equivalentM: isGraded ? equivalentDistance(distanceM, profile.smoothedM) : null }
}

/** Climbing counts as movement only with a barometer, since GPS altitude is too noisy. */
function foundStops(track: Track, distanceM: Float64Array, profile: ElevationProfile | null): Stop[] {
  const { tS, off } = track
  const elevM = profile?.source === 'baro' ? smoothed(tS, profile.filled, VERTICAL_HALF_WINDOW_S) : null
  return stops(tS, movementM(track, distanceM), { off, elevM })
}

/**
 * Scaled down to the limit, so that the parts of the run still add up. A cut shortens the smoothing window at its ends,
 * so that a peak may rise higher there; but a part of a run never climbs more than the whole.
 */
function withinClimbLimit(profile: ElevationProfile, limit: ClimbLimit | undefined): ElevationProfile {
  if (limit === undefined) return profile
  return { ...profile, gainM: limited(profile.gainM, limit.gainM), lossM: limited(profile.lossM, limit.lossM) }
}

/** The profile scaled to this climb and descent; where it has none, they are spread evenly. */
function withClimb(profile: ElevationProfile, { gainM, lossM }: ClimbLimit, axis: Float64Array): ElevationProfile {
  const fitted = (cumulativeM: Float64Array, totalM: number) => {
    const shownM = cumulativeM.at(-1) ?? 0
    if (shownM > 0) return cumulativeM.map((metres) => metres * (totalM / shownM))
    const [first, last] = [axis[0] ?? 0, axis.at(-1) ?? 0]
    return cumulativeM.map((_, row) => (last > first ? (totalM * (axis[row]! - first)) / (last - first) : 0))
  }
  return { ...profile, gainM: fitted(profile.gainM, gainM), lossM: fitted(profile.lossM, lossM) }
}

function limited(cumulativeM: Float64Array, limitM: number): Float64Array {
  const totalM = cumulativeM.at(-1) ?? 0
  if (!exceeds(totalM, limitM)) return cumulativeM
  return cumulativeM.map((metres) => metres * (limitM / totalM))
}

/** Whether a climb, rounded as shown, is above the limit. */
export function exceeds(climbM: number, limitM: number): boolean {
  return roundHalfUp(climbM, CLIMB_DECIMALS) > limitM
}
