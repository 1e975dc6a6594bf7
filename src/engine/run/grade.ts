/** The slope is fitted over this many metres of the path on either side. */
const HALF_WINDOW_M = 25
const STEEPEST = 0.3
/** Sums are relative to a point moved along every so many metres, since squares of whole distances lose digits. */
const REBASE_M = 500

/**
 * Cost of a metre on a slope, as the metres on the flat that give the same heart rate: a least-squares fit to published
 * data of pace at equal heart rate (docs/algorithms.md 8; minimum 0.8771 at -8.5 %). Slopes are clamped to 30 %.
 * @param slope rise over run
 */
export function gradeFactor(slope: number): number {
  const i = Math.max(-STEEPEST, Math.min(STEEPEST, slope))
  return 1 + i * (2.9294 + i * (17.5405 + i * (-1.6962 - 31.1845 * i)))
}

/**
 * Slope at each row: least squares of altitude over the rows within 25 m along the path, and at least over the
 * neighbouring rows; clamped to 30 %; 0 without altitude or where the runner stands. O(n).
 * @param distanceM cumulative metres, never falling
 * @param elevM smoothed altitude; NaN only before the first and after the last value
 */
export function slopes(distanceM: Float64Array, elevM: Float64Array): Float64Array {
  const result = new Float64Array(distanceM.length)
  let first = 0
  while (first < elevM.length && Number.isNaN(elevM[first]!)) first += 1
  let last = elevM.length - 1
  while (last >= first && Number.isNaN(elevM[last]!)) last -= 1
  let low = first
  let high = first
  let baseM = 0
  let baseElevM = 0
  let sumX = 0
  let sumY = 0
  let sumXX = 0
  let sumXY = 0
  for (let i = first; i <= last; i += 1) {
    if (i === first || distanceM[i]! - baseM > REBASE_M) rebase(i)
    while (high <= last && (high <= i + 1 || distanceM[high]! - distanceM[i]! <= HALF_WINDOW_M)) {
      add(high, 1)
      high += 1
    }
    while (low < i - 1 && distanceM[i]! - distanceM[low]! > HALF_WINDOW_M) {
      add(low, -1)
      low += 1
    }
    const n = high - low
    const spread = sumXX - (sumX * sumX) / n
    const slope = spread > 1e-3 * n ? (sumXY - (sumX * sumY) / n) / spread : 0
    result[i] = Math.max(-STEEPEST, Math.min(STEEPEST, slope))
  }
  return result

  function rebase(at: number): void {
    baseM = distanceM[at]!
    baseElevM = elevM[at]!
    sumX = 0
    sumY = 0
    sumXX = 0
    sumXY = 0
    for (let k = low; k < high; k += 1) add(k, 1)
  }

  function add(row: number, sign: number): void {
    const x = distanceM[row]! - baseM
    const y = elevM[row]! - baseElevM
    sumX += sign * x
    sumY += sign * y
    sumXX += sign * x * x
    sumXY += sign * x * y
  }
}

/**
 * Cumulative metres on the flat at each row: each step counts with the mean factor of its two ends.
 * @param distanceM cumulative metres, never falling
 * @param elevM smoothed altitude, metres
 */
export function equivalentDistance(distanceM: Float64Array, elevM: Float64Array): Float64Array {
  const slope = slopes(distanceM, elevM)
  const result = new Float64Array(distanceM.length)
  for (let i = 1; i < result.length; i += 1) {
    const factor = (gradeFactor(slope[i - 1]!) + gradeFactor(slope[i]!)) / 2
    result[i] = result[i - 1]! + factor * (distanceM[i]! - distanceM[i - 1]!)
  }
  return result
}
