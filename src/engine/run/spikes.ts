import { rowsWith } from '../gather.ts'
import { distanceBetweenM } from '../route/geo.ts'
import { IMPOSSIBLE_MPS, JUMP_SLACK_M } from './distance.ts'

const LONGEST_SPIKE = 5
const ALTITUDE_SPIKE_M = 50
const ALTITUDE_SPIKE_S = 10

/**
 * Removes the position of rows that jump away and come back (docs/algorithms.md 4, step 1): up to five rows, reached
 * and left faster than 12.5 m/s, between neighbours that are not such a jump apart. In place, repeated until none is
 * left; O(n).
 * @param tS strictly ascending seconds
 */
export function dropPositionSpikes(tS: Float64Array, latDeg: Float64Array, lonDeg: Float64Array): void {
  const rows = rowsWith(latDeg, lonDeg)
  // the rows kept so far; a row that a removal exposes is checked again before it is kept
  const kept = new Uint32Array(rows.length)
  let size = 0
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    for (let length = spikeLength(row); length > 0; length = spikeLength(row)) {
      for (; length > 0; length -= 1) {
        size -= 1
        latDeg[kept[size]!] = Number.NaN
        lonDeg[kept[size]!] = Number.NaN
      }
    }
    kept[size] = row
    size += 1
  }

  function spikeLength(row: number): number {
    if (size < 2 || !isImpossible(kept[size - 1]!, row)) return 0
    for (let length = 1; length <= LONGEST_SPIKE && length < size; length += 1) {
      const before = kept[size - 1 - length]!
      if (isImpossible(before, kept[size - length]!) && !isImpossible(before, row)) return length
    }
    return 0
  }

  function isImpossible(a: number, b: number): boolean {
    return distanceBetweenM(latDeg[a]!, lonDeg[a]!, latDeg[b]!, lonDeg[b]!) > IMPOSSIBLE_MPS * (tS[b]! - tS[a]!)
  }
}

/**
 * Altitudes more than 50 m above or below both neighbours within 10 s become gaps (docs/algorithms.md 0). In place,
 * repeated until none is left; O(n).
 */
export function dropAltitudeSpikes(tS: Float64Array, elevM: Float64Array): void {
  const rows = rowsWith(elevM, elevM)
  const kept = new Uint32Array(rows.length)
  let size = 0
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    while (size >= 2 && isSpike(kept[size - 2]!, kept[size - 1]!, row)) {
      size -= 1
      elevM[kept[size]!] = Number.NaN
    }
    kept[size] = row
    size += 1
  }

  function isSpike(before: number, row: number, after: number): boolean {
    if (tS[row]! - tS[before]! > ALTITUDE_SPIKE_S || tS[after]! - tS[row]! > ALTITUDE_SPIKE_S) return false
    const aboveBefore = elevM[row]! - elevM[before]!
    const aboveAfter = elevM[row]! - elevM[after]!
    return Math.min(aboveBefore, aboveAfter) > ALTITUDE_SPIKE_M || Math.max(aboveBefore, aboveAfter) < -ALTITUDE_SPIKE_M
  }
}

/**
 * Running maximum of a cumulative distance. An impossible leap after which the value is smaller again is a broken value
 * and becomes a gap. In place.
 */
export function makeMonotone(tS: Float64Array, distanceM: Float64Array): void {
  const rows = rowsWith(distanceM, distanceM)
  let previous = -1
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    const after = rows[i + 1]
    if (
      after !== undefined &&
      distanceM[after]! < distanceM[row]! &&
      distanceM[row]! > plausibleM(previous, row, after)
    ) {
      distanceM[row] = Number.NaN
      continue
    }
    if (previous >= 0 && distanceM[row]! < distanceM[previous]!) distanceM[row] = distanceM[previous]!
    previous = row
  }

  function plausibleM(before: number, row: number, after: number): number {
    if (before < 0) return distanceM[after]! + JUMP_SLACK_M
    return distanceM[before]! + IMPOSSIBLE_MPS * (tS[row]! - tS[before]!) + JUMP_SLACK_M
  }
}
