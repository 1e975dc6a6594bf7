import { reader, valueAt } from '../gather.ts'
import type { Readings } from '../run/readings.ts'
import type { Span, Track } from '../track.ts'

/** Cumulative effort of a run at every whole second, from 0 to the last. */
export interface EffortSeries {
  /** Length of the run; there is one value more. */
  readonly seconds: number
  /** Cumulative metres: grade adjusted (flat metres of equal effort) where the slope is known, else as recorded. */
  readonly effortM: Float64Array
  /** Whether `effortM` is grade adjusted, or the run has no slope to adjust for (a treadmill). */
  readonly isGraded: boolean
}

/** A longer run is not searched for intervals. */
const LONGEST_S = 12 * 3600

/** @returns null for a run whose samples cannot distinguish fast from slow, or that is too long for a session */
export function effortSeries(track: Track, { distanceM, equivalentM }: Readings): EffortSeries | null {
  const { tS } = track
  const seconds = Math.floor(tS.at(-1) ?? 0)
  if (distanceM === null || track.hasEstimatedTimes === true || seconds > LONGEST_S || tS.length < 2) return null
  const metresAt = reader(tS, equivalentM ?? distanceM)
  return {
    seconds,
    effortM: new Float64Array(seconds + 1).map((_, second) => metresAt(second)),
    isGraded: equivalentM !== null || track.indoor,
  }
}

/** Mean speed between two times, m/s; times outside the run are clamped to its ends. */
export function meanMps({ effortM, seconds }: EffortSeries, fromS: number, toS: number): number {
  const [from, to] = [Math.max(0, fromS), Math.min(seconds, toS)]
  return to > from ? (valueAt(effortM, to) - valueAt(effortM, from)) / (to - from) : 0
}

/** Speed around every second, m/s: the mean from `halfS` before to `halfS` after, cut at the ends of the run. */
export function smoothMps({ effortM, seconds }: EffortSeries, halfS: number): Float64Array {
  return new Float64Array(seconds).map((_, second) => {
    const from = Math.max(0, second - halfS)
    const to = Math.min(seconds, second + 1 + halfS)
    return (effortM[to]! - effortM[from]!) / (to - from)
  })
}

/** Slower than this is standing. */
const STANDING_MPS = 0.5

/** Whole seconds of a span in which the runner stands. */
export function standingS({ effortM }: EffortSeries, { startS, endS }: Span): number {
  let count = 0
  for (let at = Math.ceil(startS); at + 1 <= endS; at += 1) {
    if (effortM[at + 1]! - effortM[at]! < STANDING_MPS) count += 1
  }
  return count
}

/** Slower than this, nine minutes a kilometre, is walking. */
export const WALKING_MPS = 1.85
const BLOCK_S = 5

/** Seconds and mean speed of the running, without standing and walking, before the first and after the last repetition. */
export function outsideOf(series: EffortSeries, works: readonly Span[]) {
  const ends = [
    { startS: 0, endS: works[0]!.startS },
    { startS: works.at(-1)!.endS, endS: series.seconds },
  ]
  let [runS, metres] = [0, 0]
  for (const { startS, endS } of ends) {
    for (let atS = startS; atS + BLOCK_S <= endS; atS += BLOCK_S) {
      const speed = meanMps(series, atS, atS + BLOCK_S)
      if (speed < WALKING_MPS) continue
      runS += BLOCK_S
      metres += speed * BLOCK_S
    }
  }
  return { runS, mps: runS > 0 ? metres / runS : 0 }
}
