import { date, lowered, number, range, signed } from '../../../format.ts'
import type { AtOnePulse } from '../../../types.ts'

/** The one sentence: better, worse, no clear change, or not yet. */
export function changeWords({ change, stated, against, day }: AtOnePulse): string {
  const { value, low, high, reasons, missing } = change
  if (value === null || low === null || high === null) {
    if (reasons.some((reason) => reason === 'poorFit')) return 'No result: recent runs don’t fit the older ones.'
    return missing === null ? 'Not yet.' : `Not yet: ${lowered(missing)}.`
  }
  const then = date(against, against.slice(0, 4) === day.slice(0, 4) ? 'monthName' : 'monthYear')
  if (!stated) return `No clear change since ${then} (${range(signed(low, 1), signed(high, 1))}%).`
  const [least, most] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b)
  const word = value > 0 ? 'faster' : 'slower'
  return `${number(Math.abs(value), 1)}% ${word} at the same heart rate than in ${then} (${range(number(least!, 1), number(most!, 1))}%).`
}

export function checkWords(check: AtOnePulse['selfCheck']): string {
  if (check === null) return 'Too few runs so far to check this against new ones.'
  const { share, n } = check
  return `${number(Math.round(share * n))} of the last ${number(n)} runs were within what was expected.`
}

/** Names of the parts of a run. */
export const PARTS: Readonly<Record<string, string>> = {
  pulse: 'Heart rate',
  heat: 'Heat',
  cold: 'Cold',
  wind: 'Wind',
  climb: 'Hills',
  length: 'Length',
  hour: 'Time of day',
  tired: 'Tiredness',
  place: 'Place',
  device: 'Watch',
  sensor: 'Sensor',
}

/** Names of the other conditions. */
const TERMS: Readonly<Record<string, string>> = {
  pulse: '10 bpm lower',
  morning: '6:00 against 18:00',
  cold: 'Each °C below 2 °C',
  wind: 'Wind, share of the calculated cost',
  climb: 'Each 10 m of climb per km',
  length: 'Each hour of running',
  tired: 'Fatigue twice as high as fitness',
}

/** `device: X` and `sensor: X` are named by themselves. */
export function termName(name: string): string {
  return TERMS[name] ?? name.replace(/^device/, 'Watch').replace(/^sensor/, 'Since')
}

type Banded = Readonly<Record<'value' | 'low' | 'high', number | null>>

/** `3.1% (2.1–4.1%)` */
export function percentWords({ value, low, high }: Banded, digits = 1): string {
  if (value === null || low === null || high === null) return ''
  return `${number(value, digits)}% (${range(number(low, digits), number(high, digits))}%)`
}
