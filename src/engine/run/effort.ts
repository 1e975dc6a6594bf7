import type { Zones } from '../analysis.ts'
import type { Said, ZoneSeconds } from '../numbers.ts'
import { type Repair, restatedHeartRate } from '../repair/repairs.ts'
import type { Span, Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { type HeldSeries, heldSeconds, heldSeries } from './hold.ts'
import { HEART_RATE_RANGE, zoneOf } from './zones.ts'

export interface RelativeEffort {
  /** Sum over the zones of minutes in the zone times the zone's number, a whole number. */
  readonly relativeEffort: number
  readonly zoneSeconds: ZoneSeconds
}

/**
 * Relative effort: minutes in zones 1 to 5 weighted 1 to 5, the summated-zone score of Edwards. Samples count by the
 * hold rule of docs/algorithms.md 5, so that sparse data scores like one sample a second.
 * @param heartRate from 30 to 250 bpm
 * @param off timer-off spans in order, not overlapping; removed after the hold rule was applied
 */
export function relativeEffort({ tS, values }: HeldSeries, zones: Zones, off: readonly Span[]): RelativeEffort {
  const heldS = heldSeconds(tS, off)
  const secondsIn = new Float64Array(6)
  for (let i = 0; i < values.length; i += 1) secondsIn[zoneOf(values[i]!, zones)]! += heldS[i]!
  return scored(secondsIn)
}

/** By the average heart rate for the whole duration; null when it is outside 30 to 250. */
export function averageEffort(avgHeartRateBpm: number, durationS: number, zones: Zones): RelativeEffort | null {
  const [least, most] = HEART_RATE_RANGE
  if (!(avgHeartRateBpm >= least && avgHeartRateBpm <= most)) return null
  const secondsIn = new Float64Array(6)
  secondsIn[zoneOf(avgHeartRateBpm, zones)] = Math.max(0, durationS)
  return scored(secondsIn)
}

/** What a score is computed from, beside the samples. */
interface Scoring {
  readonly recordings: readonly { readonly said: Said }[]
  /** Only those that are active, in the order in which they were made. */
  readonly repairs: readonly Repair[]
  /** Duration of the workout, seconds. */
  readonly durationS: number
  readonly zones: Zones
}

/**
 * The effort of a stored workout, by the same rules as `combine`: from its heart rate samples, else from the average
 * that its recordings state. What repairs state goes first, since recordings do not describe a part of a run.
 * @param track null: without samples
 */
export function scoredEffort(
  { recordings, repairs, durationS, zones }: Scoring,
  track: Pick<Track, 'tS' | 'heartRateBpm' | 'off'> | null,
): RelativeEffort | null {
  const heartRate = track && heldSeries(track.tS, track.heartRateBpm, HEART_RATE_RANGE)
  if (track !== null && heartRate !== null) return relativeEffort(heartRate, zones, track.off)
  const averages = recordings.map(({ said }) => said.avgHeartRateBpm ?? 0)
  const restated = restatedHeartRate(repairs)
  const bpm = restated === undefined ? averages.find((average) => average > 0) : restated
  return bpm == null ? null : averageEffort(bpm, durationS, zones)
}

/** @param secondsIn seconds below zone 1, then in zones 1 to 5 */
function scored(secondsIn: Float64Array): RelativeEffort {
  let points = 0
  let sumS = 0
  let floored = 0
  const whole: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  for (let zone = 1; zone <= 5; zone += 1) {
    points += zone * secondsIn[zone]!
    sumS += secondsIn[zone]!
    // without this microsecond, sums of tenths would fall a second short
    const next = Math.floor(sumS + 1e-6)
    whole[zone - 1] = next - floored
    floored = next
  }
  return { relativeEffort: roundHalfUp(points / 60), zoneSeconds: whole }
}
