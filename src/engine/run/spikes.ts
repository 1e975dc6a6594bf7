import { rowsWith } from '../gather.ts'
import { distanceBetweenM } from '../route/geo.ts'
import { IMPOSSIBLE_MPS, JUMP_SLACK_M } from './distance.ts'

const LONGEST_SPIKE = 5
const ALTITUDE_SPIKE_M = 50
const ALTITUDE_SPIKE_S = 10
const PLATEAU_STEP_M = 25
const PLATEAU_STEP_S = 2
const LONGEST_PLATEAU_S = 10

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
 * Altitudes more than 50 m above or below both neighbours within 10 s become gaps (docs/algorithms.md 0), and so do
 * plateaus: up to 10 s that a rise and a fall of more than 25 m within 2 s, in either order, lead to and from. At the
 * start of the recording the step that leads from it is enough. In place, repeated until none is left; O(n).
 */
export function dropAltitudeSpikes(tS: Float64Array, elevM: Float64Array): void {
  const rows = rowsWith(elevM, elevM)
  const kept = new Uint32Array(rows.length)
  // for each place in `kept` the last one up to it that a steep rise, or fall, led to; 0: none
  const risen = new Uint32Array(rows.length)
  const fallen = new Uint32Array(rows.length)
  let size = 0
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    let step = stepTo(row)
    for (let stay = staying(row, step); stay < size; stay = staying(row, step)) {
      drop(stay, size)
      size = stay
      step = stepTo(row)
    }
    kept[size] = row
    risen[size] = step > 0 ? size : (risen[size - 1] ?? 0)
    fallen[size] = step < 0 ? size : (fallen[size - 1] ?? 0)
    size += 1
  }
  let first = 0
  for (let place = 1; place < size && isShort(first, place - 1); place += 1) {
    if (steepStep(kept[place - 1]!, kept[place]!) === 0) continue
    drop(first, place)
    first = place
  }

  function stepTo(row: number): number {
    return size === 0 ? 0 : steepStep(kept[size - 1]!, row)
  }

  /** How many of the kept rows stay when this one follows them by this step. */
  function staying(row: number, step: number): number {
    if (size >= 2 && isSpike(kept[size - 2]!, kept[size - 1]!, row)) return size - 1
    if (step === 0) return size
    const entered = step > 0 ? fallen[size - 1]! : risen[size - 1]!
    return entered > 0 && isShort(entered, size - 1) ? entered : size
  }

  function drop(from: number, end: number): void {
    for (let place = from; place < end; place += 1) elevM[kept[place]!] = Number.NaN
  }

  /** Metres from one row to the next, when that is a step that no runner takes; else 0. */
  function steepStep(before: number, row: number): number {
    const riseM = elevM[row]! - elevM[before]!
    return Math.abs(riseM) > PLATEAU_STEP_M && tS[row]! - tS[before]! <= PLATEAU_STEP_S ? riseM : 0
  }

  function isShort(from: number, to: number): boolean {
    return tS[kept[to]!]! - tS[kept[from]!]! <= LONGEST_PLATEAU_S
  }

  function isSpike(before: number, row: number, after: number): boolean {
    if (tS[row]! - tS[before]! > ALTITUDE_SPIKE_S || tS[after]! - tS[row]! > ALTITUDE_SPIKE_S) return false
    const aboveBefore = elevM[row]! - elevM[before]!
    const aboveAfter = elevM[row]! - elevM[after]!
    return Math.min(aboveBefore, aboveAfter) > ALTITUDE_SPIKE_M || Math.max(aboveBefore, aboveAfter) < -ALTITUDE_SPIKE_M
  }
}

/** Running maximum, in place. An impossible leap after which the value falls again is broken and becomes a gap. */
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
