import { STANDARD_DISTANCES } from '../../../engine/run/best-efforts.ts'
import { METRES_PER_FOOT } from '../../../engine/units.ts'
import {
  counted,
  date,
  dateRange,
  dayNumber,
  distanceName,
  distanceUnit,
  duration,
  localDay,
  number,
  ordinal,
  range,
  roughDistance,
  signed,
  sumDuration,
  text,
  type Units,
  unitLengthM,
} from '../../format.ts'
import type { FormToday, Goal, Race } from '../../types.ts'
import { TERMS } from '../../words.ts'

const COUNTS = ['no', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** Such as `Form −12, building`; missing values are left out. */
export function formWords({ form, formWord }: FormToday): string {
  if (form.value === null) return TERMS.notEnoughData
  return `${signed(form.value)}${formWord === null ? '' : `, ${formWord}`}`
}

/** Of this morning, such as `40, 3 more than a week ago`. */
export function fitnessWords({ fitness, morning }: FormToday): string {
  if (fitness.value === null) return TERMS.notEnoughData
  const value = number(morning.fitness)
  if (morning.ramp === null) return value
  const change = Math.round(morning.ramp)
  if (change === 0) return `${value}, same as a week ago`
  return `${value}, ${Math.abs(change)} ${change > 0 ? 'more' : 'less'} than a week ago`
}

/** Whole fatigue by which whole form is fitness minus fatigue, whichever way each of them was rounded. */
export function wholeFatigue(fitness: number, form: number): number {
  return Math.round(fitness) - Math.round(form)
}

/** From this ratio to the usual load on, the last days were much: more is no advice. */
const MUCH = 1.3

/** Steps of minutes that are not exact. */
const ABOUT_MIN = 5

/** What today has room for, and when rest brings form back to 0; as calculation, not as advice. */
export function roomWords(now: Pick<FormToday, 'room' | 'restDaysToFormZero' | 'load' | 'weekToUsual'>): string {
  const { room, restDaysToFormZero: days, load } = now
  const [low, high] = room.map((one) => one.load).toSorted((a, b) => a - b)
  const said: string[] = []
  const minutes = easyMinutesLeft(now)
  if (isMuch(now)) {
    said.push('Your last 7 days were well above your usual load: rest or run easy.')
  } else if (minutes !== null) {
    const [least, most] = minutes
    const about = load > 0 ? 'Another' : 'About'
    const time = least === 0 ? `Up to ${load > 0 ? 'another ' : ''}${most}` : `${about} ${least}–${most}`
    said.push(`${time} min easy keeps you building.`)
  } else if (low !== undefined && high !== undefined && high > 0) {
    const done = load > 0 ? ` (${number(load)} so far)` : ''
    said.push(`A load of ${range(number(low), number(high))} today${done} keeps you in the building range.`)
  }
  if (days !== null && days > 0) {
    said.push(`${COUNTS[days] ?? days} ${days === 1 ? 'rest day' : 'rest days'} would bring form back to 0.`)
  }
  return said.join(' ')
}

/** Easy minutes that today still has room for, outwards to whole fives; null: none, or too few easy runs. */
export function easyMinutesLeft({ room, load }: Pick<FormToday, 'room' | 'load'>): readonly [number, number] | null {
  const left = room.flatMap((one) =>
    one.minutes === null ? [] : [one.minutes * Math.max(0, 1 - load / Math.max(1, one.load))],
  )
  const [least = 0, most = 0] = left.toSorted((a, b) => a - b)
  return most > 0 ? [ABOUT_MIN * Math.floor(least / ABOUT_MIN), ABOUT_MIN * Math.ceil(most / ABOUT_MIN)] : null
}

/** Whether the last 7 days were much more than the weeks before. */
export function isMuch({ weekToUsual }: Pick<FormToday, 'weekToUsual'>): boolean {
  return weekToUsual !== null && weekToUsual >= MUCH
}

/** Whether the averages are still warming up, which is stated. */
export function isWarmingUp({ fitness }: FormToday): boolean {
  return fitness.reasons.includes('warmingUp')
}

export type GoalMetric = Goal['metric']
export type GoalPeriod = Goal['period']
type Progress = NonNullable<Goal['progress']>

export const METRICS: Readonly<Record<GoalMetric, string>> = {
  distanceM: TERMS.distance,
  movingTimeS: TERMS.movingTime,
  runs: 'Runs',
  elevGainM: TERMS.elevationGain,
  load: TERMS.load,
}

export const PERIODS: Readonly<Record<GoalPeriod, string>> = {
  week: 'Every week',
  month: 'Every month',
  year: 'Every year',
  dates: 'Date range',
}

/** The unit of a typed target, and its factor to the service's unit. */
export function targetUnit(metric: GoalMetric, units: Units): { readonly unit: string; readonly size: number } {
  if (metric === 'distanceM') return { unit: distanceUnit(units), size: unitLengthM(units) }
  if (metric === 'movingTimeS') return { unit: 'h', size: 3600 }
  if (metric === 'elevGainM') return units === 'metric' ? { unit: 'm', size: 1 } : { unit: 'ft', size: METRES_PER_FOOT }
  return { unit: metric, size: 1 }
}

/** `142 km`, `12 h`, `4 runs`. */
export function amountText(metric: GoalMetric, value: number, units: Units): string {
  if (metric === 'distanceM') return text(roughDistance(value, units))
  if (metric === 'movingTimeS') return sumDuration(value)
  const { unit, size } = targetUnit(metric, units)
  const shown = value / size
  if (metric === 'runs') return `${number(shown, Number.isInteger(shown) ? 0 : 1)} ${shown === 1 ? 'run' : 'runs'}`
  return `${number(shown)} ${unit}`
}

/** The amount of a goal; one of moving time or elevation is named, since the runner reads other times and metres too. */
export function targetText(metric: GoalMetric, target: number, units: Units): string {
  const named: Partial<Record<GoalMetric, string>> = { movingTimeS: ' moving', elevGainM: ' elevation' }
  return `${amountText(metric, target, units)}${named[metric] ?? ''}`
}

/** `142 km` beside a target of kilometres, but `4` beside one of runs. */
export function doneText(metric: GoalMetric, value: number, units: Units): string {
  return metric === 'runs' ? number(value) : amountText(metric, value, units)
}

/** The name given by the runner, else a description. */
export function goalName({ name, metric, target, period }: Goal, units: Units): string {
  if (name !== null) return name
  const each = { week: ' per week', month: ' per month', year: ' per year', dates: '' }[period]
  return `${targetText(metric, target, units)}${each}`
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

export const DISTANCES = STANDARD_DISTANCES.filter(({ distanceM }) => distanceM >= 1000).map(
  ({ label, distanceM }) => [distanceM, distanceName(label)] as const,
)

export function raceDistance(distanceM: number, units: Units): string {
  return DISTANCES.find(([metres]) => metres === distanceM)?.[1] ?? text(roughDistance(distanceM, units))
}

export function raceName({ name, distanceM }: Pick<Race, 'name' | 'distanceM'>, units: Units): string {
  return name ?? `${raceDistance(distanceM, units)} race`
}

/** `Today`, `Tomorrow`, `In 12 days`. */
export function countdown(day: string): string {
  const days = daysTo(day)
  return days > 1 ? `In ${counted(days, 'day')}` : days === 1 ? 'Tomorrow' : 'Today'
}

/** `12 days to City 10K`. */
export function countdownTo(race: Race, units: Units): string {
  const days = daysTo(race.date)
  const name = raceName(race, units)
  return days > 1 ? `${counted(days, 'day')} to ${name}` : `${countdown(race.date)}: ${name}`
}

/** Negative for a day that is over. */
export function daysTo(day: string): number {
  return dayNumber(day) - dayNumber(localDay(new Date().toISOString()))
}

/** `Your 2nd fastest of 7`; null for the only race over its distance. */
export function placeWords(place: Race['place']): string | null {
  if (place === null || place.of < 2) return null
  return place.rank === 1 ? `Your fastest of ${place.of}` : `Your ${ordinal(place.rank)} fastest of ${place.of}`
}

const HOUR_S = 3600

/** Rounded to 5 s below an hour, to 10 s above, since the band is wider than that. */
export function roundTime(seconds: number | null): string {
  if (seconds === null) return duration(null)
  const step = seconds < HOUR_S ? 5 : 10
  return duration(Math.round(seconds / step) * step)
}
