import type { BestEffort } from '../analysis.ts'
import { METRES_PER_MILE, roundHalfUp } from '../units.ts'
import { IMPOSSIBLE_MPS, JUMP_SLACK_M } from './distance.ts'

/** Metres and seconds below which values count as equal: the noise of a running sum. */
const EPSILON = 1e-9
/** Seconds of an implausible window that are shut out before its distance is tried once more. */
const SUSPECT_S = 5

export interface StandardDistance {
  readonly label: string
  readonly distanceM: number
  /** A faster time is a fault of the recording: about 0.97 times the men's world record, seconds. */
  readonly floorS: number
}

/** The distances of SPEC 2 with its labels, ascending. */
export const STANDARD_DISTANCES: readonly StandardDistance[] = [
  { label: '400m', distanceM: 400, floorS: 41.5 },
  { label: '1/2 mile', distanceM: METRES_PER_MILE / 2, floorS: 97.5 },
  { label: '1K', distanceM: 1000, floorS: 127 },
  { label: '1 mile', distanceM: METRES_PER_MILE, floorS: 216 },
  { label: '2 mile', distanceM: 2 * METRES_PER_MILE, floorS: 458 },
  { label: '5K', distanceM: 5000, floorS: 732 },
  { label: '10K', distanceM: 10_000, floorS: 1520 },
  { label: '15K', distanceM: 15_000, floorS: 2370 },
  { label: '10 mile', distanceM: 10 * METRES_PER_MILE, floorS: 2550 },
  { label: '20K', distanceM: 20_000, floorS: 3200 },
  { label: 'Half-Marathon', distanceM: 21_097.5, floorS: 3290 },
  { label: '30K', distanceM: 30_000, floorS: 5000 },
  { label: 'Marathon', distanceM: 42_195, floorS: 7000 },
]

export interface Effort {
  readonly timeS: number
  /** Elapsed seconds at which the window begins. */
  readonly startS: number
}

/** Knots `first` to `last` without an impossible step between them. */
interface Stretch {
  readonly first: number
  readonly last: number
}

/**
 * The best effort of every standard distance the run is long enough for, at most one each, in order of distance;
 * implausibly fast ones are left out (ALGORITHMS 1, rule 3).
 * @param tS elapsed seconds, strictly increasing
 * @param distanceM cumulative metres, never falling, same length
 */
export function bestEfforts(tS: Float64Array, distanceM: Float64Array): BestEffort[] {
  const stretches = possibleStretches(tS, distanceM)
  const result: BestEffort[] = []
  for (const [distanceIndex, standard] of STANDARD_DISTANCES.entries()) {
    const effort = plausible(tS, distanceM, standard, stretches)
    if (effort === null) continue
    result.push({
      distanceIndex,
      timeMs: roundHalfUp(effort.timeS * 1000),
      startMs: roundHalfUp(effort.startS * 1000),
    })
  }
  return result
}

/**
 * Shortest elapsed time in which `targetM` metres were covered, to the interpolant: the minimum over every window, not
 * only those that begin or end at a sample. Pauses at its ends are outside, pauses within it count (ALGORITHMS 1).
 * @param tS elapsed seconds, strictly increasing
 * @param distanceM cumulative metres, never falling, same length
 * @param stretches to look at; absent: all without an impossible step
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

/** A step longer than 12.5 m/s plus 100 m is no running: no window may span it (ALGORITHMS 1, rule 2). */
function possibleStretches(tS: Float64Array, distanceM: Float64Array): Stretch[] {
  if (tS.length !== distanceM.length) throw new RangeError(`${tS.length} times for ${distanceM.length} distances`)
  const stretches: Stretch[] = []
  let first = 0
  for (let i = 1; i <= tS.length; i += 1) {
    const isPossible =
      i < tS.length && distanceM[i]! - distanceM[i - 1]! <= IMPOSSIBLE_MPS * (tS[i]! - tS[i - 1]!) + JUMP_SLACK_M
    if (isPossible) continue
    stretches.push({ first, last: i - 1 })
    first = i
  }
  return stretches
}

function plausible(
  tS: Float64Array,
  distanceM: Float64Array,
  { distanceM: targetM, floorS }: StandardDistance,
  stretches: readonly Stretch[],
): Effort | null {
  const effort = bestEffort(tS, distanceM, targetM, stretches)
  if (effort === null || effort.timeS >= floorS) return effort
  const suspectS = fastestSpanStart(tS, distanceM, effort)
  const others = stretches.flatMap((stretch) => without(tS, stretch, suspectS))
  const second = bestEffort(tS, distanceM, targetM, others)
  return second !== null && second.timeS >= floorS ? second : null
}

/** The earlier of equals, so that a steady run has one answer. */
function isBetter(a: Effort, b: Effort): boolean {
  return a.timeS < b.timeS - EPSILON || (a.timeS <= b.timeS + EPSILON && a.startS < b.startS)
}

/**
 * Best window that begins at a knot. Together with `toKnots` this is every window that can be the fastest: between
 * such windows the time is an affine function of the start (proof sketch in ALGORITHMS 1).
 */
function fromKnots(tS: Float64Array, d: Float64Array, range: Stretch & { targetM: number }): Effort {
  const { first, last, targetM } = range
  let timeS = Number.POSITIVE_INFINITY
  let startS = 0
  let j = first + 1
  for (let i = first; i < last; i += 1) {
    // The last knot of a plateau leaves latest.
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
    // The first knot of a plateau arrives earliest.
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

/** Start of the `SUSPECT_S` seconds inside an effort that cover most ground; windows begin at knots. */
function fastestSpanStart(tS: Float64Array, d: Float64Array, effort: Effort): number {
  const endS = effort.startS + effort.timeS
  let startS = effort.startS
  let mostM = -1
  let j = 0
  for (let i = 0; i < tS.length && tS[i]! < endS; i += 1) {
    if (i + 1 < tS.length && tS[i + 1]! <= effort.startS) continue
    const untilS = tS[i]! + SUSPECT_S
    while (j + 1 < tS.length && tS[j + 1]! <= untilS) j += 1
    const share = j + 1 < tS.length ? (untilS - tS[j]!) / (tS[j + 1]! - tS[j]!) : 0
    const reachedM = d[j]! + (j + 1 < tS.length ? share * (d[j + 1]! - d[j]!) : 0)
    if (reachedM - d[i]! > mostM) {
      mostM = reachedM - d[i]!
      startS = tS[i]!
    }
  }
  return startS
}

/** A stretch without the suspect seconds: what lies before and after them. */
function without(tS: Float64Array, { first, last }: Stretch, suspectS: number): Stretch[] {
  let before = first
  while (before < last && tS[before + 1]! <= suspectS) before += 1
  let after = before
  while (after < last && tS[after]! < suspectS + SUSPECT_S) after += 1
  if (tS[last]! <= suspectS || tS[first]! >= suspectS + SUSPECT_S) return [{ first, last }]
  return [
    { first, last: before },
    { first: after, last },
  ]
}
