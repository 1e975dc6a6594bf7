import { type HeldSeries, heldSeconds } from '../../run/hold.ts'
import { mergedSpans } from '../../run/moving.ts'
import type { Span } from '../../track.ts'
import { clockLengthS, type MovingClock, placed, reader, valueAt } from './moving-clock.ts'

const WARM_UP_S = 600
const AFTER_STOP_S = 120

/** Heart beats over time: each sample stands until the next, as long as the hold rule lets it. */
export interface HeldSpans {
  readonly startS: Float64Array
  readonly endS: Float64Array
  readonly bpm: Float64Array
}

/** What each heart rate of a run stands for, elapsed seconds, in order and apart. @param lastS end of the records */
export function heldSpans({ tS, values }: HeldSeries, lastS: number): HeldSpans {
  const heldS = heldSeconds(tS, [])
  return { startS: tS, endS: heldS.map((seconds, i) => Math.min(lastS, tS[i]! + seconds)), bpm: values }
}

/** The same on the moving clock: what was cut out has no length there. */
export function movingSpans({ startS, endS, bpm }: HeldSpans, clock: MovingClock): HeldSpans {
  const starts = new Float64Array(startS.length)
  const ends = new Float64Array(startS.length)
  const values = new Float64Array(startS.length)
  const { cut } = clock
  let next = 0
  let lostS = clock.startS
  let count = 0
  // cuts are passed once, in order, by starts and by ends alike
  const movedTo = (atS: number, from: number, lost: number): [number, number, number] => {
    let index = from
    let gone = lost
    while (index < cut.length && cut[index]!.endS <= atS) {
      gone += cut[index]!.endS - Math.max(clock.startS, Math.min(cut[index]!.endS, cut[index]!.startS))
      index += 1
    }
    const open = cut[index]
    const within = open !== undefined && open.startS < atS ? atS - Math.max(clock.startS, open.startS) : 0
    return [Math.max(0, atS - gone - within), index, gone]
  }
  for (let i = 0; i < startS.length; i += 1) {
    const [fromS, index, lost] = movedTo(startS[i]!, next, lostS)
    next = index
    lostS = lost
    const [toS] = movedTo(endS[i]!, next, lostS)
    if (!(toS > fromS)) continue
    starts[count] = fromS
    ends[count] = toS
    values[count] = bpm[i]!
    count += 1
  }
  return { startS: starts.subarray(0, count), endS: ends.subarray(0, count), bpm: values.subarray(0, count) }
}

/** Time of a run in which heart and speed belong together, laid end to end. */
export interface CountedTime {
  /** Counted seconds at every knot, from 0. */
  readonly atS: Float64Array
  /** Metres on the flat, and beats per minute times seconds, both cumulative. */
  readonly gradedM: Float64Array
  readonly bpmS: Float64Array
  /** Seconds that would count had all of them a heart rate. */
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
  const metresAt = reader(clock.uS, clock.gradedM)
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
    wantedS: Math.max(0, lengthS - secondsOf(left, lengthS)),
  }

  /** From knot to knot of the clock, between which the speed does not change. */
  function take(startS: number, endS: number, bpm: number): void {
    let fromS = startS
    let fromM = metresAt(fromS)
    while (knot < clock.uS.length && clock.uS[knot]! <= fromS) knot += 1
    while (fromS < endS) {
      const toS = knot < clock.uS.length ? Math.min(endS, clock.uS[knot]!) : endS
      const toM = metresAt(toS)
      atS[count] = atS[count - 1]! + toS - fromS
      gradedM[count] = gradedM[count - 1]! + toM - fromM
      bpmS[count] = bpmS[count - 1]! + bpm * (toS - fromS)
      count += 1
      fromS = toS
      fromM = toM
      if (toS < endS) knot += 1
    }
  }
}

function secondsOf(spans: readonly Span[], mostS: number): number {
  return spans.reduce((sum, { startS, endS }) => sum + Math.max(0, Math.min(mostS, endS) - Math.min(mostS, startS)), 0)
}

/** Means of a part of the counted time. */
export interface CountedMeans {
  readonly seconds: number
  readonly mps: number
  readonly bpm: number
}

/** Cut exactly, inside a sample too. @returns null for a part without time */
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
