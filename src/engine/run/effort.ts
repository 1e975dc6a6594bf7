import type { Zones } from '../analysis.ts'
import type { Said } from '../numbers.ts'
import type { Span } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { heldSeconds } from './hold.ts'
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

  const heldS = heldSeconds(sampleS.subarray(0, n), off)
  const secondsIn = new Float64Array(6)
  for (let i = 0; i < n; i += 1) secondsIn[sampleZone[i]!]! += heldS[i]!
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

/** What an effort is scored of, beside the samples. */
export interface Scoring {
  readonly recordings: readonly { readonly said: Said }[]
  readonly repairs: readonly unknown[]
  /** Of the workout, seconds. */
  readonly durationS: number
  readonly zones: Zones
}

/**
 * The effort of a stored workout by the rules of settling: its heart rates, else the average that its recordings tell; while
 * a repair is active these tell nothing.
 * @param track null: without samples
 */
export function scoredEffort(
  { recordings, repairs, durationS, zones }: Scoring,
  track: { readonly tS: Float64Array; readonly heartRateBpm: Float64Array; readonly off: readonly Span[] } | null,
): RelativeEffort | null {
  const scored = track && relativeEffort(track.tS, track.heartRateBpm, zones, track.off)
  if (scored !== null) return scored
  const averages = repairs.length > 0 ? [] : recordings.map(({ said }) => said.avgHeartRateBpm ?? 0)
  const bpm = averages.find((average) => average > 0)
  return bpm === undefined ? null : averageEffort(bpm, durationS, zones)
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
