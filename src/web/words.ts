/** Terms that occur more than once on the page; sentences are where they are used. */
export const TERMS = {
  distance: 'Distance',
  time: 'Time',
  movingTime: 'Moving time',
  pace: 'Pace',
  thresholdPace: 'Threshold pace',
  heartRate: 'Heart rate',
  hr: 'HR',
  averageHr: 'Average HR',
  maxHr: 'Max HR',
  restingHr: 'Resting HR',
  lthr: 'Threshold heart rate (LTHR)',
  heartRateZones: 'Heart-rate zones',
  cadence: 'Cadence',
  power: 'Power',
  elevationGain: 'Elevation gain',
  calories: 'Calories',
  relativeEffort: 'Relative effort',
  load: 'Load',
  loadSource: 'Load source',
  fitness: 'Fitness',
  fatigue: 'Fatigue',
  form: 'Form',
  splits: 'Splits',
  noType: 'No type',
  noShoe: 'No shoe',
  automatic: 'Automatic',
  notEnoughData: 'Not enough data',
  enterNumber: 'Enter a number',
  enterWholeNumber: 'Enter a whole number',
  failed: 'That didn’t work. Try again.',
  notSaved: 'Couldn’t save. Try again.',
  cannotUndo: 'This can’t be undone.',
  warmingUp: 'Warming up: these numbers settle after 42 days of running.',
} as const

/** What relative effort is, for runners. */
export const EFFORT_HELP =
  'How hard a run was for your heart. Each minute scores its heart-rate zone: 1 point in zone 1, 5 in zone 5. An easy hour scores about 120, a hard one 200 or more. Use it to compare your own runs.'
/** What load is, for runners. */
export const LOAD_HELP =
  'Load counts intensity and time of every run, from heart rate, pace or what you entered: an hour at threshold is 100. Fitness and form follow from it.'

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

/** Names of the five heart-rate zones, lowest first; their limits are set by the runner. */
export const ZONE_NAMES = ['Recovery', 'Easy', 'Tempo', 'Threshold', 'Maximum'] as const
