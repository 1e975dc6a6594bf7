import type { Zones } from '../analysis.ts'
import type { Span } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { zoneOf } from './zones.ts'

/** Heart rates outside take no part (CONTRACT 7.1). */
const LOWEST_BPM = 30
const HIGHEST_BPM = 250

export interface RelativeEffort {
  /** Minutes in zone times zone number, whole. */
  readonly relativeEffort: number
  /** Whole seconds in zones 1 to 5. */
  readonly zoneSeconds: readonly [number, number, number, number, number]
}

/**
 * Relative effort: minutes in zone 1 to 5 times 1 to 5, the summated-zone score of Edwards, with the hold rule of
 * ALGORITHMS 5 so that sparse data scores like one sample a second.
 * @param tS elapsed seconds, increasing; @param heartRateBpm same length, NaN is a gap
 * @param off timer-off spans in order, not overlapping; taken out after the hold rule
 * @returns null without a heart rate from 30 to 250
 * @throws RangeError when the columns differ in length
 */
export function relativeEffort(
  tS: Float64Array,
  heartRateBpm: Float64Array,
  zones: Zones,
  off: readonly Span[],
): RelativeEffort | null {
  if (tS.length !== heartRateBpm.length) throw new RangeError(`${tS.length} times for ${heartRateBpm.length} values`)
  const sampleS = new Float64Array(tS.length)
  const sampleZone = new Uint8Array(tS.length)
  let n = 0
  for (let i = 0; i < tS.length; i += 1) {
    const bpm = heartRateBpm[i]!
    if (!(bpm >= LOWEST_BPM && bpm <= HIGHEST_BPM)) continue
    sampleS[n] = tS[i]!
    sampleZone[n] = zoneOf(bpm, zones)
    n += 1
  }
  if (n === 0) return null

  const nominalS = nominalInterval(sampleS, n)
  const longestS = Math.min(60, Math.max(10, 4 * nominalS))
  const secondsIn = new Float64Array(6)
  let cursor = 0
  for (let i = 0; i < n; i += 1) {
    const startS = sampleS[i]!
    const gapS = i + 1 < n ? sampleS[i + 1]! - startS : Number.POSITIVE_INFINITY
    const heldS = gapS > longestS ? nominalS : Math.max(0, gapS)
    while (cursor < off.length && off[cursor]!.endS <= startS) cursor += 1
    secondsIn[sampleZone[i]!]! += heldS - offWithin(off, cursor, { startS, endS: startS + heldS })
  }
  return scored(secondsIn)
}

/**
 * The score of a run that has no samples: its average heart rate counts for the whole duration.
 * @returns null when the average is outside 30 to 250
 */
export function averageEffort(avgHeartRateBpm: number, durationS: number, zones: Zones): RelativeEffort | null {
  if (!(avgHeartRateBpm >= LOWEST_BPM && avgHeartRateBpm <= HIGHEST_BPM)) return null
  const secondsIn = new Float64Array(6)
  secondsIn[zoneOf(avgHeartRateBpm, zones)] = Math.max(0, durationS)
  return scored(secondsIn)
}

/** Median interval between samples, 1 to 60 s. */
function nominalInterval(sampleS: Float64Array, n: number): number {
  const intervals = new Float64Array(n)
  let count = 0
  let upToOne = 0
  for (let i = 1; i < n; i += 1) {
    const intervalS = sampleS[i]! - sampleS[i - 1]!
    if (!(intervalS > 0)) continue
    intervals[count] = intervalS
    count += 1
    if (intervalS <= 1) upToOne += 1
  }
  // One sample a second is the usual case; it needs no sorting.
  if (2 * upToOne > count || count === 0) return 1
  const sorted = intervals.subarray(0, count).sort()
  const median = (sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2
  return Math.min(60, Math.max(1, median))
}

function offWithin(off: readonly Span[], first: number, { startS, endS }: Span): number {
  let sum = 0
  for (let k = first; k < off.length && off[k]!.startS < endS; k += 1) {
    sum += Math.max(0, Math.min(off[k]!.endS, endS) - Math.max(off[k]!.startS, startS))
  }
  return sum
}

/** @param secondsIn seconds below zone 1 and in zones 1 to 5 */
function scored(secondsIn: Float64Array): RelativeEffort {
  let points = 0
  let sumS = 0
  let floored = 0
  const whole = [0, 0, 0, 0, 0] as [number, number, number, number, number]
  for (let zone = 1; zone <= 5; zone += 1) {
    points += zone * secondsIn[zone]!
    sumS += secondsIn[zone]!
    // A microsecond keeps sums of tenths from falling a second short.
    const next = Math.floor(sumS + 1e-6)
    whole[zone - 1] = next - floored
    floored = next
  }
  return { relativeEffort: roundHalfUp(points / 60), zoneSeconds: whole }
}
