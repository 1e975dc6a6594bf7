import { type Histogram, heldTimeS, sumOverHeartRate, sumOverSpeed } from './run/histograms.ts'
import { heldShare, oxygenCost, RESTING_OXYGEN } from './vdot.ts'

/** How steeply load grows with intensity (Banister 1991); the mean of both is used when the sex is not set. */
const STEEPNESS = { male: 1.92, female: 1.67 } as const
const STEEPNESS_UNSET = 1.795
/** With heart rate for a smaller share of the moving time, no load is computed from it. */
export const LEAST_COVERAGE = 0.5
/** Load of one hour at the one-hour limit. */
const HOUR_LOAD = 100
const HOUR_S = 3600
export const DEFAULT_PER_RPE_MINUTE = 0.2
export const DEFAULT_PER_HOUR = 50

export type Sex = 'female' | 'male'

/** Resting, one-hour and maximum heart rate. */
export type HeartProfile = {
  readonly [K in 'maxHeartRateBpm' | 'restingHeartRateBpm' | 'lthrBpm']: { readonly value: number }
}

/** Load of one hour at a share of the reserve, up to a constant factor that cancels. */
function weight(share: number, sex: Sex | null): number {
  const reserve = Math.max(0, Math.min(1, share))
  return reserve * Math.exp((sex === null ? STEEPNESS_UNSET : STEEPNESS[sex]) * reserve)
}

/**
 * Loads of many runs by one profile, since what a bpm weighs is computed once. 100 is one hour at the limit; time without
 * heart rate is scaled up, and null is answered when too little of the run has one. `coverage` is the share of the moving
 * time that has it, at most 1, and `movingS` that of the whole run.
 */
export function heartRateLoads(profile: HeartProfile, sex: Sex | null) {
  const rest = profile.restingHeartRateBpm.value
  const reserve = profile.maxHeartRateBpm.value - rest
  const weights: number[] = []
  const ofBpm = (bpm: number) => (weights[bpm] ??= weight((bpm - rest) / reserve, sex))
  const ofHour = HOUR_S * weight((profile.lthrBpm.value - rest) / reserve, sex)
  return (histogram: Histogram, movingS: number) => {
    if (!(movingS > 0)) return { load: null, coverage: 0 }
    const coverage = Math.min(1, heldTimeS(histogram) / movingS)
    if (coverage < LEAST_COVERAGE) return { load: null, coverage }
    return { load: (HOUR_LOAD * sumOverHeartRate(histogram, ofBpm)) / ofHour / coverage, coverage }
  }
}

/** @param thresholdMps speed that can be held for one hour */
export function paceLoad(
  histogram: Histogram,
  { thresholdMps, sex }: { readonly thresholdMps: number; readonly sex: Sex | null },
): number {
  const most = oxygenCost(60 * thresholdMps) / heldShare(60)
  const share = (mps: number) => (oxygenCost(60 * mps) - RESTING_OXYGEN) / (most - RESTING_OXYGEN)
  const sum = sumOverSpeed(histogram, (mps) => weight(share(mps), sex))
  return (HOUR_LOAD * sum) / (HOUR_S * weight(share(thresholdMps), sex))
}

/** Hours, before calibration. */
export function durationHours(movingS: number): number {
  return movingS / HOUR_S
}

/** Mean intensity, per cent; 100: the intensity that can be held for one hour. null without time. */
export function intensityPct(load: number, movingS: number): number | null {
  return movingS > 0 ? 100 * Math.sqrt((36 * load) / movingS) : null
}
