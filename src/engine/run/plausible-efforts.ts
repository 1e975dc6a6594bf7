import type { BestEffort } from '../analysis.ts'
import { firstFrom } from '../gather.ts'
import type { Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import { bestEffort, type Effort, possibleStretches, STANDARD_DISTANCES, type Stretch } from './best-efforts.ts'
import { movementM } from './movement.ts'
import { movingS, stops, timerOnS } from './moving.ts'

/**
 * The fastest seconds of a window that beats the record are excluded, this many, before its distance is tried again.
 */
const SUSPECT_S = 5
/** A longer step while the timer runs is a gap; what happened in it is unknown. */
const GAP_S = 30
/**
 * Seconds before and after a gap whose speed is compared with that across the gap, which may exceed it only by these
 * limits.
 */
const BESIDE_GAP_S = 60
const GAP_FACTOR = 1.5
const GAP_SLACK_M = 50

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
 * on foot.
 * @param tS elapsed seconds, strictly increasing
 * @param distanceM cumulative metres, never falling, same length
 * @param wholeTrack returns the track of these columns; called only when there is a gap
 * @param seams of the track: no window spans one
 * @throws RangeError when the columns differ in length
 */
export function bestEfforts(
  tS: Float64Array,
  distanceM: Float64Array,
  wholeTrack: () => Track,
  seams: readonly number[] = [],
): BestEffort[] {
  const parts = seams.map((atS) => tS.indexOf(atS)).filter((row) => row > 0)
  const stretches = parts.reduce(splitAt, possibleStretches(tS, distanceM))
  const gaps = impossibleGaps(tS, distanceM, wholeTrack)
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
    if (effort.timeS >= fastestS) return stored(window, effort, null)
    const { startS } = fastestSpan(tS, distanceM, effort)
    const others = gapless.flatMap((stretch) => without(tS, stretch, startS))
    const second = bestEffort(tS, distanceM, targetM, others)
    if (second !== null && second.timeS >= fastestS) return stored(window, second, null)
    return stored(window, effort, 'fasterThanRecord')
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

/** Rows that end a gap and lie further from the row before than a runner gets in that time. */
function impossibleGaps(tS: Float64Array, distanceM: Float64Array, wholeTrack: () => Track): number[] {
  const long: number[] = []
  for (let row = 1; row < tS.length; row += 1) if (tS[row]! - tS[row - 1]! > GAP_S) long.push(row)
  if (long.length === 0) return []
  const track = wholeTrack()
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
  let j = 0
  for (let i = 0; i < tS.length && tS[i]! < endS; i += 1) {
    if (i + 1 < tS.length && tS[i + 1]! <= effort.startS) continue
    const untilS = tS[i]! + SUSPECT_S
    while (j + 1 < tS.length && tS[j + 1]! <= untilS) j += 1
    const share = j + 1 < tS.length ? (untilS - tS[j]!) / (tS[j + 1]! - tS[j]!) : 0
    const reachedM = d[j]! + (j + 1 < tS.length ? share * (d[j + 1]! - d[j]!) : 0)
    if (reachedM - d[i]! > metres) {
      metres = reachedM - d[i]!
      startS = tS[i]!
    }
  }
  return { startS, metres }
}

/** The parts of a stretch before and after the suspect seconds. */
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
