import { placed, valueAt } from '../../gather.ts'
import { type Clock, lengthS } from '../../run/clock.ts'
import { heartRateLocks } from '../../run/heart-rate-lock.ts'
import type { Readings } from '../../run/readings.ts'
import type { Track } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'
import { clocksOf, pulseTime } from './counted-time.ts'
import { efficiency } from './decoupling.ts'
import { durability } from './durability.ts'
import { headings } from './headings.ts'
import { EMPTY, heartRateHistogram, speedHistogram } from './histograms.ts'
import { best30, hardPeaks } from './threshold-windows.ts'

/** Stored integers per unit, by kind of number: shares and speeds in m/s, heart rates, metres per km. */
export const KEPT_PARTS = { share: 1e6, bpm: 1e4, climb: 1000 } as const

/** Facts about a run from its samples alone; nothing in it depends on the runner's profile. */
export type RunTraining = ReturnType<typeof runTraining>

/** A window of a best effort, elapsed milliseconds. */
export interface EffortWindow {
  readonly distanceIndex: number
  readonly startMs: number
  readonly timeMs: number
}

/** All that is stored of a run with samples for training. @param efforts windows whose graded metres are wanted */
export function runTraining(track: Track, readings: Readings, efforts: readonly EffortWindow[]) {
  const { tS, off } = track
  const { distanceM, equivalentM, heartRate, profile } = readings
  const { elapsed, moving, steady, cut } = clocksOf(track, readings)
  const lengthM = distanceM === null ? 0 : distanceM.at(-1)! - distanceM[0]!
  const gainM = profile?.gainM.at(-1) ?? null
  const counted = distanceM && pulseTime(steady)
  const ofCounted = efficiency(counted, lengthS(steady))
  return {
    heartRate: heartRate === null ? EMPTY : heartRateHistogram(heartRate, off),
    /** Grade-equivalent where altitude counts; empty without distance. */
    speed: distanceM === null ? EMPTY : speedHistogram(moving),
    efficiency: ofCounted,
    /** Of a run without heart rate in its counted time: what that would be with one; null: it has one, or no distance. */
    pulseless: distanceM && ofCounted.means === null ? withoutPulse(steady) : null,
    durability: distanceM && heartRate && durability(moving),
    /** Highest means over 15 s by the speed of the minute before them. */
    peaks: heartRate && distanceM ? hardPeaks(elapsed, heartRate) : [],
    best30: distanceM && best30(elapsed),
    /** Climb per kilometre, metres; null: no altitude. */
    gainPerKm: gainM === null || !Number.isFinite(gainM) || !(lengthM > 0) ? null : (1000 * gainM) / lengthM,
    /** Whether the altitude is accurate enough for grades. */
    isAltitudeUsable: equivalentM !== null,
    isIndoor: track.indoor,
    /** Seconds in which the heart rate is the number of steps and higher than the pace lets expect. */
    lockedS: heartRateLocks(track).reduce((sum, { startS, endS, isAbove }) => sum + (isAbove ? endS - startS : 0), 0),
    headings: distanceM ? headings(tS, track, { distanceM, cut }) : [],
    /** Grade-equivalent metres of the requested windows by distance index; null: the altitude cannot be used. */
    effortGradedM:
      equivalentM && efforts.map((effort) => [effort.distanceIndex, windowM(tS, equivalentM, effort)] as const),
  }
}

function withoutPulse(steady: Clock) {
  const { means, speedCv } = efficiency(steady, lengthS(steady))
  return means && { seconds: means.seconds, mps: means.mps, speedCv }
}

function windowM(tS: Float64Array, equivalentM: Float64Array, { startMs, timeMs }: EffortWindow): number {
  const from = valueAt(equivalentM, placed(tS, startMs / 1000))
  const to = valueAt(equivalentM, placed(tS, (startMs + timeMs) / 1000))
  return roundHalfUp(to - from, 1)
}
