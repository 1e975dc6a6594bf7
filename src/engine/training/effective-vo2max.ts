import { clamped, median, robustSpread, sumOf, Z80 } from './numbers.ts'
import { oxygenCost } from './vdot.ts'

export const SHAPE_DAYS = 42
const HALF_LIFE_DAYS = 21
const LEAST_POINTS = 4
const MOST_MINUTES = 120
/** Values more than three spreads from the median, in logarithms, are dropped; a spread is at least this. */
const LEAST_SPREAD = 0.02
const OUTLIER_SPREADS = 3
/** Relative error of the formula itself, with and without a race that corrects it. */
const CORRECTED_ERROR = 0.03
const UNCORRECTED_ERROR = 0.07
const CORRECTION_BOUNDS = [0.8, 1.25] as const
const CORRECTING_RACES = 3

/** Share of the speed at VO2max that corresponds to a heart rate (Runalyze's fit to the table of Daniels). */
export function shareOfVo2maxSpeed(heartRateBpm: number, maxHeartRateBpm: number): number {
  return Math.exp((heartRateBpm / maxHeartRateBpm - 1.00466) / 0.68725)
}

/** VO2max estimated from a steady run, ml per kg and minute, before the correction. @param speedMps on the flat */
export function vo2maxOfHeartRate(speedMps: number, heartRateBpm: number, maxHeartRateBpm: number): number {
  return oxygenCost((60 * speedMps) / shareOfVo2maxSpeed(heartRateBpm, maxHeartRateBpm))
}

/** A race with both a VDOT and an estimate by heart rate. */
interface CorrectingRace {
  readonly vdot: number
  /** VO2max estimated from its heart rate. */
  readonly estimate: number
}

/** The races that the correction uses: the three with the highest VDOT. */
export function correctingRaces<T extends CorrectingRace>(races: readonly T[]): T[] {
  return races.toSorted((a, b) => b.vdot - a.vdot).slice(0, CORRECTING_RACES)
}

/** Factor for estimates by heart rate; 1 without a race. */
export function correctionOf(races: readonly CorrectingRace[]): number {
  if (races.length === 0) return 1
  return clamped(median(correctingRaces(races).map(({ vdot, estimate }) => vdot / estimate)), ...CORRECTION_BOUNDS)
}

interface ShapePoint {
  /** Days before the day that the value is computed for; that day is 0. */
  readonly ageDays: number
  readonly minutes: number
  readonly value: number
}

export interface Shape {
  readonly value: number
  /** Ends of the 80 % band. */
  readonly low: number
  readonly high: number
  readonly n: number
  readonly dropped: number
  readonly nEff: number
}

/**
 * Weighted mean of the last 42 days; newer and longer runs count more. null with fewer than four points.
 * @param isCorrected whether a race gave the correction
 */
export function shapeOf(points: readonly ShapePoint[], isCorrected: boolean): Shape | null {
  const recent = points.filter(({ ageDays, value }) => ageDays >= 0 && ageDays < SHAPE_DAYS && value > 0)
  if (recent.length < LEAST_POINTS) return null
  const logs = recent.map(({ value }) => Math.log(value))
  const middle = median(logs)
  const farthest = OUTLIER_SPREADS * Math.max(LEAST_SPREAD, robustSpread(logs, middle))
  const kept = recent.filter((_, i) => Math.abs(logs[i]! - middle) <= farthest)
  if (kept.length < LEAST_POINTS) return null
  const weights = kept.map(({ minutes, ageDays }) => Math.min(minutes, MOST_MINUTES) * 2 ** (-ageDays / HALF_LIFE_DAYS))
  const total = sumOf(weights)
  const value = sumOf(kept.map((point, i) => weights[i]! * point.value)) / total
  const nEff = total ** 2 / sumOf(weights.map((weight) => weight ** 2))
  const scatter = sumOf(kept.map((point, i) => weights[i]! * (point.value - value) ** 2)) / total
  const variance = (scatter * (nEff / (nEff - 1))) / nEff
  const formula = (isCorrected ? CORRECTED_ERROR : UNCORRECTED_ERROR) * value
  const half = Z80 * Math.sqrt(variance + formula ** 2)
  return { value, low: value - half, high: value + half, n: kept.length, dropped: recent.length - kept.length, nEff }
}

/** Training of the last half year as Runalyze's marathon shape uses it. */
interface MarathonTraining {
  readonly vo2max: number
  /** Run in the last 182 days. */
  readonly kmInWindow: number
  /** Days since the first run ever. */
  readonly daysSinceFirst: number
  readonly longRuns: readonly { readonly km: number; readonly ageDays: number }[]
}

interface MarathonShape {
  readonly weekTargetKm: number
  readonly longTargetKm: number
  /** 100: as much training as typical marathon plans contain. */
  readonly shapePct: number
}

const LEAST_VO2MAX = 25
const WINDOW_DAYS = 182
const LONG_RUN_DAYS = 70
const LONG_RUN_KM = 13

/** Marathon shape as defined by Runalyze, not by a paper; no prediction uses it. */
export function marathonShape({ vo2max, kmInWindow, daysSinceFirst, longRuns }: MarathonTraining): MarathonShape {
  const known = Math.max(LEAST_VO2MAX, vo2max)
  const weekTargetKm = known ** 1.135
  const longTargetKm = 12 * Math.log(known / 4)
  const days = clamped(daysSinceFirst, LONG_RUN_DAYS, WINDOW_DAYS)
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
