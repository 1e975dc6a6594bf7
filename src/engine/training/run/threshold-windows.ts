import { roundHalfUp } from '../../units.ts'
import type { HeldSpans } from './counted-time.ts'
import { between } from './moving-clock.ts'

export const TEST_S = 1800
/** Friel's test: the mean heart rate of the last twenty minutes of a half hour. */
export const TEST_END_S = 1200
const LEAST_COVERAGE = 0.95
export const PEAK_S = 15
const LEAST_PEAK_BPM = 100
const EPSILON = 1e-9
/** Duration of races that by themselves show the one-hour heart rate. */
const HOUR_RACE_S = [3000, 4500] as const
export const RACE_WARM_UP_S = 600

export interface Best30 {
  readonly startS: number
  readonly metres: number
  readonly speedMps: number
  /** Mean of the last twenty minutes, whole bpm; null: too little heart rate. */
  readonly lthr: number | null
}

/**
 * The fastest half hour on the elapsed clock; of equals the earliest.
 * @param gradedM cumulative grade-equivalent metres at `tS`
 * @param held elapsed seconds
 * @returns null when the records are shorter
 */
export function best30(tS: Float64Array, gradedM: Float64Array, held: HeldSpans | null): Best30 | null {
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
  const { startS, endS, bpm } = held
  let [most, mostS] = [0, 0]
  let first = 0
  while (first < bpm.length) {
    // a stretch of spans without a gap
    let last = first
    while (last + 1 < bpm.length && startS[last + 1]! <= endS[last]! + EPSILON) last += 1
    const knots = new Float64Array(last - first + 2)
    const beats = new Float64Array(last - first + 2)
    for (let i = first; i <= last; i += 1) {
      knots[i - first] = startS[i]!
      knots[i - first + 1] = endS[i]!
      beats[i - first + 1] = beats[i - first]! + bpm[i]! * (endS[i]! - startS[i]!)
    }
    const found = fastest(knots, beats, PEAK_S)
    if (found !== null && found.gain / PEAK_S > most) [most, mostS] = [found.gain / PEAK_S, found.startS]
    first = last + 1
  }
  return most >= LEAST_PEAK_BPM ? { startS: mostS, bpm: most } : null
}

/**
 * Mean heart rate of a run of about an hour, from its tenth minute on; null for other runs, or with too little heart
 * rate.
 */
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
  const last = tS.length - 1
  let bestS = tS[0]!
  let best = Number.NEGATIVE_INFINITY
  let ahead = 0
  let behind = 0
  // the growth is linear between windows that begin or end at a knot, so only those need to be examined
  for (let i = 0; i <= last; i += 1) {
    const endS = tS[i]! + lengthS
    if (endS <= tS[last]! + EPSILON) {
      while (ahead < last - 1 && tS[ahead + 1]! <= endS) ahead += 1
      const gain = between(tS, column, { row: ahead, at: endS }) - column[i]!
      if (gain > best + EPSILON * Math.abs(gain)) {
        best = gain
        bestS = tS[i]!
      }
    }
    const fromS = tS[i]! - lengthS
    if (fromS < tS[0]! - EPSILON) continue
    while (behind < last - 1 && tS[behind + 1]! <= fromS) behind += 1
    const gain = column[i]! - between(tS, column, { row: behind, at: fromS })
    // windows that end at a knot here begin before those that begin at this knot
    const isAsGood = gain >= best - EPSILON * Math.abs(gain)
    if (gain > best + EPSILON * Math.abs(gain) || (isAsGood && fromS < bestS)) {
      best = gain
      bestS = fromS
    }
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
