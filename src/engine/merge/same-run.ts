import { firstFrom, rowsWith } from '../gather.ts'
import { distanceBetweenM, wrappedDeg } from '../route/geo.ts'
import type { Track } from '../track.ts'

// Whether two stored runs are two recordings of one run. Two runners side by side cannot be told from a watch and a
// phone: nothing here claims it. Tried on all pairs of the corpus, 200 made pairs of watch and phone, and 200 near misses.

/** A run as compared. */
export interface ComparedRun {
  /** Unix milliseconds. */
  readonly startMs: number
  readonly durationS: number
  readonly distanceM: number
  /** null: it has no samples. */
  readonly track: Track | null
}

export interface SameRun {
  readonly certainty: 'certain' | 'possible'
  /** Shared time, of the longer run. */
  readonly overlap: number
  readonly distanceDifferenceM: number
  /** Whole seconds to be added to the clock of the second run. */
  readonly shiftS: number
  readonly reason: string
}

/** Shared time: of the longer run for certain ones, of the shorter for possible ones. */
const [CERTAIN_OVERLAP, POSSIBLE_OVERLAP] = [0.9, 0.5]
/** Distances may differ by the larger of the two. */
const [DISTANCE_M, DISTANCE_SHARE] = [200, 0.06]
const LEAST_POSITIONS = 60
const MOST_SHIFT_S = 90
const CERTAIN_APART = { medianM: 40, p95M: 250 }
const POSSIBLE_MEDIAN_M = 250
/** Without positions on one side, starts may differ by this. */
const START_S = 120
/** Of runs without samples. */
const [TOTALS_START_S, TOTALS_SHARE] = [900, 0.1]
/** A clock that is wrong by time zones. */
const WRONG_CLOCK = {
  stepS: 900,
  mostS: 50_400,
  restS: 10,
  durationShare: 0.03,
  medianM: 15,
  p95M: 50,
  heartRateBpm: 5,
}
/** Positions between two rows are interpolated up to this gap. */
export const HELD_S = 10
/** Positions that are compared at each shift, and finally. */
const [FEW, MANY] = [150, 2000]

/**
 * @param isAlone whether no further run is near, without which totals alone claim nothing
 * @returns null: nothing speaks for it
 */
export function sameRun(a: ComparedRun, b: ComparedRun, isAlone = true): SameRun | null {
  if (a.track?.hasEstimatedTimes === true || b.track?.hasEstimatedTimes === true) return null
  const startsS = (b.startMs - a.startMs) / 1000
  const sharedS = Math.min(a.durationS, startsS + b.durationS) - Math.max(0, startsS)
  const longerS = Math.max(a.durationS, b.durationS)
  const distanceDifferenceM = Math.abs(a.distanceM - b.distanceM)
  const farther = Math.max(a.distanceM, b.distanceM)
  const areKnown = a.distanceM > 0 && b.distanceM > 0
  const found = (certainty: SameRun['certainty'], reason: string, shiftS = 0): SameRun => {
    return { certainty, overlap: Math.max(0, sharedS / longerS), distanceDifferenceM, shiftS, reason }
  }
  if (a.track === null || b.track === null) {
    const isClose = Math.abs(startsS) <= TOTALS_START_S && areKnown && distanceDifferenceM <= TOTALS_SHARE * farther
    return isAlone && isClose ? found('certain', 'Same start and distance; one of them has no recorded points') : null
  }
  const ways = [placed(a.track), placed(b.track)] as const
  const haveWays = ways.every(({ rows }) => rows.length >= LEAST_POSITIONS)
  const isLongShared = sharedS >= CERTAIN_OVERLAP * longerS
  const isNear = !areKnown || distanceDifferenceM <= Math.max(DISTANCE_M, DISTANCE_SHARE * farther)
  if (sharedS >= POSSIBLE_OVERLAP * Math.min(a.durationS, b.durationS)) {
    if (!haveWays) {
      const isSame = isLongShared && isNear && Math.abs(startsS) <= START_S
      return isSame
        ? found('certain', 'Same time and distance; one of them has no route')
        : found('possible', 'They overlap in time; one of them has no route')
    }
    const apart = bestShift(ways, 0, MOST_SHIFT_S)
    if (apart !== null && apart.medianM <= POSSIBLE_MEDIAN_M) {
      const isSame = apart.medianM <= CERTAIN_APART.medianM && apart.p95M <= CERTAIN_APART.p95M
      return isLongShared && isNear && isSame
        ? found('certain', 'Same time, distance and route', apart.shiftS)
        : found('possible', 'They overlap in time, on about the same route', apart.shiftS)
    }
  }
  const stepS = wrongClock(startsS, a.durationS, b.durationS)
  if (stepS === null || !haveWays) return null
  const apart = bestShift(ways, -stepS, WRONG_CLOCK.restS)
  if (apart === null || apart.medianM > WRONG_CLOCK.medianM || apart.p95M > WRONG_CLOCK.p95M) return null
  const beats = heartRateApart([a.track, b.track], apart.shiftS)
  if (beats !== null && beats > WRONG_CLOCK.heartRateBpm) return null
  return found('possible', `Same route, with clocks ${clockText(Math.abs(stepS))} apart`, apart.shiftS)
}

/** Farthest that the starts of two recordings of one run are apart, seconds. */
export const LONGEST_CLOCK_S = WRONG_CLOCK.mostS + WRONG_CLOCK.restS

type Extent = Pick<ComparedRun, 'startMs' | 'durationS'>

/** Whether it is worth looking at the samples of two runs. */
export function mayBeSameRun(a: Extent, b: Extent): boolean {
  const startsS = (b.startMs - a.startMs) / 1000
  const areNear = startsS < a.durationS && -startsS < b.durationS
  return areNear || Math.abs(startsS) <= TOTALS_START_S || wrongClock(startsS, a.durationS, b.durationS) !== null
}

/** The whole multiple of 15 min by which the second clock is ahead; null: the runs do not look like it. */
function wrongClock(startsS: number, aS: number, bS: number): number | null {
  const { stepS, mostS, restS, durationShare } = WRONG_CLOCK
  const stepsS = Math.round(startsS / stepS) * stepS
  const isMultiple = stepsS !== 0 && Math.abs(stepsS) <= mostS && Math.abs(startsS - stepsS) <= restS
  return isMultiple && Math.abs(aS - bS) <= durationShare * Math.max(aS, bS) ? stepsS : null
}

function clockText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const rest = minutes % 60
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** A track with the rows that have a position. */
interface Placed {
  readonly track: Track
  readonly rows: Uint32Array
  /** Unix seconds of the rows. */
  readonly atS: Float64Array
}

function placed(track: Track): Placed {
  const rows = rowsWith(track.latDeg, track.lonDeg)
  return { track, rows, atS: Float64Array.from(rows, (row) => track.startMs / 1000 + track.tS[row]!) }
}

interface Apart {
  readonly shiftS: number
  readonly medianM: number
  readonly p95M: number
}

/** The whole-second shift of the second at which both are closest at equal times; null: they share too few positions. */
function bestShift([a, b]: readonly [Placed, Placed], aroundS: number, withinS: number): Apart | null {
  const everyFew = Math.max(1, Math.floor(a.rows.length / FEW))
  let best: Apart | null = null
  for (let by = 0; by <= withinS; by += 1) {
    for (const shiftS of by === 0 ? [aroundS] : [aroundS - by, aroundS + by]) {
      const apart = apartAt(a, b, { shiftS, every: everyFew })
      if (apart !== null && (best === null || apart.medianM < best.medianM)) best = apart
    }
  }
  if (best === null) return null
  return apartAt(a, b, { shiftS: best.shiftS, every: Math.max(1, Math.floor(a.rows.length / MANY)) })
}

/** Metres between both at equal times. @param every every so many positions of the first */
function apartAt(a: Placed, b: Placed, { shiftS, every }: { readonly shiftS: number; readonly every: number }) {
  const metres: number[] = []
  let at = 0
  for (let k = 0; k < a.rows.length; k += every) {
    const s = a.atS[k]! - shiftS
    while (at < b.atS.length && b.atS[at]! < s) at += 1
    const [before, after] = [at === 0 ? 0 : at - 1, at]
    if (after >= b.atS.length || b.atS[before]! > s || b.atS[after]! - b.atS[before]! > HELD_S) continue
    const span = b.atS[after]! - b.atS[before]!
    const part = span === 0 ? 0 : (s - b.atS[before]!) / span
    const { latDeg, lonDeg } = b.track
    const [from, to] = [b.rows[before]!, b.rows[after]!]
    const lat = latDeg[from]! + part * (latDeg[to]! - latDeg[from]!)
    const lon = lonDeg[from]! + part * wrappedDeg(lonDeg[to]! - lonDeg[from]!)
    const row = a.rows[k]!
    metres.push(distanceBetweenM(a.track.latDeg[row]!, a.track.lonDeg[row]!, lat, lon))
  }
  if (metres.length * every < LEAST_POSITIONS) return null
  metres.sort((x, y) => x - y)
  return { shiftS, medianM: quantileOf(metres, 0.5), p95M: quantileOf(metres, 0.95) }
}

/** Beats per minute between both at equal times, median; null: one of them has too few. */
function heartRateApart([a, b]: readonly [Track, Track], shiftS: number): number | null {
  const apart: number[] = []
  const offsetS = (a.startMs - b.startMs) / 1000 - shiftS
  for (let row = 0; row < a.n; row += 1) {
    const s = a.tS[row]! + offsetS
    const other = firstFrom(b.tS, s)
    const beats = Math.abs(a.heartRateBpm[row]! - (b.heartRateBpm[other] ?? Number.NaN))
    if (!Number.isNaN(beats) && b.tS[other]! - s <= HELD_S) apart.push(beats)
  }
  return apart.length < LEAST_POSITIONS
    ? null
    : quantileOf(
        apart.sort((x, y) => x - y),
        0.5,
      )
}

function quantileOf(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]!
}
