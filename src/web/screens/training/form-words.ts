import { number, range, signed } from '../../format.ts'
import type { FormToday } from '../../types.ts'
import { TERMS } from '../../words.ts'

const COUNTS = ['no', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** Such as `Form −12, building`; missing values are left out. */
export function formWords({ form, formWord }: FormToday): string {
  if (form.value === null) return TERMS.notEnoughData
  return `${signed(form.value)}${formWord === null ? '' : `, ${formWord}`}`
}

/** Such as `40, 3 more than a week ago`. */
export function fitnessWords({ fitness, ramp }: FormToday): string {
  if (fitness.value === null) return TERMS.notEnoughData
  const value = number(fitness.value)
  if (ramp === null) return value
  const change = Math.round(ramp)
  if (change === 0) return `${value}, same as a week ago`
  return `${value}, ${Math.abs(change)} ${change > 0 ? 'more' : 'less'} than a week ago`
}

/** Today's remaining load, and when rest brings form back to 0; as calculation, not as advice. */
export function roomWords({ room, restDaysToFormZero: days, load }: FormToday): string {
  const [low, high] = [...room.map((one) => one.load)].sort((a, b) => a - b)
  const said: string[] = []
  if (low !== undefined && high !== undefined && high > 0) {
    const done = load > 0 ? ` (${number(load)} so far)` : ''
    said.push(`A load of ${range(number(low), number(high))} today${done} keeps you in the building range.`)
  }
  if (days !== null && days > 0) {
    said.push(`${COUNTS[days] ?? days} ${days === 1 ? 'rest day' : 'rest days'} would bring form back to 0.`)
  }
  return said.join(' ')
}

/** Whether the averages are still warming up, which is stated. */
export function isWarmingUp({ fitness }: FormToday): boolean {
  return fitness.reasons.includes('warmingUp')
}
