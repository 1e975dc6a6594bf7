import { placed, valueAt } from '../gather.ts'
import type { Positions } from '../track.ts'
import { CORRIDOR_M, SAME_COSINE } from './corridor.ts'
import { lengthOf } from './geo.ts'
import { eastM, GATE_M, northM, type Plane } from './stretch.ts'

/** Metres between the samples of a route; more for routes of more than 50 km. */
const STEP_M = 20
const MOST_SAMPLES = 2500
/** The direction at a sample is that of the chord from this many metres before it to as many after it. */
const HALF_CHORD_M = 15

/** The line that a run took: positions at least 5 m apart, on a plane. */
export interface Way {
  /** Elapsed seconds at each position. */
  readonly tS: Float64Array
  /** Metres along the line since its first position, ascending. */
  readonly alongM: Float64Array
  readonly xM: Float64Array
  readonly yM: Float64Array
}

/** Samples of a way at equal steps. */
export interface WaySamples {
  readonly n: number
  readonly alongM: Float64Array
  readonly xM: Float64Array
  readonly yM: Float64Array
  /** Unit vector of the direction; zero where the line turns back on the spot. */
  readonly eastward: Float64Array
  readonly northward: Float64Array
}

/** @returns null for fewer than two positions */
export function wayOf(plane: Plane, tS: Float64Array, { latDeg, lonDeg }: Positions): Way | null {
  const places: [number, number, number, number][] = []
  let metres = 0
  for (let i = 0; i < tS.length; i += 1) {
    const [x, y] = [eastM(plane, lonDeg[i]!), northM(plane, latDeg[i]!)]
    if (!Number.isFinite(x + y)) continue
    const last = places.at(-1)
    const stepM = last === undefined ? 0 : lengthOf(x - last[2], y - last[3])
    if (last !== undefined && stepM < GATE_M) continue
    metres += stepM
    places.push([tS[i]!, metres, x, y])
  }
  const column = (k: 0 | 1 | 2 | 3) => Float64Array.from(places, (place) => place[k])
  return places.length < 2 ? null : { tS: column(0), alongM: column(1), xM: column(2), yM: column(3) }
}

/** The step at which both of two lines are sampled. */
export function commonStepM(a: Way, b: Way): number {
  return Math.max(STEP_M, Math.max(a.alongM.at(-1)!, b.alongM.at(-1)!) / MOST_SAMPLES)
}

export function samplesOf(way: Way, stepM: number): WaySamples {
  const lengthM = way.alongM.at(-1)!
  const n = Math.floor(lengthM / stepM) + 1
  const alongM = Float64Array.from({ length: n }, (_, k) => k * stepM)
  const [xM, yM] = [columnAt(way, way.xM, alongM), columnAt(way, way.yM, alongM)]
  const before = alongM.map((metres) => Math.max(0, metres - HALF_CHORD_M))
  const after = alongM.map((metres) => Math.min(lengthM, metres + HALF_CHORD_M))
  const east = columnAt(way, way.xM, after).map((x, k) => x - valueAt(way.xM, placed(way.alongM, before[k]!)))
  const north = columnAt(way, way.yM, after).map((y, k) => y - valueAt(way.yM, placed(way.alongM, before[k]!)))
  const size = east.map((x, k) => lengthOf(x, north[k]!) || 1)
  return {
    n,
    alongM,
    xM,
    yM,
    eastward: east.map((x, k) => x / size[k]!),
    northward: north.map((y, k) => y / size[k]!),
  }
}

/**
 * Pairs the samples of two lines that are on the same ground, in the order of both, so that the total credit is
 * greatest: sequence alignment (Needleman & Wunsch 1970) with a credit of 1 - (d / 40 m)^2 a pair.
 * @returns for every sample of `one` the index of its partner; -1 where the other line is elsewhere
 */
export function alignment(one: WaySamples, other: WaySamples): Int32Array {
  const columns = other.n + 1
  // 0: neither, 1: a sample of one without partner, 2: a sample of the other without partner, 3: a pair
  const from = new Uint8Array((one.n + 1) * columns)
  let above = new Float64Array(columns)
  let row = new Float64Array(columns)
  for (let i = 1; i <= one.n; i += 1) {
    for (let j = 1; j < columns; j += 1) {
      let best = above[j]!
      let step = 1
      if (row[j - 1]! > best) {
        best = row[j - 1]!
        step = 2
      }
      const pair = credit(one, other, i - 1, j - 1)
      if (pair > 0 && above[j - 1]! + pair > best) {
        best = above[j - 1]! + pair
        step = 3
      }
      row[j] = best
      from[i * columns + j] = step
    }
    ;[above, row] = [row, above]
  }
  const partner = new Int32Array(one.n).fill(-1)
  for (let i = one.n, j = other.n; i > 0 && j > 0; ) {
    const step = from[i * columns + j]
    if (step === 3) partner[i - 1] = j - 1
    if (step !== 2) i -= 1
    if (step !== 1) j -= 1
  }
  return partner
}

function credit(one: WaySamples, other: WaySamples, i: number, j: number): number {
  const x = one.xM[i]! - other.xM[j]!
  const y = one.yM[i]! - other.yM[j]!
  const square = x * x + y * y
  if (square >= CORRIDOR_M * CORRIDOR_M) return 0
  const cosine = one.eastward[i]! * other.eastward[j]! + one.northward[i]! * other.northward[j]!
  return cosine >= SAME_COSINE ? 1 - square / (CORRIDOR_M * CORRIDOR_M) : 0
}

/** A column of a way at ascending metres along it, linear between its places. */
export function columnAt(way: Way, column: Float64Array, metres: Float64Array): Float64Array {
  return metres.map((along) => valueAt(column, placed(way.alongM, along)))
}
