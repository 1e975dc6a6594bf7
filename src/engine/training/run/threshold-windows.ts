import { placed, reader } from '../../gather.ts'
import { type Clock, elapsedClock, partOf } from '../../run/clock.ts'
import type { HeldSeries } from '../../run/hold.ts'
import type { Span } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'

export const TEST_S = 1800
/** Friel's test: the mean heart rate of the last twenty minutes of a half hour. */
export const TEST_END_S = 1200
const LEAST_COVERAGE = 0.95
export const PEAK_S = 15
const LEAST_PEAK_BPM = 100
/** A pulse rises by less within these seconds; a leap in so many seconds before a peak makes it an error of the sensor. */
const LEAP_BPM = 10
const LEAP_S = 5
const CALM_S = 30
const MINUTE_S = 60
const MOST_MPS = 12
const EPSILON = 1e-9
/** Duration of races that show the one-hour heart rate on their own. */
const HOUR_RACE_S = [3000, 4500] as const
export const RACE_WARM_UP_S = 600

/**
 * The fastest half hour on the elapsed clock, the earliest of equals; null when the records are shorter. `lthr` is the mean
 * of its last twenty minutes, whole bpm; null: too little heart rate.
 */
export function best30(elapsed: Clock) {
  const { atS, gradedM } = elapsed
  let [startS, metres] = [Number.NaN, Number.NEGATIVE_INFINITY]
  const [from, to] = [reader(atS, gradedM), reader(atS, gradedM)]
  // the growth is linear between windows that begin or end at a knot, so only those need to be examined
  for (const fromS of windowStarts(atS, TEST_S)) {
    const gain = to(fromS + TEST_S) - from(fromS)
    if (gain > metres + EPSILON * Math.abs(gain)) [startS, metres] = [fromS, gain]
  }
  if (Number.isNaN(startS)) return null
  const endS = startS + TEST_S
  const isCovered = partWithin(elapsed, startS, endS).heldS >= LEAST_COVERAGE * TEST_S - EPSILON
  const { heldS, beats } = partWithin(elapsed, endS - TEST_END_S, endS)
  return { startS, metres, speedMps: metres / TEST_S, lthr: isCovered && heldS > 0 ? roundHalfUp(beats / heldS) : null }
}

/** Highest mean over 15 s without a gap, bpm, and its start, the earliest of equal ones; null below 100. */
export function peakHeartRate(elapsed: Clock, heartRate: HeldSeries): { startS: number; bpm: number } | null {
  const { starts, bpm } = heldMeans(elapsed, heartRate)
  let most = -1
  for (let i = 0; i < starts.length; i += 1) if (bpm[i]! > (bpm[most] ?? 0) + EPSILON) most = i
  return most === -1 ? null : { startS: starts[most]!, bpm: bpm[most]! }
}

/** Means of the heart rate over 15 s by their starts, ascending; 0 where it has a gap, or the mean is below 100. */
function heldMeans({ atS: runS }: Clock, heartRate: HeldSeries) {
  // the last heart rate may hold until the end of the run
  const tS = heartRate.tS.at(-1) === runS.at(-1) ? heartRate.tS : Float64Array.from([...heartRate.tS, runS.at(-1)!])
  const { atS, heldS, beats } = elapsedClock({ tS }, { distanceM: null, equivalentM: null, heartRate })
  const starts = windowStarts(atS, PEAK_S)
  const bpm = new Float64Array(starts.length)
  const [from, to] = [reader(atS, beats), reader(atS, beats)]
  const [heldFrom, heldTo] = [reader(atS, heldS), reader(atS, heldS)]
  for (let i = 0; i < starts.length; i += 1) {
    const [startS, endS] = [starts[i]!, starts[i]! + PEAK_S]
    const mean = (to(endS) - from(startS)) / PEAK_S
    const isWhole = mean >= LEAST_PEAK_BPM && heldTo(endS) - heldFrom(startS) >= PEAK_S - 1e-6
    bpm[i] = isWhole ? mean : 0
  }
  return { starts, bpm }
}

/** A peak of the heart rate and how fast the minute before it was run. */
export type HardPeak = readonly [mps: number, bpm: number]

/**
 * The highest means over 15 s by the speed of the minute before them, as pairs with rising speed and falling heart
 * rate: of those at a speed or faster the first that is as fast is the highest. A mean does not count when the heart
 * rate leaps into it: by 10 bpm or more within 5 s, in the 30 s before it or in itself. O(n).
 */
export function hardPeaks(elapsed: Clock, heartRate: HeldSeries): HardPeak[] {
  const { atS, gradedM } = elapsed
  const leaps = leapsOf(heartRate)
  const highest = new Float64Array(100 * MOST_MPS + 1)
  let leap = 0
  let leaptS = Number.NEGATIVE_INFINITY
  const [atStart, aMinuteBefore] = [reader(atS, gradedM), reader(atS, gradedM)]
  const { starts, bpm } = heldMeans(elapsed, heartRate)
  for (let i = 0; i < starts.length; i += 1) {
    const [startS, endS] = [starts[i]!, starts[i]! + PEAK_S]
    for (; leap < leaps.length && leaps[leap]!.endS <= endS; leap += 1) leaptS = Math.max(leaptS, leaps[leap]!.startS)
    if (bpm[i] === 0 || leaptS >= startS - CALM_S || startS - MINUTE_S < atS[0]!) continue
    const metres = atStart(startS) - aMinuteBefore(startS - MINUTE_S)
    const place = Math.floor((100 * Math.min(MOST_MPS * MINUTE_S, metres)) / MINUTE_S + EPSILON)
    highest[place] = Math.max(highest[place]!, bpm[i]!)
  }
  const peaks: HardPeak[] = []
  for (let place = highest.length - 1; place >= 0; place -= 1) {
    const bpm = roundHalfUp(highest[place]!, 2)
    if (bpm > (peaks[0]?.[1] ?? 0)) peaks.unshift([place / 100, bpm])
  }
  return peaks
}

/** The highest peak after a minute at this speed or faster, bpm; null: there is none. */
export function peakFrom(peaks: readonly HardPeak[], leastMps: number): number | null {
  return peaks.find(([mps]) => mps >= leastMps)?.[1] ?? null
}

/** Where the heart rate rose by 10 bpm or more within 5 s, in order of the end. */
function leapsOf({ tS, values }: HeldSeries): Span[] {
  const leaps: Span[] = []
  // rows within the 5 s whose heart rate no later one is below
  const lows = new Uint32Array(values.length)
  let [head, tail] = [0, 0]
  for (let row = 0; row < values.length; row += 1) {
    while (head < tail && tS[row]! - tS[lows[head]!]! > LEAP_S + EPSILON) head += 1
    const low = lows[head]!
    if (head < tail && values[row]! - values[low]! >= LEAP_BPM) leaps.push({ startS: tS[low]!, endS: tS[row]! })
    while (head < tail && values[lows[tail - 1]!]! >= values[row]!) tail -= 1
    lows[tail] = row
    tail += 1
  }
  return leaps
}

/** Starts of the windows that begin or end at a knot, ascending. */
function windowStarts(knots: Float64Array, lengthS: number): Float64Array {
  const starts = new Float64Array(2 * knots.length)
  const firstS = knots[0]!
  const lastS = knots.at(-1)! - lengthS + EPSILON
  let count = 0
  let ends = 0
  for (let i = 0; i < knots.length; i += 1) {
    const startS = knots[i]!
    for (; ends < knots.length && knots[ends]! - lengthS <= startS; ends += 1) {
      const fromS = knots[ends]! - lengthS
      if (fromS >= firstS && fromS < startS) {
        starts[count] = fromS
        count += 1
      }
    }
    if (startS <= lastS) {
      starts[count] = startS
      count += 1
    }
  }
  return starts.subarray(0, count)
}

/** Mean heart rate from the tenth minute on; null for runs not of about an hour, or with too little heart rate. */
export function hourRaceHeartRate(elapsed: Clock, durationS: number): number | null {
  if (durationS < HOUR_RACE_S[0] || durationS > HOUR_RACE_S[1]) return null
  const { heldS, beats } = partWithin(elapsed, RACE_WARM_UP_S, durationS)
  return heldS >= LEAST_COVERAGE * (durationS - RACE_WARM_UP_S) ? beats / heldS : null
}

function partWithin(clock: Clock, fromS: number, toS: number) {
  return partOf(clock, placed(clock.atS, fromS), placed(clock.atS, toS))
}
