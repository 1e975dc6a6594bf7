import { heldShare, oxygenCost, speedAtShare } from '../../src/engine/training/vdot.ts'
import { type Chance, wandering } from './chance.ts'

/**
 * How pulse follows oxygen uptake: the same shares of both reserves (Swain & Leutholtz 1997), or 64 % of the share of
 * VO2max plus 37 % of the maximum (Swain 1994).
 */
export type Physiology = 'reserve' | 'maximum'

/** A runner with known truth. Speeds in m/s, costs in ln of speed. */
export interface Body {
  readonly maxBpm: number
  readonly restBpm: number
  readonly ageYears: number
  /** ln of the speed at VO2max as a 10 km race shows it, by day; the heat costs nothing. */
  readonly fitness: (day: number) => number
  /** The same as a race of a distance shows it. */
  readonly raced: (day: number, distanceM: number) => number
  /** Speed that is held for one hour. */
  readonly hourMps: (day: number) => number
  readonly heatCost: (wbgtC: number) => number
  /** Heart rate of a steady speed after some hours, without the scatter of days. */
  readonly bpm: (
    day: number,
    running: { readonly mps: number; readonly hours: number; readonly wbgtC: number },
  ) => number
}

export interface Build {
  readonly physiology: Physiology
  readonly days: number
  /** Change of fitness by day, in ln, on top of what wanders. */
  readonly course: (day: number) => number
}

const HALF_MARATHON_M = 21_097.5

export function bodyOf(chance: Chance, { physiology, days, course }: Build): Body {
  const ageYears = chance.between(22, 58)
  // spread of maxima around Tanaka's line (2001)
  const maxBpm = 208 - 0.7 * ageYears + chance.normal(0, 8)
  const restBpm = chance.normal(55, 6)
  const level = chance.normal(Math.log(3.95), 0.12)
  // a little narrower than the fit expects it of people: 0.03, and 0.05 beyond the half marathon
  const loss = chance.normal(0.005, 0.024)
  const bend = chance.normal(0.06, 0.045)
  // what the pulse differs by from the physiology, for good and by month; with the physiologies 0.06 between runners
  const own = chance.normal(0, 0.041)
  const months = wandering(chance, Math.ceil(days / 30) + 2, { sd: 0.008, persistence: 0.7 })
  const weeks = wandering(chance, Math.ceil(days / 7) + 2, { sd: 0.008, persistence: 0.93 })
  // middle of the published costs, with Ely's quartiles and the finishers of Boston as its spread
  const heat = Math.exp(chance.normal(0, 0.4))
  const drift = chance.normal(0.015, 0.008)
  const fitness = (day: number) => level + course(day) + at(weeks, day / 7)
  const raced = (day: number, distanceM: number) =>
    fitness(day) - loss * Math.log(distanceM / 10_000) - bend * Math.max(0, Math.log(distanceM / HALF_MARATHON_M))
  const heatCost = (wbgtC: number) => {
    const above = (least: number) => Math.max(0, wbgtC - least)
    return heat * (0.003 * above(10) + 0.002 * above(15) + 0.002 * above(20))
  }
  return {
    ...{ maxBpm, restBpm, ageYears, fitness, raced, heatCost },
    hourMps(day) {
      const mps = speedAtShare(oxygenCost(60 * Math.exp(fitness(day))), heldShare(60))
      return mps * Math.exp(raced(day, 3600 * mps) - fitness(day))
    },
    bpm(day, { mps, hours, wbgtC }) {
      const tired = 2 * drift * (hours - 0.375) + heatCost(wbgtC) + own + at(months, day / 30)
      const most = oxygenCost(60 * Math.exp(fitness(day)))
      const uptake = oxygenCost(60 * mps * Math.exp(tired))
      if (physiology === 'maximum') return Math.min(maxBpm, maxBpm * (0.37 + (0.64 * uptake) / most))
      return restBpm + (maxBpm - restBpm) * Math.min(1, Math.max(0, (uptake - 3.5) / (most - 3.5)))
    },
  }
}

/** Linear between steps. */
function at(steps: Float64Array, place: number): number {
  const first = Math.max(0, Math.min(steps.length - 2, Math.floor(place)))
  return steps[first]! + (place - first) * (steps[first + 1]! - steps[first]!)
}
