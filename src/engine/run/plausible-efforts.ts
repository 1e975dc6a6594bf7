import type { BestEffort } from '../analysis.ts'
import { firstFrom, reader, rowsWith } from '../gather.ts'
import { distanceBetweenM } from '../route/geo.ts'
import type { Span, Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { bestEffort, type Effort, possibleStretches, STANDARD_DISTANCES, type Stretch } from './best-efforts.ts'
import { isJump } from './distance.ts'
import { movementM } from './movement.ts'
import { movingS, STANDING_MPS, stops, timerOnS } from './moving.ts'

/** Fastest seconds of a window that are left out where it beats the record. */
const SUSPECT_S = 5
/** A longer step while the timer runs is a gap; what happened in it is unknown. */
const GAP_S = 30
/** Speed across a gap may exceed that of so many seconds before and after it by these limits only. */
const BESIDE_GAP_S = 60
const GAP_FACTOR = 1.5
const GAP_SLACK_M = 50
/** A shorter effort from positions alone is compared with the same distance before and after it. */
const LEAP_S = 120
const LEAP_FACTOR = 1.6
/** Another window of the run that is at least this fast makes it a repetition of a session. */
const REPEATED_SHARE = 0.9

/** The fastest window of one standard distance. */
interface Fastest {
  readonly distanceIndex: number
  readonly fastest: Effort
  /** The fastest window that spans no impossible gap; null: there is none. */
  readonly gapless: Effort | null
}

/**
 * The best effort of every standard distance that the run is long enough for, in order of distance, with a reason when
 * it is implausible (docs/algorithms.md 18). A window across a gap that cannot have been run is replaced by the fastest
 * one without such a gap. A window faster than the world record is replaced by the next best without its fastest
 * seconds, when that one is plausible; when the pace is too fast without these seconds as well, the recording was not
 * on foot. No window spans a seam, or a jump of the positions, which adds no distance.
 * @param distanceM cumulative metres, never falling, as long as the times
 * @throws RangeError when the columns differ in length
 */
export function bestEfforts(track: Track, distanceM: Float64Array): BestEffort[] {
  const { tS, distanceSource, seams = [] } = track
  const isByPositions = distanceSource === 'gps'
  const mayJump = isByPositions && distanceM.some((metres, row) => row > 0 && metres === distanceM[row - 1])
  const jumps = mayJump ? jumpRows(track) : []
  const parts = seams.map((atS) => tS.indexOf(atS)).filter((row) => row > 0)
  const stretches = [...parts, ...jumps].reduce(splitAt, possibleStretches(tS, distanceM))
  const gaps = impossibleGaps(track, distanceM)
  const gapless = gaps.reduce(splitAt, stretches)
  const windows = STANDARD_DISTANCES.flatMap(({ distanceM: targetM }, distanceIndex): Fastest[] => {
    const fastest = bestEffort(tS, distanceM, targetM, stretches)
    if (fastest === null) return []
    const spansGap = gaps.some((row) => fastest.startS < tS[row]! && fastest.startS + fastest.timeS > tS[row - 1]!)
    return [{ distanceIndex, fastest, gapless: spansGap ? bestEffort(tS, distanceM, targetM, gapless) : fastest }]
  })
  const isOnFoot = !windows.some(isTooFastThroughout)
  return windows.map((window) => (isOnFoot ? judged(window) : stored(window, window.fastest, 'notOnFoot')))

  function judged(window: Fastest): BestEffort {
    const { distanceIndex, fastest, gapless: effort } = window
    if (effort === null) return stored(window, fastest, 'gap')
    const { distanceM: targetM, fastestS } = STANDARD_DISTANCES[distanceIndex]!
    if (effort.timeS >= fastestS) return stored(window, effort, isLeap(effort, targetM) ? 'leap' : null)
    const { startS } = fastestSpan(tS, distanceM, effort)
    const others = gapless.flatMap((stretch) => without(tS, stretch, { startS, endS: startS + SUSPECT_S }))
    const second = bestEffort(tS, distanceM, targetM, others)
    if (second === null || second.timeS < fastestS) return stored(window, effort, 'fasterThanRecord')
    return stored(window, second, isLeap(second, targetM) ? 'leap' : null)
  }

  /** Whether, by positions alone, it is much faster than the same distance before, after, and anywhere else. */
  function isLeap({ startS, timeS }: Effort, targetM: number): boolean {
    if (!isByPositions || timeS >= LEAP_S) return false
    const fromM = distanceAt(tS, distanceM, startS)
    const toM = fromM + targetM
    if (fromM - targetM < distanceM[0]! || toM + targetM > distanceM.at(-1)!) return false
    const besideMps = Math.max(runningMps(fromM - targetM, fromM), runningMps(toM, toM + targetM))
    if (targetM / timeS <= LEAP_FACTOR * besideMps) return false
    const others = stretches.flatMap((stretch) => without(tS, stretch, { startS, endS: startS + timeS }))
    const other = bestEffort(tS, distanceM, targetM, others)
    return other === null || other.timeS > timeS / REPEATED_SHARE
  }

  /** Mean speed between two distances, without the steps that are as slow as a stop. */
  function runningMps(fromM: number, toM: number): number {
    let seconds = 0
    let metres = 0
    for (let row = Math.max(1, firstFrom(distanceM, fromM)); row < tS.length && distanceM[row - 1]! < toM; row += 1) {
      const stepM = distanceM[row]! - distanceM[row - 1]!
      const stepS = tS[row]! - tS[row - 1]!
      if (stepM < STANDING_MPS * stepS) continue
      const withinM = Math.min(toM, distanceM[row]!) - Math.max(fromM, distanceM[row - 1]!)
      metres += withinM
      seconds += (stepS * withinM) / stepM
    }
    return seconds > 0 ? metres / seconds : 0
  }

  /** Whether the pace beats the record even without the fastest seconds. */
  function isTooFastThroughout({ distanceIndex, gapless: effort }: Fastest): boolean {
    const { distanceM: targetM, fastestS } = STANDARD_DISTANCES[distanceIndex]!
    if (effort === null || effort.timeS >= fastestS || effort.timeS <= SUSPECT_S) return false
    const restM = targetM - fastestSpan(tS, distanceM, effort).metres
    return restM > 0 && (effort.timeS - SUSPECT_S) / restM < fastestS / targetM
  }
}

function stored(
  { distanceIndex }: Fastest,
  { timeS, startS }: Effort,
  implausibleReason: BestEffort['implausibleReason'],
): BestEffort {
  return { distanceIndex, timeMs: roundHalfUp(timeS * 1000), startMs: roundHalfUp(startS * 1000), implausibleReason }
}

/** Rows whose position is a jump away from the one before. */
function jumpRows({ tS, latDeg, lonDeg }: Track): Uint32Array {
  const rows = rowsWith(latDeg, lonDeg)
  return rows.filter((row, place) => {
    const before = rows[place - 1]
    if (before === undefined) return false
    const metres = distanceBetweenM(latDeg[before]!, lonDeg[before]!, latDeg[row]!, lonDeg[row]!)
    return isJump(metres, tS[row]! - tS[before]!)
  })
}

/** Rows that end a gap and lie further from the row before than a runner gets in that time. */
function impossibleGaps(track: Track, distanceM: Float64Array): number[] {
  const { tS } = track
  const long: number[] = []
  for (let row = 1; row < tS.length; row += 1) if (tS[row]! - tS[row - 1]! > GAP_S) long.push(row)
  if (long.length === 0) return []
  const onS = timerOnS(tS, track.off)
  const movingMps = movingSpeed(track, distanceM)
  return long.filter((row) => {
    const gapS = onS[row - 1]!
    const beforeS = Math.min(BESIDE_GAP_S, tS[row - 1]! - tS[0]!)
    const afterS = Math.min(BESIDE_GAP_S, tS.at(-1)! - tS[row]!)
    const before = distanceM[row - 1]! - distanceAt(tS, distanceM, tS[row - 1]! - beforeS)
    const after = distanceAt(tS, distanceM, tS[row]! + afterS) - distanceM[row]!
    const mps = Math.max(movingMps, beforeS > 0 ? before / beforeS : 0, afterS > 0 ? after / afterS : 0)
    return gapS > GAP_S && distanceM[row]! - distanceM[row - 1]! > GAP_FACTOR * mps * gapS + GAP_SLACK_M
  })
}

/** Mean speed of the run, metres per moving second. */
function movingSpeed(track: Track, distanceM: Float64Array): number {
  const { tS, off } = track
  const seconds = movingS(tS, off, stops(tS, movementM(track, distanceM), { off, elevM: null }))
  return seconds > 0 ? distanceM.at(-1)! / seconds : 0
}

/** Cumulative metres at a time within the run. */
function distanceAt(tS: Float64Array, distanceM: Float64Array, atS: number): number {
  const low = Math.min(firstFrom(tS, atS), tS.length - 1)
  if (low === 0 || tS[low]! <= atS) return distanceM[low]!
  const part = (atS - tS[low - 1]!) / (tS[low]! - tS[low - 1]!)
  return distanceM[low - 1]! + part * (distanceM[low]! - distanceM[low - 1]!)
}

/** The stretches, cut at the step that ends at a row. */
function splitAt(stretches: readonly Stretch[], row: number): Stretch[] {
  return stretches.flatMap(({ first, last }) => {
    if (row <= first || row > last) return [{ first, last }]
    return [
      { first, last: row - 1 },
      { first: row, last },
    ]
  })
}

/** The `SUSPECT_S` seconds within an effort that cover most ground, beginning at a knot, and their metres. */
function fastestSpan(
  tS: Float64Array,
  d: Float64Array,
  effort: Effort,
): { readonly startS: number; readonly metres: number } {
  const endS = effort.startS + effort.timeS
  let startS = effort.startS
  let metres = -1
  const metresAt = reader(tS, d)
  for (let i = 0; i < tS.length && tS[i]! < endS; i += 1) {
    if (i + 1 < tS.length && tS[i + 1]! <= effort.startS) continue
    const spanM = metresAt(tS[i]! + SUSPECT_S) - d[i]!
    if (spanM > metres) {
      metres = spanM
      startS = tS[i]!
    }
  }
  return { startS, metres }
}

/** The parts of a stretch before and after a span. */
function without(tS: Float64Array, { first, last }: Stretch, { startS, endS }: Span): Stretch[] {
  let before = first
  while (before < last && tS[before + 1]! <= startS) before += 1
  let after = before
  while (after < last && tS[after]! < endS) after += 1
  if (tS[last]! <= startS || tS[first]! >= endS) return [{ first, last }]
  return [
    { first, last: before },
    { first: after, last },
  ]
}
