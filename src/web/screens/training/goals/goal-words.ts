import {
  date,
  dateRange,
  distanceUnit,
  number,
  roughDistance,
  sumDuration,
  text,
  type Units,
  unitLengthM,
} from '../../../format.ts'
import type { Goal } from '../../../types.ts'

export type Metric = Goal['metric']
export type Period = Goal['period']
type Progress = NonNullable<Goal['progress']>

const METRES_PER_FOOT = 0.3048

export const METRICS: Readonly<Record<Metric, string>> = {
  distanceM: 'Distance',
  movingTimeS: 'Time',
  runs: 'Runs',
  elevGainM: 'Climb',
  load: 'Load',
}

export const PERIODS: Readonly<Record<Period, string>> = {
  week: 'Every week',
  month: 'Every month',
  year: 'Every year',
  dates: 'Between two days',
}

/** The unit of a typed target, and its factor to the service's unit. */
export function targetUnit(metric: Metric, units: Units): { readonly unit: string; readonly size: number } {
  if (metric === 'distanceM') return { unit: distanceUnit(units), size: unitLengthM(units) }
  if (metric === 'movingTimeS') return { unit: 'h', size: 3600 }
  if (metric === 'elevGainM') return units === 'metric' ? { unit: 'm', size: 1 } : { unit: 'ft', size: METRES_PER_FOOT }
  return { unit: metric, size: 1 }
}

/** `142 km`, `12 h`, `4 runs`. */
export function amountText(metric: Metric, value: number, units: Units): string {
  if (metric === 'distanceM') return text(roughDistance(value, units))
  if (metric === 'movingTimeS') return sumDuration(value)
  const { unit, size } = targetUnit(metric, units)
  const shown = value / size
  if (metric === 'runs') return `${number(shown, Number.isInteger(shown) ? 0 : 1)} ${shown === 1 ? 'run' : 'runs'}`
  return `${number(shown)} ${unit}`
}

/** `142 km` beside a target of kilometres, but `4` beside one of runs. */
export function doneText(metric: Metric, value: number, units: Units): string {
  return metric === 'runs' ? number(value) : amountText(metric, value, units)
}

/** The name given by the runner, else a description. */
export function goalName({ name, metric, target, period }: Goal, units: Units): string {
  if (name !== null) return name
  const each = { week: ' a week', month: ' a month', year: ' a year', dates: '' }[period]
  return `${amountText(metric, target, units)}${each}`
}

/** Such as `1 – 30 Nov`, with the year unless it is the current one. */
export function spanText({ from, to }: Pick<Progress, 'from' | 'to'>): string {
  return from === to ? date(from, 'short') : dateRange(from, to, 'short')
}

/** Such as `27 km behind; 29.5 km a week bring you there.`; as calculation, not as advice. */
export function standingText({ metric, target }: Goal, progress: Progress, units: Units): string {
  const { status, aheadBy, done, neededPerWeek, remainingDays } = progress
  const amount = (value: number) => amountText(metric, value, units)
  if (status === 'reached') {
    return done > target ? `Reached, ${amount(done - target)} over.` : 'Reached.'
  }
  const by = Math.abs(aheadBy)
  // a difference below one whole run, or a thousandth of the target, counts as none
  const isEven = by < (metric === 'runs' ? 1 : target / 1000)
  const standing = isEven ? 'On the line' : `${amount(by)} ${aheadBy >= 0 ? 'ahead' : 'behind'}`
  const left = amount(target - done)
  if (remainingDays <= 7)
    return `${standing}; ${left} to go in ${remainingDays === 1 ? 'one day' : `${remainingDays} days`}.`
  const needed = `${amount(neededPerWeek)} a week would bring you there`
  if (status !== 'outOfReach') return `${standing}; ${needed}.`
  return `${standing}; ${needed}, which is more than the last weeks would suggest.`
}

/** Such as `As in the last four weeks it would be 1,980 km (1,910 to 2,050).`; null when it cannot be projected. */
export function projectionText({ metric }: Goal, progress: Progress, units: Units): string | null {
  const { projected, projectedLow: low, projectedHigh: high, status, remainingDays } = progress
  if (projected === null || status === 'reached' || remainingDays <= 1) return null
  const amount = (value: number) => amountText(metric, value, units)
  const band = low === null || high === null ? '' : ` (8 in 10 between ${amount(low)} and ${amount(high)})`
  return `Running as in the last four weeks it would become ${amount(projected)}${band}.`
}
