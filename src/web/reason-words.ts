/** Texts for the reasons why a number is less certain. */
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

/** @returns '' when there is none */
export function reasonWords(reasons: readonly string[]): string {
  return reasons.map((reason) => REASONS[reason] ?? reason).join('; ')
}
