import { number, signed } from '../../format.ts'
import type { FormToday } from '../../types.ts'

const COUNTS = ['no', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** `Form −12, building`; what is not there is not told. */
export function formWords({ form, formWord }: FormToday): string {
  if (form.value === null) return 'Form is not known yet'
  return `${signed(form.value)}${formWord === null ? '' : `, ${formWord}`}`
}

/** `40, 3 more than a week ago`. */
export function fitnessWords({ fitness, ramp }: FormToday): string {
  if (fitness.value === null) return 'Not known yet'
  const value = number(fitness.value)
  if (ramp === null) return value
  const change = Math.round(ramp)
  if (change === 0) return `${value}, as a week ago`
  return `${value}, ${Math.abs(change)} ${change > 0 ? 'more' : 'less'} than a week ago`
}

/** What today leaves room for, and when rest brings form back to 0; as arithmetic, not as advice. */
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

/** Whether the series is too young to be steady, which is told and not hidden. */
export function isWarmingUp({ fitness }: FormToday): boolean {
  return fitness.reasons.includes('warmingUp')
}

/** Why a number is less sure, in words of a runner. */
const REASONS: Readonly<Record<string, string>> = {
  noHeartRate: 'no heart rate',
  heartRateGaps: 'heart rate has gaps',
  suspectHeartRate: 'heart rate does not fit the pace',
  defaultMaxHeartRate: 'maximum heart rate is a default, not yours',
  defaultRestingHeartRate: 'resting heart rate is a default, not yours',
  defaultLthr: 'heart rate at the one-hour limit is a default, not yours',
  noThresholdPace: 'no threshold pace',
  uncalibrated: 'too few runs with heart rate to compare with',
  averageOnly: 'only an average heart rate',
  gpsAltitude: 'altitude by GPS',
  indoor: 'run indoors',
  warmingUp: 'fewer than 42 days of runs',
  stale: 'newest evidence is older than 90 days',
  noRace: 'no race among the runs',
  tooFewRuns: 'too few runs',
  tooFewEfforts: 'too few hard efforts',
  oneRun: 'all from one run',
  spanTooShort: 'efforts are of about the same length',
  uncertain: 'the efforts disagree too much',
  dPrimeImplausible: 'the efforts were not all-out',
  poorFit: 'the efforts do not fit one curve',
  tooShort: 'too short',
  notSteady: 'not run evenly',
  noDistance: 'no distance',
  extrapolated: 'far beyond the efforts',
  heat: 'hot day',
  excluded: 'taken out by you',
}

/** @returns '' for none */
export function reasonWords(reasons: readonly string[]): string {
  return reasons.map((reason) => REASONS[reason] ?? reason).join('; ')
}
