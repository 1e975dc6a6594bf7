import type { Zones } from '../analysis.ts'
import { roundHalfUp } from '../units.ts'
import type { Best30 } from './run/threshold-windows.ts'
import { heldShare, speedAtShare } from './vdot.ts'

const TEST_MINUTES = 30
const TEST_S = 60 * TEST_MINUTES
/** Share of the speed that VDOT promises for half an hour from which on a run was hard. */
const HARD_SHARE = 0.97
const LONE_SPIKE_BPM = 5
const LEAST_RUNS = 3
const ZONE_SHARES = [0.65, 0.85, 0.9, 0.95, 1] as const
const TOP_SHARE = 1.1

/** Maximum that the highest peaks of runs speak for, whole bpm; null with fewer than three. A lone spike does not count. */
export function maxHeartRateOf(peaks: readonly number[]): number | null {
  const [first, second] = peaks.toSorted((a, b) => b - a)
  if (peaks.length < LEAST_RUNS) return null
  return roundHalfUp(first! - second! <= LONE_SPIKE_BPM ? first! : second!)
}

/** True when half an hour was run hard enough to tell the limit. @param vdot of that day */
export function isHardHalfHour(
  { speedMps }: Pick<Best30, 'speedMps'>,
  { isRace, durationS, vdot }: { readonly isRace: boolean; readonly durationS: number; readonly vdot: number | null },
): boolean {
  if (isRace && durationS >= TEST_S) return true
  return vdot !== null && speedMps >= HARD_SHARE * speedAtShare(vdot, heldShare(TEST_MINUTES))
}

/** What age alone says of the maximum (Tanaka 2001), whole bpm. */
export function tanakaMaxBpm(ageYears: number): number {
  return roundHalfUp(208 - 0.7 * ageYears)
}

/** Friel's running zones, the upper three as one, from the heart rate of the one-hour limit. */
export function zonesOfLthr(lthrBpm: number, maxHeartRateBpm: number): Zones {
  const least = ZONE_SHARES.map((share) => roundHalfUp(share * lthrBpm))
  const top = Math.max(maxHeartRateBpm, roundHalfUp(TOP_SHARE * lthrBpm))
  return least.map((minBpm, i) => ({ minBpm, maxBpm: least[i + 1] ?? top })) as unknown as Zones
}
