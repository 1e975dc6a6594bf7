import { mergedSpans } from '../../run/moving.ts'
import type { Readings } from '../../run/readings.ts'
import type { Track } from '../../track.ts'

/** A stop of this length lets the heart rate fall, so averages leave out the time after it. */
const LONG_STOP_S = 60

/** A run without stops, timer-off time and the distance in them; linear between knots, also across gaps. */
export type MovingClock = NonNullable<ReturnType<typeof movingClock>>

/** @returns null when the run has no distance */
export function movingClock(
  { tS, off }: Pick<Track, 'tS' | 'off'>,
  { distanceM, equivalentM, found }: Pick<Readings, 'distanceM' | 'equivalentM' | 'found'>,
) {
  if (distanceM === null || tS.length === 0) return null
  const graded = equivalentM ?? distanceM
  const cut = mergedSpans([...(found ?? []), ...off])
  const most = tS.length + 2 * cut.length
  const uS = new Float64Array(most)
  const gradedM = new Float64Array(most)
  const runM = new Float64Array(most)
  const longStopsS: number[] = []
  let count = 0
  let lostS = tS[0]!
  let lostGradedM = graded[0]!
  let lostM = distanceM[0]!
  let next = 0
  for (let i = 0; i < tS.length; i += 1) {
    const atS = tS[i]!
    while (next < cut.length && cut[next]!.endS <= atS) closeCut()
    const open = cut[next]
    if (open === undefined || atS <= open.startS) add(atS, graded[i]!, distanceM[i]!)
  }
  const unclosed = cut[next]
  if (unclosed !== undefined && unclosed.startS < tS.at(-1)!) addAt(Math.max(unclosed.startS, tS[0]!))
  return {
    /** Moving seconds, never falling, from 0. */
    uS: uS.subarray(0, count),
    /** Cumulative metres: grade-equivalent where the altitude counts, else as run. */
    gradedM: gradedM.subarray(0, count),
    /** Cumulative metres as run. */
    distanceM: runM.subarray(0, count),
    /** Moving seconds at which a stop of 60 s or more happened, in order. */
    longStopsS,
    /** What was cut out, elapsed seconds, in order, not overlapping. */
    cut,
    /** Elapsed second of the first record. */
    startS: tS[0]!,
  }

  /** Ends a cut: both of its ends have the same moving time. */
  function closeCut(): void {
    const { startS, endS } = cut[next]!
    next += 1
    if (endS <= tS[0]!) return
    const fromS = Math.max(startS, tS[0]!)
    const from = placed(tS, fromS)
    const to = placed(tS, endS)
    addAt(fromS)
    if (endS - fromS >= LONG_STOP_S - 1e-9) longStopsS.push(uS[count - 1]!)
    lostS += endS - fromS
    lostGradedM += valueAt(graded, to) - valueAt(graded, from)
    lostM += valueAt(distanceM!, to) - valueAt(distanceM!, from)
  }

  function addAt(atS: number): void {
    const place = placed(tS, atS)
    add(atS, valueAt(graded, place), valueAt(distanceM!, place))
  }

  function add(atS: number, gradedAtM: number, atM: number): void {
    const movedS = Math.max(0, atS - lostS)
    // a record exactly at the edge of a cut is that edge and adds no knot
    if (count > 0 && movedS - uS[count - 1]! < 1e-9) return
    uS[count] = movedS
    gradedM[count] = gradedAtM - lostGradedM
    runM[count] = atM - lostM
    count += 1
  }
}

/** Moving seconds of the whole run. */
export function clockLengthS({ uS }: Pick<MovingClock, 'uS'>): number {
  return uS.at(-1) ?? 0
}

/** Converts moving seconds to elapsed seconds; at a stretch that was cut out it is the beginning of it. */
export function elapsedOf({ cut, startS }: Pick<MovingClock, 'cut' | 'startS'>, movingS: number): number {
  let atS = startS + movingS
  for (const span of cut) {
    if (span.endS <= startS) continue
    if (span.startS >= atS) break
    atS += span.endS - Math.max(startS, span.startS)
  }
  return atS
}

/** A position in an ascending column: a row, and the share of the way to the next. */
interface Place {
  readonly row: number
  readonly share: number
}

/** The position of a value in an ascending column; clamped to its ends. */
export function placed(ascending: Float64Array, value: number): Place {
  const last = ascending.length - 1
  if (last <= 0 || value <= ascending[0]!) return { row: 0, share: 0 }
  if (value >= ascending[last]!) return { row: last - 1, share: 1 }
  let low = 0
  let high = last
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= value) low = middle
    else high = middle
  }
  return { row: low, share: (value - ascending[low]!) / (ascending[high]! - ascending[low]!) }
}

/** A column at a position, interpolated between its rows. */
export function valueAt(column: Float64Array, { row, share }: Place): number {
  const from = column[row]!
  return share === 0 ? from : from + share * (column[row + 1]! - from)
}

/** A column where an ascending one has a value between a row and the next; both columns have at least two rows. */
export function between(
  ascending: Float64Array,
  column: Float64Array,
  { row, at }: { readonly row: number; readonly at: number },
): number {
  const step = ascending[row + 1]! - ascending[row]!
  const share = step > 0 ? Math.min(1, Math.max(0, (at - ascending[row]!) / step)) : 0
  return column[row]! + share * (column[row + 1]! - column[row]!)
}

/** Reads a column at ascending places of an ascending one, as `between`. */
export function reader(ascending: Float64Array, column: Float64Array): (at: number) => number {
  let row = 0
  return (at) => {
    while (row < ascending.length - 2 && ascending[row + 1]! <= at) row += 1
    return between(ascending, column, { row, at })
  }
}
