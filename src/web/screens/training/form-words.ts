import { number, range, signed } from '../../format.ts'
import type { FormToday } from '../../types.ts'
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
