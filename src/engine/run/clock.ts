import { placed, reader, valueAt } from '../gather.ts'
import type { Span, Track } from '../track.ts'
import { heldSeconds } from './hold.ts'
import type { Readings } from './readings.ts'

/** Times closer than this are one. */
const EPSILON_S = 1e-9

/**
 * A run on one of its clocks, as cumulative columns at its knots: between two of them speed and heart rate are constant,
 * and either all of the time has a heart rate or none.
 */
export interface Clock {
  /** Seconds of this clock, increasing. */
  readonly atS: Float64Array
  /** Metres as run, and grade-equivalent where the altitude counts; all 0 without distance. */
  readonly distanceM: Float64Array
  readonly gradedM: Float64Array
  /** Seconds with a heart rate, and beats per minute times seconds. */
  readonly heldS: Float64Array
  readonly beats: Float64Array
  /** Elapsed second of a place; where two stretches were joined, at which the first ends or the second begins. */
  readonly elapsedAt: (place: number, edge: 'end' | 'begin') => number
}

/** The run on the elapsed clock; each heart rate, which is that of a row, holds until the next, limited by the hold rule. */
export function elapsedClock(
  { tS }: Pick<Track, 'tS'>,
  { distanceM, equivalentM, heartRate }: Pick<Readings, 'distanceM' | 'equivalentM' | 'heartRate'>,
): Clock {
  const pulseS = heartRate?.tS ?? new Float64Array(0)
  const holdS = heldSeconds(pulseS, [])
  const atS = new Float64Array(tS.length + holdS.length)
  const [heldS, beats] = [new Float64Array(atS.length), new Float64Array(atS.length)]
  let count = 0
  let row = 0
  let next = 0
  let bpm = 0
  let untilS = Number.NEGATIVE_INFINITY
  while (row < tS.length) {
    const lastS = count === 0 ? tS[0]! : atS[count - 1]!
    // the end of a hold between two rows is a knot
    const isEnd = untilS > lastS + EPSILON_S && untilS < tS[row]! - EPSILON_S
    const knotS = isEnd ? untilS : tS[row]!
    const seconds = knotS <= untilS + EPSILON_S ? knotS - lastS : 0
    atS[count] = knotS
    if (count > 0) {
      heldS[count] = heldS[count - 1]! + seconds
      beats[count] = beats[count - 1]! + bpm * seconds
    }
    count += 1
    if (isEnd) continue
    if (pulseS[next] === knotS) {
      bpm = heartRate!.values[next]!
      untilS = knotS + holdS[next]!
      next += 1
    }
    row += 1
  }
  const knots = atS.subarray(0, count)
  const metres = distanceM === null ? new Float64Array(count) : at(distanceM)
  return {
    atS: knots,
    distanceM: metres,
    gradedM: equivalentM === null ? metres : at(equivalentM),
    heldS: heldS.subarray(0, count),
    beats: beats.subarray(0, count),
    elapsedAt: (place) => valueAt(knots, place),
  }

  function at(column: Float64Array): Float64Array {
    return count === tS.length ? column : knots.map(reader(tS, column))
  }
}

/** The clock from 0 without some spans of it, which are in order and do not overlap; the rest is joined. */
export function without(clock: Clock, spans: readonly Span[]): Clock {
  const { atS } = clock
  const isWhole = spans.length === 0 && [atS, clock.distanceM, clock.gradedM].every((column) => (column[0] ?? 0) === 0)
  if (isWhole) return clock
  const last = atS.length - 1
  // the time of each knot, and the places in the clock at which the step to it ends and the step from it begins
  const keptS = new Float64Array(atS.length + spans.length)
  const ends = new Float64Array(keptS.length)
  const begins = new Float64Array(keptS.length)
  let count = 0
  let row = 0
  let lostS = atS[0]!
  for (const { startS, endS } of spans) {
    if (endS <= atS[0]!) continue
    for (; row <= last && atS[row]! <= startS; row += 1) add(row, atS[row]!)
    if (row > last) break
    const fromS = Math.max(startS, atS[0]!)
    add(placed(atS, fromS), fromS)
    begins[count - 1] = placed(atS, endS)
    lostS += endS - fromS
    while (row <= last && atS[row]! <= endS) row += 1
  }
  for (; row <= last; row += 1) add(row, atS[row]!)
  return {
    atS: keptS.subarray(0, count),
    distanceM: joined(clock.distanceM),
    gradedM: joined(clock.gradedM),
    heldS: joined(clock.heldS),
    beats: joined(clock.beats),
    elapsedAt: (place, edge) => {
      const row = Math.floor(place)
      if (place === row) return clock.elapsedAt((edge === 'end' ? ends : begins)[row]!, edge)
      return clock.elapsedAt(begins[row]! + (place - row) * (ends[row + 1]! - begins[row]!), edge)
    },
  }

  function add(place: number, secondS: number): void {
    // a knot at the edge of a span is that edge
    if (count > 0 && secondS - lostS - keptS[count - 1]! < EPSILON_S) return
    keptS[count] = secondS - lostS
    ends[count] = place
    begins[count] = place
    count += 1
  }

  function joined(column: Float64Array): Float64Array {
    const result = new Float64Array(count)
    let lost = column[0]!
    for (let i = 0; i < count; i += 1) {
      const value = valueAt(column, ends[i]!)
      result[i] = value - lost
      if (begins[i] !== ends[i]) lost += valueAt(column, begins[i]!) - value
    }
    return result
  }
}

/** Length of a clock that begins at 0, seconds. */
export function lengthS({ atS }: Pick<Clock, 'atS'>): number {
  return atS.at(-1) ?? 0
}

/** What was run between two places of a clock. */
export function partOf(clock: Clock, from: number, to: number) {
  const grown = (column: Float64Array) => valueAt(column, to) - valueAt(column, from)
  return {
    seconds: grown(clock.atS),
    gradedM: grown(clock.gradedM),
    heldS: grown(clock.heldS),
    beats: grown(clock.beats),
  }
}
