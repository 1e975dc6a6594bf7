import type { AnalyzeOptions, Split } from '../analysis.ts'
import type { Span, Track } from '../track.ts'
import { roundedOrNull, roundHalfUp } from '../units.ts'
import type { Climb } from './elevation.ts'
import { heldMean } from './hold.ts'
import { mergedSpans } from './moving.ts'
import { type Readings, trackReadings } from './readings.ts'

/** A smaller remainder than this share of a unit is merged into the last split. */
const MERGE_SHARE = 0.1
/** A run may miss a whole number of units by this many metres and still count as that many. */
const UNIT_SLACK_M = 1e-6
/** Tolerance, metres: noise of a running sum must not push a boundary past a pause. */
const ARRIVAL_SLACK_M = 1e-9
/** 50,000 km in kilometres, which only a broken distance column reaches. */
const MAX_SPLITS = 50_000

/** What splits are computed from: of climb and stops only what they need. */
export interface SplitReadings extends Omit<Readings, 'profile' | 'found'> {
  readonly profile: Climb | null
  readonly found: readonly Span[] | null
}

/** Where the parts of a run begin and end; every column has `count + 1` entries. */
interface Boundaries {
  readonly count: number
  /** Elapsed seconds, ascending. */
  readonly timeS: Float64Array
  /** First knot at or after the boundary, and its place between the knot before (0) and that knot (1). */
  readonly knot: Uint32Array
  readonly fraction: Float64Array
}

/** Times are those of the first arrival; the first and the last boundary are start and end of the run. */
interface SplitBoundaries extends Boundaries {
  /** Cumulative metres. */
  readonly distanceM: Float64Array
}

/** The numbers that every part of a run has, whether a split, a lap or another stretch. */
export type PartNumbers = Omit<Split, 'idx' | 'distanceM' | 'paceS'>

/**
 * Splits of one run (docs/api.md 1.2, 7.1; docs/algorithms.md 2); empty when it has no distance.
 * @param readings computed from the track
 * @param splitLengthM 1000 or 1609.344
 * @throws RangeError for a split length that is not positive, columns of different lengths, an impossible distance
 */
export function readingSplits(
  track: Pick<Track, 'tS' | 'off'>,
  readings: SplitReadings,
  splitLengthM: number,
): Split[] {
  if (readings.distanceM === null) return []
  const bounds = splitBoundaries(track.tS, readings.distanceM, splitLengthM)
  const { count, distanceM, timeS } = bounds
  return readingParts(track, readings, bounds).map((part, k) => {
    const endM = k + 1 === count ? roundHalfUp(distanceM[k + 1]!, 2) : distanceM[k + 1]!
    const { durationS, ...rest } = part
    return {
      idx: k,
      distanceM: roundHalfUp(endM - distanceM[k]!, 3),
      durationS,
      paceS: roundHalfUp((1000 * (timeS[k + 1]! - timeS[k]!)) / (distanceM[k + 1]! - distanceM[k]!), 2),
      ...rest,
    }
  })
}

/** Durations, moving times and climbs are rounded at the boundaries, so that those of all parts add up. */
export function readingParts(
  { off }: Pick<Track, 'off'>,
  { profile, found, equivalentM, heartRate, cadence }: Omit<SplitReadings, 'distanceM'>,
  bounds: Boundaries,
): PartNumbers[] {
  const { count, timeS } = bounds
  const movingS = found && wholeMovingSeconds(timeS, mergedSpans([...found, ...off]))
  const gainM = profile && cumulativeTenths(profile.gainM, bounds)
  const lossM = profile && cumulativeTenths(profile.lossM, bounds)

  const result: PartNumbers[] = []
  for (let k = 0; k < count; k += 1) {
    const window = { startS: timeS[k]!, endS: timeS[k + 1]! }
    result.push({
      durationS: roundHalfUp(window.endS) - roundHalfUp(window.startS),
      startElapsedS: roundHalfUp(window.startS, 3),
      endElapsedS: roundHalfUp(window.endS, 3),
      movingTimeS: movingS ? movingS[k]! : null,
      elevGainM: gainM ? roundHalfUp(gainM[k + 1]! - gainM[k]!, 1) : null,
      elevLossM: lossM ? roundHalfUp(lossM[k + 1]! - lossM[k]!, 1) : null,
      avgHeartRateBpm: heartRate && roundedOrNull(heldMean(heartRate, window)),
      avgCadenceRpm: cadence && roundedOrNull(heldMean(cadence, window)),
      gapPaceS: equivalentM && gradeAdjustedPace(equivalentM, bounds, k),
    })
  }
  return result
}

/** Splits alone, for a change of the split length of a whole library. @throws RangeError for options out of range */
export function trackSplits(track: Track, options: Pick<AnalyzeOptions, 'splitLengthM' | 'elevation'>): Split[] {
  return readingSplits(track, trackReadings(track, options.elevation), options.splitLengthM)
}

/**
 * Exact boundaries of the splits at k * splitLengthM of the recorded distance (docs/algorithms.md 2). A boundary is the
 * first arrival, so a pause on it belongs to the split after it. One pass.
 * @param tS elapsed seconds, increasing
 * @param distanceM cumulative metres, never falling, same length
 * @throws RangeError as `readingSplits`
 */
export function splitBoundaries(tS: Float64Array, distanceM: Float64Array, splitLengthM: number): SplitBoundaries {
  if (!(splitLengthM > 0)) throw new RangeError(`Split length must be positive, not ${splitLengthM}`)
  if (tS.length !== distanceM.length) throw new RangeError(`${tS.length} times for ${distanceM.length} distances`)
  const ends = boundaryDistances(distanceM.at(-1) ?? 0, splitLengthM)
  const last = ends.length - 1
  const timeS = new Float64Array(ends.length)
  const knot = new Uint32Array(ends.length)
  const fraction = new Float64Array(ends.length)
  if (last > 0) timeS[0] = tS[0]!
  let j = 0
  for (let k = 1; k < last; k += 1) {
    const target = ends[k]!
    while (distanceM[j]! < target - ARRIVAL_SLACK_M) j += 1
    const part = j === 0 ? 0 : Math.min(1, (target - distanceM[j - 1]!) / (distanceM[j]! - distanceM[j - 1]!))
    timeS[k] = j === 0 ? tS[0]! : tS[j]! - (tS[j]! - tS[j - 1]!) * (1 - part)
    knot[k] = j
    fraction[k] = part
  }
  if (last > 0) {
    timeS[last] = tS.at(-1)!
    knot[last] = tS.length - 1
    fraction[last] = 1
  }
  return { count: last, distanceM: ends, timeS, knot, fraction }
}

/** Boundaries at given times. @param atS ascending elapsed seconds within the recorded time */
export function timeBoundaries(tS: Float64Array, atS: readonly number[]): Boundaries {
  const knot = new Uint32Array(atS.length)
  const fraction = new Float64Array(atS.length)
  let j = 0
  for (const [k, seconds] of atS.entries()) {
    while (j + 1 < tS.length && tS[j]! < seconds) j += 1
    knot[k] = j
    fraction[k] = j === 0 ? 0 : Math.min(1, (seconds - tS[j - 1]!) / (tS[j]! - tS[j - 1]!))
  }
  return { count: Math.max(0, atS.length - 1), timeS: Float64Array.from(atS), knot, fraction }
}

function boundaryDistances(lengthM: number, splitLengthM: number): Float64Array {
  const whole = Math.floor((lengthM + UNIT_SLACK_M) / splitLengthM)
  if (!(whole <= MAX_SPLITS)) throw new RangeError(`A run of ${lengthM} m cannot be split every ${splitLengthM} m`)
  // less than a centimetre is stored as no distance
  if (roundHalfUp(lengthM, 2) <= 0) return new Float64Array(1)
  const restM = lengthM - whole * splitLengthM
  const hasOwnSplit = whole === 0 || restM >= MERGE_SHARE * splitLengthM
  const bounds = new Float64Array(whole + (hasOwnSplit ? 2 : 1))
  for (let k = 1; k <= whole; k += 1) bounds[k] = k * splitLengthM
  if (restM > 0) bounds[bounds.length - 1] = lengthM
  return bounds
}

/**
 * Whole moving seconds per split. They add up to the run's rounded moving time and never exceed the split's own rounded
 * duration; rounding both clocks independently would not ensure that.
 */
function wholeMovingSeconds(timeS: Float64Array, stops: readonly Span[]): Int32Array {
  const stoppedS = stoppedUntil(timeS, stops)
  const last = timeS.length - 1
  const wholeStopped = (k: number) => roundHalfUp(timeS[k]!) - roundHalfUp(timeS[k]! - stoppedS[k]!)
  const totalStopped = wholeStopped(last)
  const movingS = new Int32Array(last)
  let soFar = 0
  for (let k = 0; k < last; k += 1) {
    const durationS = roundHalfUp(timeS[k + 1]!) - roundHalfUp(timeS[k]!)
    const reached = Math.min(totalStopped, Math.max(soFar, wholeStopped(k + 1)))
    movingS[k] = durationS - (reached - soFar)
    soFar = reached
  }
  return movingS
}

/** Seconds of stops from the first boundary to each. One pass. @param stops in order, not overlapping */
export function stoppedUntil(timeS: Float64Array, stops: readonly Span[]): Float64Array {
  const stoppedS = new Float64Array(timeS.length)
  let s = 0
  for (let k = 1; k < timeS.length; k += 1) {
    const fromS = timeS[k - 1]!
    const toS = timeS[k]!
    let sum = stoppedS[k - 1]!
    while (s < stops.length && stops[s]!.startS < toS) {
      sum += Math.max(0, Math.min(stops[s]!.endS, toS) - Math.max(stops[s]!.startS, fromS))
      if (stops[s]!.endS > toS) break
      s += 1
    }
    stoppedS[k] = sum
  }
  return stoppedS
}

/** A cumulative column at the boundaries, in whole tenths; null when it has a gap at one of them. */
function cumulativeTenths(column: Float64Array, bounds: Boundaries): Float64Array | null {
  if (bounds.count === 0) return null
  const values = Float64Array.from(bounds.knot, (_, k) => roundHalfUp(atBoundary(column, bounds, k), 1))
  return values.some(Number.isNaN) ? null : values
}

/** A cumulative column at a boundary, interpolated between the rows. */
export function atBoundary(
  column: Float64Array,
  { knot, fraction }: Pick<Boundaries, 'knot' | 'fraction'>,
  k: number,
): number {
  const j = knot[k]!
  if (j === 0) return column[0]!
  return column[j]! - (column[j]! - column[j - 1]!) * (1 - fraction[k]!)
}

function gradeAdjustedPace(equivalentM: Float64Array, bounds: Boundaries, k: number): number | null {
  const flatM = atBoundary(equivalentM, bounds, k + 1) - atBoundary(equivalentM, bounds, k)
  return flatM > 0 ? roundHalfUp((1000 * (bounds.timeS[k + 1]! - bounds.timeS[k]!)) / flatM, 2) : null
}
