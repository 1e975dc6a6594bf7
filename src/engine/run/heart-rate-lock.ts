import { firstFrom } from '../gather.ts'
import type { Span, Track } from '../track.ts'
import type { RowRange } from './crop.ts'
import { filledDistance } from './distance.ts'

/** A sensor locked to the cadence reads within this of the steps per minute for this long. */
const LOCK_BPM = 3
const LOCK_S = 120
/** A heart rate that follows the steps although the pace varies by this share is none. */
const PACE_RANGE = 0.15
/** At an even pace a lock shows by a heart rate this far above that of the rest of the run at the same pace. */
const ABOVE_BPM = 10
const SAME_PACE = 0.1
/** Seconds of the run at that pace that are compared with, at least; not of its start, when the heart rate still rises. */
const LEAST_COMPARED_S = 60
const RISE_S = 180

/** A stretch in which the heart rate is the number of steps, elapsed seconds. */
export interface HeartRateLock extends Span {
  /** Whether it is higher than the pace lets expect; else it may be a coincidence. */
  readonly isAbove: boolean
}

/** Stretches in which the sensor seems to have counted steps instead of heart beats. */
export function heartRateLocks(
  track: Pick<Track, 'tS' | 'distanceM' | 'heartRateBpm' | 'cadenceRpm'>,
): HeartRateLock[] {
  const { tS, heartRateBpm, cadenceRpm } = track
  const isLocked = (row: number) => Math.abs(heartRateBpm[row]! - 2 * cadenceRpm[row]!) <= LOCK_BPM
  const alike = runsOf(tS.length, isLocked).filter(({ first, last }) => tS[last]! - tS[first]! >= LOCK_S)
  if (alike.length === 0) return []
  const speeds = stepSpeeds(track)
  const rest = restOf(track, alike, speeds)
  return alike.flatMap(({ first, last }) => {
    const within = [...speeds.subarray(first + 1, last + 1)].filter((mps) => !Number.isNaN(mps)).sort((a, b) => a - b)
    const [slow, usual, fast] = [0.1, 0.5, 0.9].map((share) => within[Math.floor(within.length * share)] ?? 0)
    const isVaried = fast! - slow! > PACE_RANGE * Math.max(fast!, 0.1)
    const isAbove = meanOf(heartRateBpm.subarray(first, last + 1)) > rest(usual!) + ABOVE_BPM
    return isVaried || isAbove ? [{ startS: tS[first]!, endS: tS[last]!, isAbove }] : []
  })
}

/** Returns the mean heart rate of the rest of the run at a pace; infinite where it was hardly run. */
function restOf(
  { tS, heartRateBpm }: Pick<Track, 'tS' | 'heartRateBpm'>,
  alike: readonly RowRange[],
  speeds: Float64Array,
): (mps: number) => number {
  const isAlike = new Uint8Array(tS.length)
  for (const { first, last } of alike) isAlike.fill(1, first, last + 1)
  return (mps) => {
    let seconds = 0
    let beats = 0
    for (let row = firstFrom(tS, RISE_S) || 1; row < tS.length; row += 1) {
      const bpm = heartRateBpm[row]!
      if (isAlike[row] === 1 || Number.isNaN(bpm) || !(Math.abs(speeds[row]! - mps) <= SAME_PACE * mps)) continue
      const stepS = tS[row]! - tS[row - 1]!
      seconds += stepS
      beats += stepS * bpm
    }
    return seconds >= LEAST_COMPARED_S ? beats / seconds : Number.POSITIVE_INFINITY
  }
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Speed of each step between rows, at the row where the step ends; NaN where the distance is unknown. */
export function stepSpeeds({ tS, distanceM }: Pick<Track, 'tS' | 'distanceM'>): Float64Array {
  const cumulativeM = filledDistance(tS, distanceM)
  return tS.map((atS, row) =>
    row === 0 || cumulativeM === null ? Number.NaN : (cumulativeM[row]! - cumulativeM[row - 1]!) / (atS - tS[row - 1]!),
  )
}

/** Maximal runs of consecutive rows that satisfy a condition. */
export function runsOf(n: number, holds: (row: number) => boolean): RowRange[] {
  const runs: { first: number; last: number }[] = []
  for (let row = 0; row < n; row += 1) {
    if (!holds(row)) continue
    const open = runs.at(-1)
    if (open !== undefined && open.last === row - 1) open.last = row
    else runs.push({ first: row, last: row })
  }
  return runs
}
