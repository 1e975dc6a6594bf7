import { type FitnessOptions, type FitnessState, nextState, USUAL_OPTIONS, WEEK_DAYS, weightOf } from './fitness.ts'
import { meanOf, median } from './numbers.ts'

/** Weeks whose loads on a weekday give its usual load. */
const USUAL_WEEKS = 4
/** With fewer easy runs their loads are not stated as minutes. */
const FEWEST_EASY = 8

/** Load, and fitness and fatigue after it, of each day; form in the morning before. */
export function forecast(last: FitnessState, loads: readonly number[], options: FitnessOptions = USUAL_OPTIONS) {
  let state = last
  return loads.map((load) => {
    const form = state.fitness - state.fatigue
    state = nextState(state, load, options)
    return { ...state, load, form }
  })
}

/** For each of the next days the mean of the last four loads of its weekday; 0 where there is none. */
export function usualLoads(loads: readonly number[], days: number): number[] {
  return Array.from({ length: days }, (_, ahead) => {
    // days back to the same weekday of the last week
    const back = WEEK_DAYS - (ahead % WEEK_DAYS)
    const seen = Array.from({ length: USUAL_WEEKS }, (_, week) => loads[loads.length - back - WEEK_DAYS * week]).filter(
      (load) => load !== undefined,
    )
    return seen.length === 0 ? 0 : meanOf(seen)
  })
}

/** Days of rest after which form is not below 0; null without fitness. */
export function restDaysToFormZero(
  { fitness, fatigue }: FitnessState,
  { fitnessDays, fatigueDays }: FitnessOptions = USUAL_OPTIONS,
): number | null {
  if (!(fitness > 0)) return null
  return Math.max(0, Math.ceil(Math.log(fatigue / fitness) / (1 / fatigueDays - 1 / fitnessDays)))
}

/** Load that a day may have so that form on the next morning is `form`; 0 when it will be lower anyway. */
export function roomFor(form: number, yesterday: FitnessState, options: FitnessOptions = USUAL_OPTIONS): number {
  const fitnessWeight = weightOf(options.fitnessDays)
  const fatigueWeight = weightOf(options.fatigueDays)
  const rested = (1 - fitnessWeight) * yesterday.fitness - (1 - fatigueWeight) * yesterday.fatigue
  return Math.max(0, (rested - form) / (fatigueWeight - fitnessWeight))
}

/**
 * What an easy minute costs: the median load a minute of easy runs.
 * @param runs load and moving time of each; those without either do not count
 * @returns null with fewer than eight
 */
export function easyLoadPerMinute(
  runs: readonly { readonly load: number | null; readonly movingS: number }[],
): number | null {
  const perMinute = runs.flatMap(({ load, movingS }) =>
    load !== null && load > 0 && movingS > 0 ? [(60 * load) / movingS] : [],
  )
  return perMinute.length < FEWEST_EASY ? null : median(perMinute)
}
