import { type HeldSeries, heldSeconds } from '../../run/hold.ts'
import { mergedSpans } from '../../run/moving.ts'
import type { Span } from '../../track.ts'
import { between, clockLengthS, type MovingClock, placed, valueAt } from './moving-clock.ts'

const WARM_UP_S = 600
const AFTER_STOP_S = 120

/** Heart rate over time: each sample holds until the next, limited by the hold rule. */
export interface HeldSpans {
  readonly startS: Float64Array
  readonly endS: Float64Array
  readonly bpm: Float64Array
}

/** Span that each sample holds for, elapsed seconds, in order, not overlapping. @param lastS end of the records */
export function heldSpans({ tS, values }: HeldSeries, lastS: number): HeldSpans {
  const endS = heldSeconds(tS, [])
  for (let i = 0; i < endS.length; i += 1) endS[i] = Math.min(lastS, tS[i]! + endS[i]!)
  return { startS: tS, endS, bpm: values }
}

/** The same spans on the moving clock, on which what was cut out has no length. */
export function movingSpans({ startS, endS, bpm }: HeldSpans, clock: MovingClock): HeldSpans {
  const starts = new Float64Array(startS.length)
  const ends = new Float64Array(startS.length)
  const values = new Float64Array(startS.length)
  const { cut } = clock
  const from = { next: 0, lostS: clock.startS }
  const to = { next: 0, lostS: clock.startS }
  let count = 0
  for (let i = 0; i < startS.length; i += 1) {
    const fromS = movedTo(from, startS[i]!)
    const toS = movedTo(to, endS[i]!)
    if (!(toS > fromS)) continue
    starts[count] = fromS
    ends[count] = toS
    values[count] = bpm[i]!
    count += 1
  }
  return { startS: starts.subarray(0, count), endS: ends.subarray(0, count), bpm: values.subarray(0, count) }

  /** Converts elapsed to moving seconds; times must ascend, so that each cut is passed once. */
  function movedTo(passed: { next: number; lostS: number }, atS: number): number {
    while (passed.next < cut.length && cut[passed.next]!.endS <= atS) {
      passed.lostS += Math.max(0, cut[passed.next]!.endS - Math.max(clock.startS, cut[passed.next]!.startS))
      passed.next += 1
    }
    const open = cut[passed.next]
    const within = open !== undefined && open.startS < atS ? atS - Math.max(clock.startS, open.startS) : 0
    return Math.max(0, atS - passed.lostS - within)
  }
}

/** The time of a run in which both heart rate and speed count, joined without gaps. */
export interface CountedTime {
  /** Counted seconds at every knot, from 0. */
  readonly atS: Float64Array
  /** Grade-equivalent metres, and beats per minute times seconds, both cumulative. */
  readonly gradedM: Float64Array
  readonly bpmS: Float64Array
  /** Moving second at every knot: the end of the stretch before it. */
  readonly movingS: Float64Array
  /** Seconds that would count if all of them had a heart rate. */
  readonly wantedS: number
}

/** @param held on the moving clock */
export function countedTime(clock: MovingClock, held: HeldSpans): CountedTime {
  const lengthS = clockLengthS(clock)
  const left = mergedSpans([
    { startS: 0, endS: WARM_UP_S },
    ...clock.longStopsS.map((startS) => ({ startS, endS: startS + AFTER_STOP_S })),
  ])
  const most = clock.uS.length + 2 * held.bpm.length + 2 * left.length + 2
  const atS = new Float64Array(most)
  const gradedM = new Float64Array(most)
  const bpmS = new Float64Array(most)
  const movingS = new Float64Array(most)
  let count = 1
  let next = 0
  let knot = 0
  for (let i = 0; i < held.bpm.length; i += 1) {
    let fromS = held.startS[i]!
    const endS = held.endS[i]!
    while (next < left.length && left[next]!.endS <= fromS) next += 1
    for (let k = next; fromS < endS; k += 1) {
      const span = left[k]
      if (span === undefined || span.startS >= endS) {
        take(fromS, endS, held.bpm[i]!)
        break
      }
      if (span.startS > fromS) take(fromS, span.startS, held.bpm[i]!)
      fromS = Math.max(fromS, span.endS)
    }
  }
  return {
    atS: atS.subarray(0, count),
    gradedM: gradedM.subarray(0, count),
    bpmS: bpmS.subarray(0, count),
    movingS: movingS.subarray(0, count),
    wantedS: Math.max(0, lengthS - secondsOf(left, lengthS)),
  }

  /** Adds a span knot by knot; between two knots the speed is constant. */
  function take(startS: number, endS: number, bpm: number): void {
    const { uS, gradedM: clockM } = clock
    const last = uS.length - 1
    while (knot < last - 1 && uS[knot + 1]! <= startS) knot += 1
    let fromS = startS
    let fromM = between(uS, clockM, { row: knot, at: fromS })
    while (fromS < endS) {
      const isLast = knot >= last - 1
      const toS = isLast ? endS : Math.min(endS, uS[knot + 1]!)
      const toM = between(uS, clockM, { row: knot, at: toS })
      atS[count] = atS[count - 1]! + toS - fromS
      gradedM[count] = gradedM[count - 1]! + toM - fromM
      bpmS[count] = bpmS[count - 1]! + bpm * (toS - fromS)
      movingS[count] = toS
      count += 1
      fromS = toS
      fromM = toM
      if (!isLast && toS >= uS[knot + 1]!) knot += 1
    }
  }
}

/** Converts counted seconds to moving seconds; between two stretches it is the end of the first. */
export function movingOf({ atS, movingS }: CountedTime, countedS: number): number {
  const { row, share } = placed(atS, countedS)
  return movingS[row + 1]! - (1 - share) * (atS[row + 1]! - atS[row]!)
}

function secondsOf(spans: readonly Span[], mostS: number): number {
  return spans.reduce((sum, { startS, endS }) => sum + Math.max(0, Math.min(mostS, endS) - Math.min(mostS, startS)), 0)
}

/** Means over a part of the counted time. */
export interface CountedMeans {
  readonly seconds: number
  readonly mps: number
  readonly bpm: number
}

/** Cut exactly, even within a sample. @returns null for a part of no length */
export function countedMeans({ atS, gradedM, bpmS }: CountedTime, fromS: number, toS: number): CountedMeans | null {
  if (!(toS > fromS)) return null
  const from = placed(atS, fromS)
  const to = placed(atS, toS)
  const seconds = toS - fromS
  return {
    seconds,
    mps: (valueAt(gradedM, to) - valueAt(gradedM, from)) / seconds,
    bpm: (valueAt(bpmS, to) - valueAt(bpmS, from)) / seconds,
  }
}
