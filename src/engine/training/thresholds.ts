import type { Zones } from '../analysis.ts'
import { roundHalfUp } from '../units.ts'
import { heldShare, speedAtShare } from './vdot.ts'

const TEST_MINUTES = 30
const TEST_S = 60 * TEST_MINUTES
/** From this share of the speed that VDOT predicts for half an hour on, a run was run hard. */
const HARD_SHARE = 0.97
const LONGEST_TEST_RACE_S = 4500
const LONE_SPIKE_BPM = 5
const LEAST_RUNS = 3
const ZONE_SHARES = [0.65, 0.85, 0.9, 0.95, 1] as const
const TOP_SHARE = 1.1

/** Highest peak of runs, whole bpm; null with fewer than three, so that a single spike does not count. */
export function maxHeartRateOf(peaks: readonly number[]): number | null {
  const [first, second] = peaks.toSorted((a, b) => b - a)
  if (peaks.length < LEAST_RUNS) return null
  return roundHalfUp(first! - second! <= LONE_SPIKE_BPM ? first! : second!)
}

/** A race of 30 to 75 minutes, of which the fastest half hour shows the one-hour heart rate. */
export function isTestRace(isRace: boolean, durationS: number): boolean {
  return isRace && durationS >= TEST_S && durationS <= LONGEST_TEST_RACE_S
}

/** Whether half an hour was run about as fast as it could be. @param vdot of that day */
export function isHardHalfHour(speedMps: number, vdot: number): boolean {
  return speedMps >= HARD_SHARE * speedAtShare(vdot, heldShare(TEST_MINUTES))
}

/** Maximum estimated from age (Tanaka 2001), whole bpm. */
export function tanakaMaxBpm(ageYears: number): number {
  return roundHalfUp(208 - 0.7 * ageYears)
}

/** Friel's running zones from the one-hour heart rate, the upper three merged into one. */
export function zonesOfLthr(lthrBpm: number, maxHeartRateBpm: number): Zones {
  const least = ZONE_SHARES.map((share) => roundHalfUp(share * lthrBpm))
  const top = Math.max(maxHeartRateBpm, roundHalfUp(TOP_SHARE * lthrBpm))
  return least.map((minBpm, i) => ({ minBpm, maxBpm: least[i + 1] ?? top })) as unknown as Zones
}
