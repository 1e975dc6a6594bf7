import { clamped, sumOf } from './numbers.ts'

/** Training of the last half year as Runalyze's marathon shape uses it. */
interface MarathonTraining {
  readonly vo2max: number
  /** Run in the last 182 days. */
  readonly kmInWindow: number
  /** Days since the first run ever. */
  readonly daysSinceFirst: number
  readonly longRuns: readonly { readonly km: number; readonly ageDays: number }[]
}

const LEAST_VO2MAX = 25
export const SHAPE_DAYS = 182
const LONG_RUN_DAYS = 70
const LONG_RUN_KM = 13

/**
 * Marathon shape as defined by Runalyze, not by a paper; no prediction uses it. 100 %: as much training as typical
 * marathon plans contain.
 */
export function marathonShape({ vo2max, kmInWindow, daysSinceFirst, longRuns }: MarathonTraining) {
  const known = Math.max(LEAST_VO2MAX, vo2max)
  const weekTargetKm = known ** 1.135
  const longTargetKm = 12 * Math.log(known / 4)
  const days = clamped(daysSinceFirst, LONG_RUN_DAYS, SHAPE_DAYS)
  const weekly = kmInWindow / (days / 7) / weekTargetKm
  const long = longRuns.filter(({ km, ageDays }) => km > LONG_RUN_KM && ageDays < LONG_RUN_DAYS)
  const points = long.map(
    ({ km, ageDays }) => ((2 - ageDays / 35) * (km - LONG_RUN_KM) ** 2) / (longTargetKm - LONG_RUN_KM) ** 2,
  )
  return {
    weekTargetKm,
    longTargetKm,
    shapePct: 100 * (0.67 * weekly + 0.33 * (7 / LONG_RUN_DAYS) * sumOf(points)),
  }
}
