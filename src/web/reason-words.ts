/** Texts for the reasons why a number is less certain. */
const REASONS: Readonly<Record<string, string>> = {
  noHeartRate: 'no heart rate',
  heartRateGaps: 'heart rate has gaps',
  suspectHeartRate: 'heart rate doesn’t match the pace',
  defaultMaxHeartRate: 'max HR is a default',
  defaultRestingHeartRate: 'resting HR is a default',
  defaultLthr: 'threshold heart rate (LTHR) is a default',
  uncalibrated: 'too few runs with heart rate',
  averageOnly: 'average heart rate only',
  gpsAltitude: 'GPS altitude',
  indoor: 'indoor run',
  warmingUp: 'less than 42 days of running',
  stale: 'no run in 90 days',
  noRace: 'no race result',
  tooFewRuns: 'too few runs',
  tooFewEfforts: 'too few hard efforts',
  spanTooShort: 'efforts too similar in length',
  uncertain: 'doesn’t fit the other runs',
  poorFit: 'efforts don’t fit one curve',
  tooShort: 'run too short',
  notSteady: 'pace too uneven',
  noDistance: 'no distance',
  noWeather: 'no weather',
  extrapolated: 'far beyond your longest effort',
  excluded: 'excluded by you',
  notRaced: 'slower than your training suggests',
}

/** @returns '' when there is none */
export function reasonWords(reasons: readonly string[]): string {
  return reasons.map((reason) => REASONS[reason] ?? reason).join('; ')
}
