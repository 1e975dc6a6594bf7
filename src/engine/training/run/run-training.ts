import { heartRateLocks } from '../../run/heart-rate-lock.ts'
import type { Readings } from '../../run/readings.ts'
import type { Track } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'
import { countedTime, type HeldSpans, heldSpans, movingSpans } from './counted-time.ts'
import { efficiency } from './decoupling.ts'
import { durability } from './durability.ts'
import { headings } from './headings.ts'
import { EMPTY, heartRateHistogram, speedHistogram } from './histograms.ts'
import { clockLengthS, type MovingClock, movingClock, placed, valueAt } from './moving-clock.ts'
import { best30, hardPeaks } from './threshold-windows.ts'

/** Version of the facts stored per run for training. A change of any of their formulas raises it. */
export const TRAINING_VERSION = 5

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
  const { distanceM, equivalentM, heartRate, profile, found } = readings
  const clock = movingClock(track, { distanceM, equivalentM, found })
  const graded = equivalentM ?? distanceM
  const lengthM = distanceM === null ? 0 : distanceM.at(-1)! - distanceM[0]!
  const gainM = profile?.gainM.at(-1) ?? null
  const histograms = {
    heartRate: heartRate === null ? EMPTY : heartRateHistogram(heartRate, off),
    /** Grade-equivalent where altitude counts; empty without distance. */
    speed: clock === null ? EMPTY : speedHistogram(clock),
  }
  const held = heartRate && heldSpans(heartRate, tS.at(-1) ?? 0)
  const ofCounted = ofCountedTime(clock, held)
  /** Highest means over 15 s by the speed of the minute before them. */
  const peaks = held && graded ? hardPeaks(held, tS, graded) : []
  const hardest = { peaks, best30: graded && best30(tS, graded, held) }
  return {
    ...histograms,
    ...ofCounted,
    ...hardest,
    /** Climb per kilometre, metres; null: no altitude. */
    gainPerKm: gainM === null || !Number.isFinite(gainM) || !(lengthM > 0) ? null : (1000 * gainM) / lengthM,
    /** Whether the altitude is accurate enough for grades. */
    isAltitudeUsable: equivalentM !== null,
    isIndoor: track.indoor,
    /** Seconds in which the heart rate is the number of steps and higher than the pace lets expect. */
    lockedS: heartRateLocks(track).reduce((sum, { startS, endS, isAbove }) => sum + (isAbove ? endS - startS : 0), 0),
    headings: clock && distanceM ? headings(tS, track, { distanceM, cut: clock.cut }) : [],
    /** Grade-equivalent metres of the requested windows by distance index; null: the altitude cannot be used. */
    effortGradedM:
      equivalentM && efforts.map((effort) => [effort.distanceIndex, windowM(tS, equivalentM, effort)] as const),
  }
}

const NOTHING_HELD: HeldSpans = {
  startS: new Float64Array(0),
  endS: new Float64Array(0),
  bpm: new Float64Array(0),
}

/** What counts of the moving clock, whose columns are not kept beyond it. */
function ofCountedTime(clock: MovingClock | null, held: HeldSpans | null) {
  const moving = clock && held && movingSpans(held, clock)
  const ofTime = efficiency(clock && countedTime(clock, moving ?? NOTHING_HELD))
  return {
    efficiency: ofTime,
    pulseless: ofTime.means === null && clock ? withoutPulse(clock) : null,
    durability: clock && moving && durability(clock, moving),
  }
}

/** Of a run without heart rate in its counted time: what that would be with one; null: it has one, or no distance. */
function withoutPulse(clock: MovingClock) {
  const whole = { startS: Float64Array.of(0), endS: Float64Array.of(clockLengthS(clock)), bpm: Float64Array.of(0) }
  const { means, speedCv } = efficiency(countedTime(clock, whole))
  return means && { seconds: means.seconds, mps: means.mps, speedCv }
}

function windowM(tS: Float64Array, equivalentM: Float64Array, { startMs, timeMs }: EffortWindow): number {
  const from = valueAt(equivalentM, placed(tS, startMs / 1000))
  const to = valueAt(equivalentM, placed(tS, (startMs + timeMs) / 1000))
  return roundHalfUp(to - from, 1)
}
