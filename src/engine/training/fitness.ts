import { deviationOf, meanOf, sumOf } from './numbers.ts'

/** Days during which the first day's value still dominates, so that form has no word. */
const WARM_UP_DAYS = 42
export const WEEK_DAYS = 7
const MONTH_DAYS = 28
/** Limit of the monotony: seven equal days have a deviation of 0. */
const MOST_MONOTONY = 10
/** Below this usual load of a day a ratio to it is meaningless. */
const LEAST_USUAL = 1
/** Weights of the exponentially weighted averages of Williams 2017. */
const ACUTE_WEIGHT = 2 / 8
const CHRONIC_WEIGHT = 2 / 29
/** Below this fitness, form as a share of it is meaningless. */
const LEAST_FITNESS = 10

/** Time constants with which fitness and fatigue follow the load. */
export interface FitnessOptions {
  readonly fitnessDays: number
  readonly fatigueDays: number
  /** Fitness and fatigue on the day before the first. */
  readonly seed: number
}

export const USUAL_OPTIONS: FitnessOptions = { fitnessDays: 42, fatigueDays: 7, seed: 0 }

/** Fitness and fatigue at the end of a day. */
export interface FitnessState {
  readonly fitness: number
  readonly fatigue: number
}

export interface FitnessDay extends FitnessState {
  readonly load: number
  /** Form in the morning, before the runs of the day. */
  readonly form: number
  /** Gain of fitness in the last seven days; null before the seventh day. */
  readonly ramp: number | null
  readonly monotony: number | null
  readonly strain: number | null
  /** Mean load of 7 days over that of the 21 before; null before the 28th day or below `LEAST_USUAL`. */
  readonly weekToUsual: number | null
  readonly acwrCoupled: number | null
  readonly acwrEwma: number | null
  /** Share of the full weight that the average has seen so far. */
  readonly share: number
  readonly warmingUp: boolean
  /** Share of fitness that rests on loads that were estimated, not measured. */
  readonly estimatedShare: number
}

/** Weight of a new value in an exponential average over so many days. */
export function weightOf(days: number): number {
  return 1 - Math.exp(-1 / days)
}

export function nextState(state: FitnessState, load: number, options: FitnessOptions): FitnessState {
  return {
    fitness: state.fitness + weightOf(options.fitnessDays) * (load - state.fitness),
    fatigue: state.fatigue + weightOf(options.fatigueDays) * (load - state.fatigue),
  }
}

/**
 * One row a day, beginning with the day of the first run.
 * @param loads of every day, rest days as 0
 * @param estimated share of each day's load that was not measured
 */
export function fitnessSeries(
  loads: readonly number[],
  options: FitnessOptions = USUAL_OPTIONS,
  estimated: readonly number[] = [],
): FitnessDay[] {
  const rows: FitnessDay[] = []
  const fitnessWeight = weightOf(options.fitnessDays)
  let state: FitnessState = { fitness: options.seed, fatigue: options.seed }
  let estimatedFitness = 0
  let acute = loads[0] ?? 0
  let chronic = acute
  for (const [day, load] of loads.entries()) {
    const form = state.fitness - state.fatigue
    state = nextState(state, load, options)
    const { fitness } = state
    estimatedFitness += fitnessWeight * ((estimated[day] ?? 0) - estimatedFitness)
    acute += ACUTE_WEIGHT * (load - acute)
    chronic += CHRONIC_WEIGHT * (load - chronic)
    const before = day === WEEK_DAYS - 1 ? options.seed : rows[day - WEEK_DAYS]?.fitness
    const week = loads.slice(Math.max(0, day - WEEK_DAYS + 1), day + 1)
    const monotony = day < WEEK_DAYS - 1 ? null : monotonyOf(week)
    const weekToUsual = weekToUsualOn(loads, day)
    rows.push({
      ...state,
      load,
      form,
      monotony,
      weekToUsual,
      ramp: before === undefined ? null : fitness - before,
      strain: monotony === null ? null : monotony * sumOf(week),
      acwrCoupled: weekToUsual === null ? null : meanOf(week) / meanOf(loads.slice(day - MONTH_DAYS + 1, day + 1)),
      acwrEwma: weekToUsual === null ? null : acute / chronic,
      share: 1 - Math.exp(-(day + 1) / options.fitnessDays),
      warmingUp: day + 1 <= WARM_UP_DAYS,
      estimatedShare: fitness > 0 ? Math.min(1, estimatedFitness / fitness) : 0,
    })
  }
  return rows
}

/** Monotony of a week: mean over standard deviation (Foster 1998), at most 10; null when all days are 0. */
function monotonyOf(week: readonly number[]): number | null {
  const mean = meanOf(week)
  return mean > 0 ? Math.min(MOST_MONOTONY, mean / deviationOf(week, 0)) : null
}

function weekToUsualOn(loads: readonly number[], day: number): number | null {
  if (day < MONTH_DAYS - 1) return null
  const usual = meanOf(loads.slice(day - MONTH_DAYS + 1, day - WEEK_DAYS + 1))
  return usual < LEAST_USUAL ? null : meanOf(loads.slice(day - WEEK_DAYS + 1, day + 1)) / usual
}

type FormWord = 'heavy' | 'building' | 'steady' | 'fresh' | 'rested'

/** Form relative to the fitness of the day before; null while that is too small or still warming up. */
export function formWord(form: number, fitnessBefore: number, isWarmingUp: boolean): FormWord | null {
  if (isWarmingUp || fitnessBefore < LEAST_FITNESS) return null
  const share = form / fitnessBefore
  if (share < -0.3) return 'heavy'
  if (share < -0.1) return 'building'
  if (share < 0.05) return 'steady'
  return share <= 0.2 ? 'fresh' : 'rested'
}
