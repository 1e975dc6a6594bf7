import type { Span } from '../track.ts'

/** Slower than this counts as standing. */
export const STANDING_MPS = 0.5
/** A stop falls short of `STANDING_MPS` by at least as much as this many seconds of complete standstill do. */
const SHORTEST_STOP_S = 5
/** A metre up or down counts as three along (docs/algorithms.md 7). */
const VERTICAL_WEIGHT = 3
/** Tolerance for distances and times on decimal grids: a stop of exactly five seconds must count. */
const EPSILON = 1e-9

/** A stop between two knots, with its timer-on time. */
export interface Stop extends Span {
  readonly firstIndex: number
  readonly lastIndex: number
  readonly timerS: number
}

interface StopOptions {
  /** Timer-off time, sorted, not overlapping. */
  readonly off: readonly Span[]
  /** Smoothed barometric altitude at the knots, metres; null: only horizontal movement counts. */
  readonly elevM: Float64Array | null
}

/**
 * Stops of a run: all maximal stretches in which the runner falls at least 2.5 m short of 0.5 m/s, found as the maximal
 * scoring subsequences of 0.5*dt - dd (Ruzzo & Tompa 1999), over timer-on time. O(n).
 * @param tS ascending seconds of the knots
 * @param distanceM non-decreasing metres, same length
 * @returns in order, not overlapping
 */
export function stops(tS: Float64Array, distanceM: Float64Array, { off, elevM }: StopOptions): Stop[] {
  const steps = Math.max(0, tS.length - 1)
  const onS = timerOnS(tS, off)
  // stack of candidate subsequences: cumulative score before and after, first and last step, and the nearest earlier
  // candidate that begins lower, which keeps the search linear
  const before = new Float64Array(steps)
  const after = new Float64Array(steps)
  const first = new Int32Array(steps)
  const last = new Int32Array(steps)
  const lower = new Int32Array(steps)
  let size = 0
  let score = 0
  for (let k = 0; k < steps; k += 1) {
    const weight = stepWeight(k)
    if (weight <= 0) {
      score += weight
      continue
    }
    let left = score
    score += weight
    let firstStep = k
    for (;;) {
      let j = size - 1
      while (j >= 0 && before[j]! >= left) j = lower[j]!
      if (j < 0 || after[j]! >= score) {
        before[size] = left
        after[size] = score
        first[size] = firstStep
        last[size] = k
        lower[size] = j
        size += 1
        break
      }
      left = before[j]!
      firstStep = first[j]!
      size = j
    }
  }
  const found: Stop[] = []
  for (let j = 0; j < size; j += 1) {
    if (after[j]! - before[j]! < STANDING_MPS * SHORTEST_STOP_S - EPSILON) continue
    const firstIndex = first[j]!
    const lastIndex = last[j]! + 1
    let timerS = 0
    for (let k = firstIndex; k < lastIndex; k += 1) timerS += onS[k]!
    found.push({ startS: tS[firstIndex]!, endS: tS[lastIndex]!, firstIndex, lastIndex, timerS })
  }
  return found

  function stepWeight(k: number): number {
    if (onS[k] === 0) return 0
    const verticalM = elevM === null ? 0 : Math.abs(elevM[k + 1]! - elevM[k]!)
    const movedM = distanceM[k + 1]! - distanceM[k]! + (verticalM > 0 ? VERTICAL_WEIGHT * verticalM : 0)
    return STANDING_MPS * onS[k]! - movedM
  }
}

/** Timer-on time less the stops at the same knots, seconds. */
export function movingS(tS: Float64Array, off: readonly Span[], found: readonly Stop[]): number {
  const onS = timerOnS(tS, off)
  let seconds = 0
  for (let k = 0; k < onS.length; k += 1) seconds += onS[k]!
  for (const stop of found) seconds -= stop.timerS
  return Math.max(0, seconds)
}

/** Seconds of each step between two knots during which the timer ran; one fewer than knots. */
export function timerOnS(tS: Float64Array, off: readonly Span[]): Float64Array {
  const onS = new Float64Array(Math.max(0, tS.length - 1))
  let next = 0
  for (let k = 0; k < onS.length; k += 1) {
    const startS = tS[k]!
    const endS = tS[k + 1]!
    while (next < off.length && off[next]!.endS <= startS) next += 1
    // when off time differs from the step's length by floating-point noise alone, the whole step is off
    const seconds = endS - startS - secondsWithin(off, startS, endS, next)
    onS[k] = seconds > EPSILON ? seconds : 0
  }
  return onS
}

/** Seconds of overlap between spans, in order and apart, and a time. @param first of those that end after `startS` */
export function secondsWithin(spans: readonly Span[], startS: number, endS: number, first = 0): number {
  let sum = 0
  for (let k = first; k < spans.length && spans[k]!.startS < endS; k += 1) {
    sum += Math.max(0, Math.min(spans[k]!.endS, endS) - Math.max(spans[k]!.startS, startS))
  }
  return sum
}

/** Spans sorted, with overlapping and touching ones merged and empty ones dropped. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(({ startS, endS }) => endS > startS).sort((a, b) => a.startS - b.startS)
  const merged: Span[] = []
  for (const span of sorted) {
    const open = merged.at(-1)
    if (open !== undefined && span.startS <= open.endS) {
      if (span.endS > open.endS) merged[merged.length - 1] = { startS: open.startS, endS: span.endS }
    } else {
      merged.push({ startS: span.startS, endS: span.endS })
    }
  }
  return merged
}
