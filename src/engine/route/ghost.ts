import type { AnalyzeOptions } from '../analysis.ts'
import { reader } from '../gather.ts'
import { mergedSpans } from '../run/moving.ts'
import { type Readings, trackReadings } from '../run/readings.ts'
import { stoppedUntil } from '../run/splits.ts'
import type { Span, Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { alignment, columnAt, commonStepM, samplesOf, type Way, type WaySamples, wayOf } from './alignment.ts'
import { planeAt } from './stretch.ts'

/** Least share of the run that must be on ground of the other run for a comparison. */
const LEAST_SHARE = 0.5
/** Shortest stop that is listed, seconds. */
const TOLD_STOP_S = 5
const MOST_STOPS = 50

interface GhostStop {
  readonly of: 'run' | 'ghost'
  /** Metres of the run at which it happened. */
  readonly distanceM: number
  readonly seconds: number
}

/** A run against another (the ghost) over shared ground; columns of equal length, positions about 20 m apart. */
export interface Ghost {
  /** Metres of the run at each position, as recorded. */
  readonly distanceM: number[]
  /** Elapsed seconds of the run at each position, and of the ghost on its own clock. */
  readonly elapsedS: number[]
  readonly ghostElapsedS: number[]
  /** Seconds behind the ghost since the first position; negative is ahead. The sum of the three columns that follow. */
  readonly gapS: number[]
  /** Part of the gap caused by standing longer. */
  readonly stopsS: number[]
  /** Part caused by slopes, by the grade-adjusted cost of the ground; null: neither run has elevation. */
  readonly climbS: number[] | null
  /** The remaining part, caused by pace. */
  readonly paceS: number[]
  readonly stops: readonly GhostStop[]
  /** Share of the run that is on the ground of the other one. */
  readonly sharedShare: number
}

/**
 * Compares runs on similar routes (docs/decisions.md) at the same positions, in the order of both. The gap is the
 * difference of the times since the first shared position. Standing is the time of stops and pauses. Of the time on the
 * move, 1 - 1 / f is caused by the slope, where f is the cost of the ground against the flat (docs/algorithms.md 8; the
 * mean of both runs, since the ground is one), and the rest by pace.
 * @returns null where less than half of the run is shared in this direction, or the times of one run are estimated
 */
export function ghostRace(run: Track, other: Track, elevation: AnalyzeOptions['elevation']): Ghost | null {
  if (run.hasEstimatedTimes === true || other.hasEstimatedTimes === true) return null
  const first = run.latDeg.findIndex((lat, i) => Number.isFinite(lat + run.lonDeg[i]!))
  if (first === -1) return null
  const plane = planeAt(run.latDeg[first]!, run.lonDeg[first]!)
  const [way, otherWay] = [wayOf(plane, run.tS, run), wayOf(plane, other.tS, other)]
  if (way === null || otherWay === null) return null
  const stepM = commonStepM(way, otherWay)
  const samples = samplesOf(way, stepM)
  const { alongM, otherAlongM } = pairs(samples, samplesOf(otherWay, stepM), stepM)
  if (alongM.length < 2 || alongM.length < LEAST_SHARE * samples.n) return null
  const mine = side(run, { way, alongM, elevation })
  const theirs = side(other, { way: otherWay, alongM: otherAlongM, elevation })
  return {
    ...columns(mine, theirs),
    stops: [...statedStops(mine, 'run', mine), ...statedStops(theirs, 'ghost', mine)]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, MOST_STOPS),
    sharedShare: roundHalfUp(alongM.length / samples.n, 3),
  }
}

/** Metres along both lines at the positions that they share; both columns never fall. */
function pairs(one: WaySamples, other: WaySamples, stepM: number) {
  const partner = alignment(one, other)
  const [alongM, otherAlongM]: [number[], number[]] = [[], []]
  for (const [i, j] of partner.entries()) {
    if (j === -1) continue
    // offset of the other run's sample from the perpendicular at this position
    const x = one.xM[i]! - other.xM[j]!
    const y = one.yM[i]! - other.yM[j]!
    const aheadM = Math.max(-stepM, Math.min(stepM, x * other.eastward[j]! + y * other.northward[j]!))
    alongM.push(one.alongM[i]!)
    otherAlongM.push(Math.max(otherAlongM.at(-1) ?? 0, other.alongM[j]! + aheadM))
  }
  return { alongM: Float64Array.from(alongM), otherAlongM: Float64Array.from(otherAlongM) }
}

/** One of the two runs at the shared positions. */
interface Side {
  readonly timeS: Float64Array
  readonly distanceM: Float64Array
  /** Seconds spent standing since the first position. */
  readonly stoodS: Float64Array
  /** Cost against the flat from each position to the next; null: no elevation. */
  readonly factor: Float64Array | null
  readonly standing: readonly Span[]
}

function side(
  track: Track,
  { way, alongM, elevation }: { way: Way; alongM: Float64Array; elevation: AnalyzeOptions['elevation'] },
): Side {
  const readings = trackReadings(track, elevation)
  const timeS = columnAt(way, way.tS, alongM)
  const standing = mergedSpans([...(readings.found ?? []), ...track.off])
  return {
    timeS,
    distanceM: readings.distanceM === null ? alongM : timeS.map(reader(track.tS, readings.distanceM)),
    stoodS: stoppedUntil(timeS, standing),
    factor: factors(track.tS, readings, timeS),
    standing,
  }
}

function factors(tS: Float64Array, { distanceM, equivalentM }: Readings, timeS: Float64Array): Float64Array | null {
  if (distanceM === null || equivalentM === null) return null
  const metres = timeS.map(reader(tS, distanceM))
  const flatM = timeS.map(reader(tS, equivalentM))
  return Float64Array.from({ length: timeS.length }, (_, k) => {
    const stepM = k === 0 ? 0 : metres[k]! - metres[k - 1]!
    const factor = stepM > 1 ? (flatM[k]! - flatM[k - 1]!) / stepM : 1
    return Number.isFinite(factor) && factor > 0 ? factor : 1
  })
}

function columns(mine: Side, theirs: Side): Omit<Ghost, 'stops' | 'sharedShare'> {
  const n = mine.timeS.length
  const hasClimb = mine.factor !== null || theirs.factor !== null
  const [gapS, stopsS, climbS, paceS]: [number[], number[], number[], number[]] = [[], [], [], []]
  let climb = 0
  for (let k = 0; k < n; k += 1) {
    const gap = roundHalfUp(mine.timeS[k]! - mine.timeS[0]! - (theirs.timeS[k]! - theirs.timeS[0]!), 1)
    const stood = roundHalfUp(mine.stoodS[k]! - theirs.stoodS[k]!, 1)
    if (k > 0) climb += slopeShare(mine, theirs, k) * (movedS(mine, k) - movedS(theirs, k))
    const climbed = hasClimb ? roundHalfUp(climb, 1) : 0
    gapS.push(gap)
    stopsS.push(stood)
    climbS.push(climbed)
    paceS.push(roundHalfUp(gap - stood - climbed, 1))
  }
  return {
    distanceM: Array.from(mine.distanceM, (metres) => roundHalfUp(metres, 2)),
    elapsedS: Array.from(mine.timeS, (seconds) => roundHalfUp(seconds, 1)),
    ghostElapsedS: Array.from(theirs.timeS, (seconds) => roundHalfUp(seconds, 1)),
    gapS,
    stopsS,
    climbS: hasClimb ? climbS : null,
    paceS,
  }
}

/** Seconds on the move from the last position to this one. */
function movedS({ timeS, stoodS }: Side, k: number): number {
  return timeS[k]! - timeS[k - 1]! - (stoodS[k]! - stoodS[k - 1]!)
}

function slopeShare(mine: Side, theirs: Side, k: number): number {
  const [a, b] = [mine.factor?.[k], theirs.factor?.[k]]
  const factor = a === undefined ? (b ?? 1) : b === undefined ? a : (a + b) / 2
  return 1 - 1 / factor
}

function statedStops({ timeS, standing }: Side, of: GhostStop['of'], { distanceM }: Side): GhostStop[] {
  return standing.flatMap(({ startS, endS }) => {
    const [fromS, toS] = [Math.max(startS, timeS[0]!), Math.min(endS, timeS.at(-1)!)]
    if (toS - fromS < TOLD_STOP_S) return []
    const metres = reader(timeS, distanceM)(fromS)
    return [{ of, distanceM: roundHalfUp(metres, 1), seconds: roundHalfUp(toS - fromS, 1) }]
  })
}
