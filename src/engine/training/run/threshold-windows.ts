import type { Span } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'
import type { HeldSpans } from './counted-time.ts'
import { reader } from './moving-clock.ts'

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
 * @param gradedM cumulative grade-equivalent metres at `tS`
 */
export function best30(tS: Float64Array, gradedM: Float64Array, held: HeldSpans | null) {
  const found = fastest(tS, gradedM, TEST_S)
  if (found === null) return null
  const { startS, gain } = found
  const endS = startS + TEST_S
  const whole = held && heldWithin(held, startS, endS)
  const isCovered = whole !== null && whole.seconds >= LEAST_COVERAGE * TEST_S - EPSILON
  const end = isCovered ? heldWithin(held!, endS - TEST_END_S, endS) : null
  return { startS, metres: gain, speedMps: gain / TEST_S, lthr: end && end.seconds > 0 ? roundHalfUp(end.mean) : null }
}

/** Highest mean over 15 s without a gap, bpm, and its start, the earliest of equal ones; null below 100. */
export function peakHeartRate(held: HeldSpans): { readonly startS: number; readonly bpm: number } | null {
  let [most, mostS] = [0, 0]
  for (const { knots, beats } of unbroken(held)) {
    const found = fastest(knots, beats, PEAK_S)
    if (found !== null && found.gain / PEAK_S > most) [most, mostS] = [found.gain / PEAK_S, found.startS]
  }
  return most >= LEAST_PEAK_BPM ? { startS: mostS, bpm: most } : null
}

/** Stretches of spans without a gap, each with the beats at its knots, times 60. */
function* unbroken({ startS, endS, bpm }: HeldSpans): Generator<{ knots: Float64Array; beats: Float64Array }> {
  let first = 0
  while (first < bpm.length) {
    let last = first
    while (last + 1 < bpm.length && startS[last + 1]! <= endS[last]! + EPSILON) last += 1
    const knots = new Float64Array(last - first + 2)
    const beats = new Float64Array(last - first + 2)
    for (let i = first; i <= last; i += 1) {
      knots[i - first] = startS[i]!
      knots[i - first + 1] = endS[i]!
      beats[i - first + 1] = beats[i - first]! + bpm[i]! * (endS[i]! - startS[i]!)
    }
    yield { knots, beats }
    first = last + 1
  }
}

/** A peak of the heart rate and how fast the minute before it was run. */
export type HardPeak = readonly [mps: number, bpm: number]

/**
 * The highest means over 15 s by the speed of the minute before them, as pairs with rising speed and falling heart
 * rate: of those at a speed or faster the first that is as fast is the highest. A mean does not count when the heart
 * rate leaps into it: by 10 bpm or more within 5 s, in the 30 s before it or in itself. O(n).
 * @param tS elapsed seconds
 * @param gradedM cumulative grade-equivalent metres
 */
export function hardPeaks(held: HeldSpans, tS: Float64Array, gradedM: Float64Array): HardPeak[] {
  const leaps = leapsOf(held)
  const highest = new Float64Array(100 * MOST_MPS + 1)
  let leap = 0
  let leaptS = Number.NEGATIVE_INFINITY
  const [atStart, aMinuteBefore] = [reader(tS, gradedM), reader(tS, gradedM)]
  for (const { knots, beats } of unbroken(held)) {
    const [from, to] = [reader(knots, beats), reader(knots, beats)]
    for (const startS of windowStarts(knots, PEAK_S)) {
      const endS = startS + PEAK_S
      for (; leap < leaps.length && leaps[leap]!.endS <= endS; leap += 1) leaptS = Math.max(leaptS, leaps[leap]!.startS)
      const bpm = (to(endS) - from(startS)) / PEAK_S
      if (leaptS >= startS - CALM_S || bpm < LEAST_PEAK_BPM || startS - MINUTE_S < tS[0]!) continue
      const metres = atStart(startS) - aMinuteBefore(startS - MINUTE_S)
      const place = Math.floor((100 * Math.min(MOST_MPS * MINUTE_S, metres)) / MINUTE_S + EPSILON)
      highest[place] = Math.max(highest[place]!, bpm)
    }
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
function leapsOf({ startS, bpm }: HeldSpans): Span[] {
  const leaps: Span[] = []
  // rows within the 5 s whose heart rate no later one is below
  const lows = new Uint32Array(bpm.length)
  let [head, tail] = [0, 0]
  for (let row = 0; row < bpm.length; row += 1) {
    while (head < tail && startS[row]! - startS[lows[head]!]! > LEAP_S + EPSILON) head += 1
    const low = lows[head]!
    if (head < tail && bpm[row]! - bpm[low]! >= LEAP_BPM) leaps.push({ startS: startS[low]!, endS: startS[row]! })
    while (head < tail && bpm[lows[tail - 1]!]! >= bpm[row]!) tail -= 1
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
export function hourRaceHeartRate(held: HeldSpans, durationS: number): number | null {
  if (durationS < HOUR_RACE_S[0] || durationS > HOUR_RACE_S[1]) return null
  const { seconds, mean } = heldWithin(held, RACE_WARM_UP_S, durationS)
  return seconds >= LEAST_COVERAGE * (durationS - RACE_WARM_UP_S) ? mean : null
}

/** The window of a length in which a cumulative column grows most; of equals the earliest. */
function fastest(
  tS: Float64Array,
  column: Float64Array,
  lengthS: number,
): { readonly startS: number; readonly gain: number } | null {
  if (tS.length < 2 || tS.at(-1)! - tS[0]! < lengthS - EPSILON) return null
  let bestS = tS[0]!
  let best = Number.NEGATIVE_INFINITY
  const [start, end] = [reader(tS, column), reader(tS, column)]
  // the growth is linear between windows that begin or end at a knot, so only those need to be examined
  for (const startS of windowStarts(tS, lengthS)) {
    const gain = end(startS + lengthS) - start(startS)
    if (gain <= best + EPSILON * Math.abs(gain)) continue
    best = gain
    bestS = startS
  }
  return { startS: bestS, gain: best }
}

function heldWithin({ startS, endS, bpm }: HeldSpans, fromS: number, toS: number) {
  let seconds = 0
  let sum = 0
  for (let i = 0; i < bpm.length; i += 1) {
    const heldS = Math.min(endS[i]!, toS) - Math.max(startS[i]!, fromS)
    if (!(heldS > 0)) continue
    seconds += heldS
    sum += heldS * bpm[i]!
  }
  return { seconds, mean: seconds > 0 ? sum / seconds : 0 }
}
