import { METRES_PER_FOOT } from '../../../../engine/units.ts'
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
import { TERMS } from '../../../words.ts'

export type Metric = Goal['metric']
export type Period = Goal['period']
type Progress = NonNullable<Goal['progress']>

export const METRICS: Readonly<Record<Metric, string>> = {
  distanceM: TERMS.distance,
  movingTimeS: TERMS.time,
  runs: 'Runs',
  elevGainM: TERMS.elevationGain,
  load: TERMS.load,
}

export const PERIODS: Readonly<Record<Period, string>> = {
  week: 'Every week',
  month: 'Every month',
  year: 'Every year',
  dates: 'Date range',
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
  const each = { week: ' per week', month: ' per month', year: ' per year', dates: '' }[period]
  return `${amountText(metric, target, units)}${each}`
}

/** Such as `1 – 30 Nov`, with the year unless it is the current one. */
export function spanText({ from, to }: Pick<Progress, 'from' | 'to'>): string {
  return from === to ? date(from, 'short') : dateRange(from, to, 'short')
}

/** Such as `27 km behind; you need 29.5 km per week.`; as calculation, not as advice. */
export function standingText({ metric, target }: Goal, progress: Progress, units: Units): string {
  const { status, aheadBy, done, neededPerWeek, remainingDays } = progress
  const amount = (value: number) => amountText(metric, value, units)
  if (status === 'reached') {
    return done > target ? `Reached, ${amount(done - target)} over.` : 'Reached.'
  }
  const by = Math.abs(aheadBy)
  // a difference below one whole run, or a thousandth of the target, counts as none
  const isEven = by < (metric === 'runs' ? 1 : target / 1000)
  const standing = isEven ? 'On track' : `${amount(by)} ${aheadBy >= 0 ? 'ahead' : 'behind'}`
  const left = amount(target - done)
  if (remainingDays <= 7)
    return `${standing}; ${left} to go in ${remainingDays === 1 ? '1 day' : `${remainingDays} days`}.`
  const needed = `you need ${amount(neededPerWeek)} per week`
  if (status !== 'outOfReach') return `${standing}; ${needed}.`
  return `${standing}; ${needed}, more than in recent weeks.`
}

/** Such as `At your pace of the last 4 weeks: 1,980 km (80% range 1,910–2,050 km).`; null when it cannot be projected. */
export function projectionText({ metric }: Goal, progress: Progress, units: Units): string | null {
  const { projected, projectedLow: low, projectedHigh: high, status, remainingDays } = progress
  if (projected === null || status === 'reached' || remainingDays <= 1) return null
  const amount = (value: number) => amountText(metric, value, units)
  const [from, to] = [low, high].map((end) => (end === null ? null : amount(end)))
  // a unit that is the only one is said once
  const unit = /^\P{L}*?(\s\D+)$/u.exec(to ?? '')?.[1] ?? ''
  const least = from?.endsWith(unit) ? from.slice(0, from.length - unit.length) : from
  const band = least == null || to == null ? '' : ` (80% range ${least}–${to})`
  return `Projection from the last 4 weeks: ${amount(projected)}${band}.`
}
