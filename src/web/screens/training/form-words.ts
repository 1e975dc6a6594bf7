import { number, signed } from '../../format.ts'
import type { FormToday } from '../../types.ts'

const COUNTS = ['no', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** Such as `Form −12, building`; missing values are left out. */
export function formWords({ form, formWord }: FormToday): string {
  if (form.value === null) return 'Not known yet'
  return `${signed(form.value)}${formWord === null ? '' : `, ${formWord}`}`
}

/** Such as `40, 3 more than a week ago`. */
export function fitnessWords({ fitness, ramp }: FormToday): string {
  if (fitness.value === null) return 'Not known yet'
  const value = number(fitness.value)
  if (ramp === null) return value
  const change = Math.round(ramp)
  if (change === 0) return `${value}, as a week ago`
  return `${value}, ${Math.abs(change)} ${change > 0 ? 'more' : 'less'} than a week ago`
}

/** Today's remaining load, and when rest brings form back to 0; as calculation, not as advice. */
export function roomWords({ room, restDaysToFormZero: days, load }: FormToday): string {
  const [low, high] = [...room.map((one) => one.load)].sort((a, b) => a - b)
  const said: string[] = []
  if (low !== undefined && high !== undefined && high > 0) {
    const done = load > 0 ? ` (${number(load)} so far)` : ''
    said.push(
      `${number(low)} to ${number(high)} of load in all today${done} would put tomorrow’s form between −10 % and −30 % of fitness.`,
    )
  }
  if (days !== null && days > 0) {
    said.push(`${COUNTS[days] ?? days} ${days === 1 ? 'day' : 'days'} of rest would bring form to 0.`)
  }
  return said.join(' ')
}

/** Whether the averages are still warming up, which is stated. */
export function isWarmingUp({ fitness }: FormToday): boolean {
  return fitness.reasons.includes('warmingUp')
}
