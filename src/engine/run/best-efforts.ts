import { METRES_PER_MILE } from '../units.ts'
import { isJump } from './distance.ts'

/** Values closer than this (metres or seconds) count as equal, since running sums are not exact. */
const EPSILON = 1e-9
interface StandardDistance {
  readonly label: string
  readonly distanceM: number
  /** World record, seconds (docs/algorithms.md 18, with the years; half a mile and ten miles are derived). */
  readonly fastestS: number
}

/** The standard distances of docs/api.md 6 with their labels, ascending. */
export const STANDARD_DISTANCES: readonly StandardDistance[] = [
  { label: '400m', distanceM: 400, fastestS: 43.03 },
  { label: '1/2 mile', distanceM: METRES_PER_MILE / 2, fastestS: 101.5 },
  { label: '1K', distanceM: 1000, fastestS: 131.96 },
  { label: '1 mile', distanceM: METRES_PER_MILE, fastestS: 223.13 },
  { label: '2 mile', distanceM: 2 * METRES_PER_MILE, fastestS: 474.1 },
  { label: '5K', distanceM: 5000, fastestS: 755.36 },
  { label: '10K', distanceM: 10_000, fastestS: 1571 },
  { label: '15K', distanceM: 15_000, fastestS: 2387 },
  { label: '10 mile', distanceM: 10 * METRES_PER_MILE, fastestS: 2569 },
  { label: '20K', distanceM: 20_000, fastestS: 3222 },
  { label: 'Half-Marathon', distanceM: 21_097.5, fastestS: 3402 },
  { label: '30K', distanceM: 30_000, fastestS: 5131 },
  { label: 'Marathon', distanceM: 42_195, fastestS: 7170 },
]

export interface Effort {
  readonly timeS: number
  /** Elapsed seconds at which the window begins. */
  readonly startS: number
}

/** Knots `first` to `last`; there is no impossible step between them. */
export interface Stretch {
  readonly first: number
  readonly last: number
}

/**
 * Shortest elapsed time in which `targetM` metres were covered, with distance interpolated linearly: the minimum over
 * every window, not only over those that begin or end at a sample. A pause at the end of a window is outside it, a
 * pause within it counts (docs/algorithms.md 1).
 * @param tS elapsed seconds, strictly increasing
 * @param distanceM cumulative metres, never falling, same length
 * @param stretches searched; absent: all parts without an impossible step
 * @returns null when none of them is that long
 * @throws RangeError when `targetM` is not positive or the columns differ in length
 */
export function bestEffort(
  tS: Float64Array,
  distanceM: Float64Array,
  targetM: number,
  stretches: readonly Stretch[] = possibleStretches(tS, distanceM),
): Effort | null {
  if (!(targetM > 0)) throw new RangeError(`A best effort needs a positive distance, not ${targetM}`)
  let best: Effort | null = null
  for (const { first, last } of stretches) {
    if (distanceM[last]! - distanceM[first]! < targetM - EPSILON) continue
    const range = { first, last, targetM }
    for (const found of [fromKnots(tS, distanceM, range), toKnots(tS, distanceM, range)]) {
      if (best === null || isBetter(found, best)) best = found
    }
  }
  return best
}

/** Parts without a step beyond 12.5 m/s + 100 m, which nobody runs (docs/algorithms.md 1, rule 2). */
export function possibleStretches(tS: Float64Array, distanceM: Float64Array): Stretch[] {
  if (tS.length !== distanceM.length) throw new RangeError(`${tS.length} times for ${distanceM.length} distances`)
  const stretches: Stretch[] = []
  let first = 0
  for (let i = 1; i <= tS.length; i += 1) {
    if (i < tS.length && !isJump(distanceM[i]! - distanceM[i - 1]!, tS[i]! - tS[i - 1]!)) continue
    stretches.push({ first, last: i - 1 })
    first = i
  }
  return stretches
}

/** Of equal times the earlier wins, so that a steady run has one answer. */
function isBetter(a: Effort, b: Effort): boolean {
  return a.timeS < b.timeS - EPSILON || (a.timeS <= b.timeS + EPSILON && a.startS < b.startS)
}

/**
 * Best window that begins at a knot. Together with `toKnots` this covers every window that can be the fastest: between
 * such windows the time is an affine function of the start (docs/algorithms.md 1).
 */
function fromKnots(tS: Float64Array, d: Float64Array, range: Stretch & { targetM: number }): Effort {
  const { first, last, targetM } = range
  let timeS = Number.POSITIVE_INFINITY
  let startS = 0
  let j = first + 1
  for (let i = first; i < last; i += 1) {
    // of equal distances the last knot counts, which starts the window latest
    if (d[i + 1]! === d[i]!) continue
    const x = d[i]! + targetM
    if (x > d[last]! + EPSILON) break
    while (d[j]! < x - EPSILON) j += 1
    const short = d[j]! - x
    const endS = short > 0 ? tS[j]! - ((tS[j]! - tS[j - 1]!) * short) / (d[j]! - d[j - 1]!) : tS[j]!
    if (endS - tS[i]! < timeS - EPSILON) {
      timeS = endS - tS[i]!
      startS = tS[i]!
    }
  }
  return { timeS, startS }
}

/** Best window that ends at a knot. */
function toKnots(tS: Float64Array, d: Float64Array, range: Stretch & { targetM: number }): Effort {
  const { first, last, targetM } = range
  let timeS = Number.POSITIVE_INFINITY
  let startS = 0
  let i = first
  for (let j = first + 1; j <= last; j += 1) {
    // of equal distances the first knot counts, which ends the window earliest
    if (d[j]! === d[j - 1]!) continue
    const x = d[j]! - targetM
    if (x < d[first]! - EPSILON) continue
    while (d[i + 1]! <= x + EPSILON) i += 1
    const over = x - d[i]!
    const fromS = over > 0 ? tS[i]! + ((tS[i + 1]! - tS[i]!) * over) / (d[i + 1]! - d[i]!) : tS[i]!
    if (tS[j]! - fromS < timeS - EPSILON) {
      timeS = tS[j]! - fromS
      startS = fromS
    }
  }
  return { timeS, startS }
}
