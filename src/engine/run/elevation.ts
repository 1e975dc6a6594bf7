import type { ElevationSettings } from '../analysis.ts'
import type { ElevationSource } from '../track.ts'
import { withoutShortLegs } from './short-legs.ts'

/** Half width of the smoothing window by source (docs/algorithms.md 3). */
const HALF_WINDOW_S = { baro: 5, unknown: 5, gps: 30 } as const
/** Rows this much beyond the window count, so that clocks with and without fractions give one climb. */
const CLOCK_SLACK_S = 0.5
const LEAST_THRESHOLD_M = { baro: 0, unknown: 3, gps: 10 } as const
/** Residual of smoothing from which on altitude is raw GPS altitude; barometers and filtered ones stay below. */
const NOISY_RESIDUAL_M = 0.6
/** Altitude of unknown source with a smaller residual keeps its tops and feet unsmoothed (docs/algorithms.md 18). */
const CALM_RESIDUAL_M = 0.3
const TOP_WITHIN_S = 5
const TOP_HALF_WINDOW_S = 1
const NOISE_HALF_WINDOW_S = 5
/** Tolerance, so that a swing of exactly the threshold counts in spite of decimal rounding. */
const EPSILON_M = 1e-9

export interface ElevationOptions extends ElevationSettings {
  readonly source: ElevationSource
  /** Cumulative metres of every row; null: the rule of the shortest leg does not apply. */
  readonly distanceM: Float64Array | null
}

export interface ElevationProfile extends Climb {
  /** The given source, or 'gps' where altitude of unknown source is as noisy as that. */
  readonly source: ElevationSource
  /** Smoothed altitude, metres; NaN before the first and after the last value. */
  readonly smoothedM: Float64Array
  readonly filled: FilledElevation
}

/** Cumulative climb and descent at each row, metres; the last values are the totals. */
export interface Climb {
  readonly gainM: Float64Array
  readonly lossM: Float64Array
}

interface FilledElevation {
  readonly elevM: Float64Array
  readonly first: number
  readonly last: number
}

/**
 * Climb and descent of a run: gaps are filled, the altitude is smoothed in time, and swings below the threshold are
 * removed (docs/algorithms.md 3). O(n log n).
 * @param tS strictly ascending seconds
 * @param elevM metres, NaN is a gap
 * @returns null without any altitude
 */
export function elevationProfile(
  tS: Float64Array,
  elevM: Float64Array,
  options: ElevationOptions,
): ElevationProfile | null {
  const filled = filledElevation(tS, elevM, options.distanceM)
  if (filled === null) return null
  const noise = options.source === 'unknown' ? noiseOf(tS, filled) : null
  const source = noise !== null && noise.residualM > NOISY_RESIDUAL_M ? 'gps' : options.source
  const isSmoothed = noise !== null && HALF_WINDOW_S[source] === NOISE_HALF_WINDOW_S
  const smoothedM = isSmoothed ? noise.smoothedM : smoothed(tS, filled, HALF_WINDOW_S[source])
  const thresholdM = Math.max(LEAST_THRESHOLD_M[source], options.thresholdM)
  const pivots = zigzagPivots(smoothedM, thresholdM)
  const legs = options.distanceM === null ? pivots : withoutShortLegs(pivots, options.distanceM, options.minDistanceM)
  const isCalm = noise !== null && noise.residualM <= CALM_RESIDUAL_M
  const heightsM = isCalm ? topsAndFeet(tS, filled, { pivots: legs, smoothedM }) : undefined
  return { source, smoothedM, ...cumulativeClimb(smoothedM, legs, heightsM), filled }
}

/** The source whose rules apply: altitude of unknown source that is as noisy as raw GPS altitude counts as 'gps'. */
export function usedSource(tS: Float64Array, filled: FilledElevation, source: ElevationSource): ElevationSource {
  return source === 'unknown' && noiseOf(tS, filled).residualM > NOISY_RESIDUAL_M ? 'gps' : source
}

/** Gaps are interpolated by distance, or by time where it is unknown or does not grow; at the ends they stay NaN. */
export function filledElevation(
  tS: Float64Array,
  elevM: Float64Array,
  distanceM: Float64Array | null,
): FilledElevation | null {
  const filled = elevM.slice()
  let first = -1
  let last = -1
  for (let i = 0; i < filled.length; i += 1) {
    if (Number.isNaN(filled[i]!)) continue
    if (last >= 0 && i > last + 1) {
      const axis = distanceM !== null && distanceM[i]! > distanceM[last]! ? distanceM : tS
      const rise = (filled[i]! - filled[last]!) / (axis[i]! - axis[last]!)
      for (let k = last + 1; k < i; k += 1) filled[k] = filled[last]! + rise * (axis[k]! - axis[last]!)
    }
    if (first < 0) first = i
    last = i
  }
  return first < 0 ? null : { elevM: filled, first, last }
}

/** Centred moving mean, O(n). At the ends the window shrinks on both sides alike, so that a constant slope is kept. */
export function smoothed(tS: Float64Array, { elevM, first, last }: FilledElevation, halfWindowS: number): Float64Array {
  const result = new Float64Array(elevM.length).fill(Number.NaN)
  const baseM = elevM[first]!
  let sum = 0
  let low = first
  let high = first
  for (let i = first; i <= last; i += 1) {
    const halfS = Math.min(halfWindowS + CLOCK_SLACK_S, tS[i]! - tS[first]!, tS[last]! - tS[i]!) + EPSILON_M
    while (high <= last && tS[high]! <= tS[i]! + halfS) {
      sum += elevM[high]! - baseM
      high += 1
    }
    // both ends of the window only move forward: t + min(w, t - t0, tn - t) and t - min(...) never fall
    while (tS[low]! < tS[i]! - halfS) {
      sum -= elevM[low]! - baseM
      low += 1
    }
    result[i] = baseM + sum / (high - low)
  }
  return result
}

/** Standard deviation of what smoothing removes, metres, and the smoothed series. */
function noiseOf(tS: Float64Array, filled: FilledElevation) {
  const { elevM, first, last } = filled
  const smoothedM = smoothed(tS, filled, NOISE_HALF_WINDOW_S)
  const n = last - first + 1
  let sum = 0
  let squares = 0
  for (let i = first; i <= last; i += 1) {
    const residual = elevM[i]! - smoothedM[i]!
    sum += residual
    squares += residual * residual
  }
  return { residualM: Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2)), smoothedM }
}

/**
 * Turning points of a series after all swings smaller than the threshold are deleted in order of size (zigzag; the
 * topological-persistence simplification). O(n), one pass.
 * @param elevM NaN only before the first and after the last value
 * @returns row numbers, alternately low and high; empty when no swing reaches the threshold
 */
export function zigzagPivots(elevM: Float64Array, thresholdM: number): number[] {
  const pivots: number[] = []
  let direction = 0
  let low = -1
  let high = -1
  for (let i = 0; i < elevM.length; i += 1) {
    const here = elevM[i]!
    if (Number.isNaN(here)) continue
    if (low < 0) {
      low = i
      high = i
    }
    if (direction >= 0 && here > elevM[high]!) high = i
    if (direction <= 0 && here < elevM[low]!) low = i
    if (direction === 0 && isSwing(elevM[high]! - elevM[low]!)) {
      direction = high > low ? 1 : -1
      pivots.push(Math.min(low, high))
    } else if (direction === 1 && isSwing(elevM[high]! - here)) {
      pivots.push(high)
      direction = -1
      low = i
    } else if (direction === -1 && isSwing(here - elevM[low]!)) {
      pivots.push(low)
      direction = 1
      high = i
    }
  }
  if (direction !== 0) pivots.push(direction === 1 ? high : low)
  return pivots

  function isSwing(metres: number): boolean {
    return metres > 0 && metres >= thresholdM - EPSILON_M
  }
}

/**
 * Altitude of each pivot where smoothing would flatten a small hill: the highest mean (at a foot the lowest) over a
 * second to either side, within five seconds of the pivot.
 */
function topsAndFeet(
  tS: Float64Array,
  { elevM, first, last }: FilledElevation,
  { pivots, smoothedM }: { readonly pivots: readonly number[]; readonly smoothedM: Float64Array },
): number[] {
  return pivots.map((pivot, k) => {
    const beside = pivots[k === 0 ? 1 : k - 1]!
    const sign = smoothedM[pivot]! >= smoothedM[beside]! ? 1 : -1
    let height = sign * smoothedM[pivot]!
    let at = pivot
    while (at > first && tS[at - 1]! >= tS[pivot]! - TOP_WITHIN_S) at -= 1
    for (; at <= last && tS[at]! <= tS[pivot]! + TOP_WITHIN_S; at += 1) height = Math.max(height, sign * meanAbout(at))
    return sign * height
  })

  function meanAbout(at: number): number {
    let low = at
    let high = at
    while (low > first && tS[low - 1]! >= tS[at]! - TOP_HALF_WINDOW_S) low -= 1
    while (high < last && tS[high + 1]! <= tS[at]! + TOP_HALF_WINDOW_S) high += 1
    let sum = 0
    for (let k = low; k <= high; k += 1) sum += elevM[k]!
    return sum / (high - low + 1)
  }
}

/**
 * Cumulative climb and descent at each row between the pivots. Within a rising leg the climb is the highest point so
 * far above the foot, at its end the whole leg, so that the climbs of parts of a run add up to its total.
 * @param heightsM altitudes of the pivots, to which the climb within a leg is scaled; absent: those of the series
 */
export function cumulativeClimb(
  elevM: Float64Array,
  pivots: readonly number[],
  heightsM: readonly number[] = pivots.map((pivot) => elevM[pivot]!),
): Climb {
  const gainM = new Float64Array(elevM.length)
  const lossM = new Float64Array(elevM.length)
  let gain = 0
  let loss = 0
  let row = 0
  for (let leg = 0; leg + 1 < pivots.length; leg += 1) {
    const from = pivots[leg]!
    const to = pivots[leg + 1]!
    fillUpTo(from)
    const sign = elevM[to]! >= elevM[from]! ? 1 : -1
    const wholeM = Math.abs(elevM[to]! - elevM[from]!)
    const heightM = Math.abs(heightsM[leg + 1]! - heightsM[leg]!)
    const scale = wholeM > 0 ? heightM / wholeM : 0
    let soFarM = 0
    for (row = from + 1; row <= to; row += 1) {
      // limited, since a leg that absorbed an artefact may swing beyond its own end
      soFarM = Math.min(wholeM, Math.max(soFarM, sign * (elevM[row]! - elevM[from]!)))
      gainM[row] = sign > 0 ? gain + scale * soFarM : gain
      lossM[row] = sign > 0 ? loss : loss + scale * soFarM
    }
    if (sign > 0) gain += heightM
    else loss += heightM
  }
  fillUpTo(elevM.length - 1)
  return { gainM, lossM }

  function fillUpTo(end: number): void {
    for (; row <= end; row += 1) {
      gainM[row] = gain
      lossM[row] = loss
    }
  }
}
