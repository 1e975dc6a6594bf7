import { roundHalfUp } from '../../units.ts'
import { median } from '../numbers.ts'

/** Speed grows with the share of the heart rate reserve to this power. */
const SPEED_POWER = 0.9
const LEAST_DIFFERENCE_BPM = 2
/** 1.96 standard deviations of 5 bpm, by which one day differs from the next. */
const DAY_BAND_BPM = 9.8
const MOST_SPAN_BPM = 10
/** A single test counts only where runs by pulse scatter this little. */
const CALM_SIGMA = 0.022

interface ThresholdTest {
  readonly restBpm: number
  /** Mean of the test. */
  readonly bpm: number
  readonly mps: number
  /** Speed that could be held for one hour on that day. */
  readonly oneHourMps: number
}

/** Heart rate of a test, brought to the speed of one hour, bpm. */
export function oneHourBpm({ restBpm, bpm, mps, oneHourMps }: ThresholdTest): number {
  return restBpm + (bpm - restBpm) * (oneHourMps / mps) ** (1 / SPEED_POWER)
}

/** Threshold heart rate that tests propose, whole bpm; null: they say too little, or nothing new. @param sigma of the fit */
export function proposedLthr(
  tests: readonly ThresholdTest[],
  { current, sigma }: { readonly current: number; readonly sigma: number },
): number | null {
  if (tests.length === 0 || (tests.length === 1 && sigma > CALM_SIGMA)) return null
  const values = tests.map(oneHourBpm)
  if (Math.max(...values) - Math.min(...values) > MOST_SPAN_BPM) return null
  const proposed = roundHalfUp(median(values))
  const least = Math.max(LEAST_DIFFERENCE_BPM, DAY_BAND_BPM / Math.sqrt(tests.length))
  return Math.abs(proposed - current) >= least ? proposed : null
}
