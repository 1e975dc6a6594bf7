import { firstFrom } from '../gather.ts'
import { DAY_MS } from '../units.ts'
import type { Correction } from './correction.ts'
import { seconds, timeCorrection } from './words.ts'

/** A record this much earlier than the one before it is sorted in; after a longer step back the clock was set back. */
const SORTED_STEP_MS = 60_000
/** Times this close agree: starts and ends are written some seconds before or after the records. */
const NEAR_S = 60
/** An elapsed time may be rounded to less than the timer's. */
const ROUNDED_S = 2
/** No runner rests longer without stopping the watch. */
const LONGEST_REST_S = 3600
/** Receivers count weeks with ten bits. */
const ROLLOVER_MS = 1024 * 7 * DAY_MS
/** A clock that is set by a receiver or a phone is set in the first minutes of a run, between two records. */
const FIRST_MS = 600_000
const FIRST_GAP_MS = 10_000
/** A time that is further off is damaged. */
const LONGEST_STEP_MS = 366 * DAY_MS
/** What remains of a step is the interval of the records before it, at least and at most. */
const KEPT_GAP_S = [1, 10] as const

/** A step of the clock between two records. */
interface Step {
  /** Time of the record after it on the clock of before, milliseconds. */
  readonly atMs: number
  /** By which the clock was set forward; negative: back. */
  readonly byMs: number
}

/** Times of records on one clock. */
export interface SteadyClock {
  /** Unix milliseconds of each record, in the order given. */
  readonly timeMs: Float64Array
  /** What was added to times before the first step: the clock after a step may be the one that counts. */
  readonly movedMs: number
  readonly corrections: readonly Correction[]
}

/**
 * Takes steps back of more than a minute out of a device's clock (docs/algorithms.md 0, kind C): the records go on an interval
 * later.
 * @param timeMs Unix milliseconds in the order of the file; NaN (no time) stays NaN
 * @param evidence.isPlaced whether a record has a position
 * @param evidence.startMs when another statement says that the run began; NaN: none does
 */
export function withoutBackSteps(
  timeMs: Float64Array,
  evidence: { isPlaced(row: number): boolean; readonly startMs: number },
): SteadyClock {
  const mended = new Float64Array(timeMs.length)
  const steps: (Step & { row: number })[] = []
  let shiftMs = 0
  let [previousMs, intervalS] = [Number.NEGATIVE_INFINITY, 0]
  for (let row = 0; row < timeMs.length; row += 1) {
    let atMs = timeMs[row]! + shiftMs
    if (previousMs - atMs > SORTED_STEP_MS) {
      const byMs = atMs - (previousMs + keptGapS(intervalS) * 1000)
      shiftMs -= byMs
      atMs -= byMs
      steps.push({ row, atMs, byMs })
    }
    mended[row] = atMs
    if (!Number.isFinite(atMs)) continue
    intervalS = (atMs - previousMs) / 1000
    previousMs = atMs
  }
  return byTheRightClock(mended, steps, evidence)
}

/**
 * Takes a step of whole days in the first minutes out of the clock of a source without timer, and moves times that a receiver
 * stated 1024 weeks ago, as another statement says (docs/algorithms.md 0, kind C). Other gaps are breaks, and other times out of
 * order are left for sorting.
 */
export function withoutDaySteps(
  timeMs: Float64Array,
  evidence: { isPlaced(row: number): boolean; readonly startMs: number },
): SteadyClock {
  const firstMs = timeMs.find(Number.isFinite) ?? Number.NaN
  const rolledMs = Math.round((evidence.startMs - firstMs) / ROLLOVER_MS) * ROLLOVER_MS
  if (rolledMs > 0 && Math.abs(evidence.startMs - firstMs - rolledMs) <= DAY_MS) {
    const reason = 'The clock is 1,024 weeks behind; the run began'
    const correction = timeCorrection('clock', reason, { stated: firstMs, used: firstMs + rolledMs })
    return { timeMs: timeMs.map((ms) => ms + rolledMs), movedMs: rolledMs, corrections: [correction] }
  }
  let mended = timeMs
  const steps: (Step & { row: number })[] = []
  let [shiftMs, previousMs, intervalMs] = [0, firstMs, 0]
  for (let row = 0; row < timeMs.length; row += 1) {
    if (Number.isNaN(timeMs[row]!)) continue
    const gapMs = timeMs[row]! + shiftMs - previousMs
    const daysMs = Math.round(gapMs / DAY_MS) * DAY_MS
    const restMs = gapMs - daysMs
    const isDays = daysMs !== 0 && Math.abs(daysMs) <= LONGEST_STEP_MS
    if (isDays && previousMs - firstMs <= FIRST_MS && Math.abs(restMs) <= Math.max(FIRST_GAP_MS, 2 * intervalMs)) {
      const byMs = restMs > 0 ? daysMs : gapMs - keptGapS(intervalMs / 1000) * 1000
      shiftMs -= byMs
      steps.push({ row, atMs: timeMs[row]! + shiftMs, byMs })
      if (mended === timeMs) mended = timeMs.slice()
    } else if (gapMs > 0) {
      intervalMs = gapMs
    }
    previousMs = timeMs[row]! + shiftMs
    if (shiftMs !== 0) mended[row] = previousMs
  }
  return byTheRightClock(mended, steps, evidence)
}

function keptGapS(intervalS: number): number {
  return Math.min(Math.max(intervalS, KEPT_GAP_S[0]), KEPT_GAP_S[1])
}

/**
 * Moves all records to the clock that counts: the first one, or the one after a step when no record before it has a
 * position (a first fix sets the clock), or when another statement of the start says so.
 */
export function byTheRightClock(
  timeMs: Float64Array,
  steps: readonly (Step & { readonly row: number })[],
  { isPlaced, startMs }: { isPlaced(row: number): boolean; readonly startMs: number },
): SteadyClock {
  if (steps.length === 0) return { timeMs, movedMs: 0, corrections: [] }
  const firstMs = timeMs.find(Number.isFinite) ?? Number.NaN
  let placed = 0
  while (placed < timeMs.length && !isPlaced(placed)) placed += 1
  let [movedMs, sumMs] = [0, 0]
  for (const { row, byMs } of steps) {
    sumMs += byMs
    const offMs = Math.abs(startMs - firstMs - sumMs)
    const isStated = offMs < Math.abs(startMs - firstMs - movedMs) && offMs < Math.abs(byMs) / 2
    if (row <= placed || isStated) movedMs = sumMs
  }
  return {
    timeMs: movedMs === 0 ? timeMs : timeMs.map((ms) => ms + movedMs),
    movedMs,
    corrections: steps.map(({ atMs, byMs }) => stepCorrection({ atMs, byMs }, { firstMs, movedMs })),
  }
}

function stepCorrection({ atMs, byMs }: Step, { firstMs, movedMs }: { firstMs: number; movedMs: number }): Correction {
  const size = seconds(Math.abs(byMs) / 1000)
  if (movedMs !== 0) {
    const reason = `The clock was ${size} ${byMs < 0 ? 'ahead' : 'behind'} at first; the run began`
    return timeCorrection('clock', reason, { stated: firstMs, used: firstMs + movedMs })
  }
  const reason = `The clock jumped ${byMs < 0 ? 'back' : 'ahead'} by ${size} during the run, which continues`
  return timeCorrection('clock', reason, { stated: atMs + byMs, used: atMs })
}

/** What a device states of the clock of one run, seconds; NaN or 0: nothing. */
export interface StatedTimes {
  /** Unix seconds. */
  readonly startS: number
  /** Unix seconds. */
  readonly endS: number
  readonly elapsedS: number
  readonly timerS: number
}

/**
 * The gaps between records at which the clock stepped forward (docs/algorithms.md 0, kind C): no pause is recorded there, and the
 * elapsed time does not contain the gap, or it is longer than an hour and the timer did not stop for it.
 * @param timeS Unix seconds, ascending
 * @param isPaused whether the timer was off in most of this time, Unix seconds
 */
export function forwardSteps(
  timeS: Float64Array,
  { startS, elapsedS, timerS }: Pick<StatedTimes, 'startS' | 'elapsedS' | 'timerS'>,
  isPaused: (fromS: number, toS: number) => boolean,
): (Step & { readonly row: number })[] {
  const gaps: { row: number; gapS: number }[] = []
  for (let row = 1; row < timeS.length; row += 1) {
    const gapS = timeS[row]! - timeS[row - 1]!
    if (gapS > NEAR_S && !isPaused(timeS[row - 1]!, timeS[row]!)) gaps.push({ row, gapS })
  }
  if (gaps.length === 0) return []
  // one that is below the timer was swapped with it
  const lengthS = Math.max(elapsedS, timerS)
  const wholeS = timeS.at(-1)! - timeS[0]! - lengthS
  const lateS = startS - timeS[0]!
  // a start that the first record would have without the surplus is of the clock after it
  const fromFirst = !(Math.abs(lateS) <= LONGEST_REST_S) || (lateS > NEAR_S && isNear(lateS, wholeS))
  const surplusS = lengthS > 0 ? wholeS - (fromFirst ? 0 : lateS) : 0
  const largest = gaps.reduce((most, gap) => (gap.gapS > most.gapS ? gap : most))
  const restedS = elapsedS > 0 && timerS > 0 ? Math.abs(elapsedS - timerS) : 0
  const steps: (Step & { row: number })[] = []
  let removedS = 0
  for (const { row, gapS } of gaps) {
    const isSurplus = row === largest.row && surplusS > NEAR_S && gapS >= surplusS
    if (!isSurplus && !(gapS > LONGEST_REST_S && gapS > restedS + NEAR_S)) continue
    const keptS = keptGapS(timeS[row - 1]! - (timeS[row - 2] ?? Number.NEGATIVE_INFINITY))
    const byS = isSurplus ? Math.min(surplusS, gapS - KEPT_GAP_S[0]) : gapS - keptS
    steps.push({ row, atMs: (timeS[row]! - removedS - byS) * 1000, byMs: byS * 1000 })
    removedS += byS
  }
  return steps
}

export interface JudgedStart {
  /** Unix seconds. */
  readonly startS: number
  /** Seconds by which all stated times are off, as where they are local; 0: they are not. */
  readonly offS: number
  readonly corrections: readonly Correction[]
}

/**
 * When a run began (docs/algorithms.md 0, kind B): as stated, unless its end less its elapsed time, or the records themselves, say
 * otherwise.
 * @param timeS of the records that can be its own, Unix seconds, ascending, at least one
 */
export function judgedStart(timeS: Float64Array, { startS, endS, elapsedS }: StatedTimes): JudgedStart {
  const [firstS, lastS] = [timeS[0]!, timeS.at(-1)!]
  if (Number.isNaN(startS)) return { startS: firstS, offS: 0, corrections: [] }
  if (isNear(startS, firstS)) return { startS, offS: 0, corrections: [] }
  const used = (usedS: number, offS: number): JudgedStart => {
    const times = { stated: startS * 1000, used: usedS * 1000 }
    return { startS: usedS, offS, corrections: [timeCorrection('start', 'By its records the run began', times)] }
  }
  const byEndS = endS - elapsedS
  if (isNear(byEndS, firstS)) return used(Math.min(byEndS, firstS), 0)
  const isWhole = isNear(lastS - firstS, elapsedS)
  const isOutside = lastS < startS || (elapsedS > 0 && firstS > startS + elapsedS + NEAR_S)
  if (isOutside || (isWhole && !isNear(lastS, startS + elapsedS))) return used(firstS, firstS - startS)
  return { startS, offS: 0, corrections: [] }
}

/**
 * The same of several sessions, in the order in which they were recorded: records between the end of the one before and the
 * start of the next belong to a session.
 */
export function judgedStarts(timeS: Float64Array, sessions: readonly StatedTimes[]): JudgedStart[] {
  let endS = Number.NEGATIVE_INFINITY
  return sessions.map((stated, place) => {
    const from = firstFrom(timeS, endS)
    const next = sessions.slice(place + 1).find(({ startS }) => startS > timeS[from]!)
    const own = timeS.subarray(from, firstFrom(timeS, next?.startS ?? Number.POSITIVE_INFINITY))
    const isWhole = own.length > 0 && isNear(own.at(-1)! - own[0]!, stated.elapsedS)
    const judged = isWhole ? judgedStart(own, stated) : { startS: stated.startS, offS: 0, corrections: [] }
    endS = judged.startS + stated.elapsedS
    return judged
  })
}

/** The length of a run by what is beside the stated one, seconds; NaN: unknown. */
export interface ElapsedEvidence {
  /** From the start to the stated end. */
  readonly byEndS: number
  /** From the start to the last record. */
  readonly recordedS: number
  /** From the start to the last stop of the timer. */
  readonly stoppedS: number
  /** Of the whole activity, when it has one run. */
  readonly activityTimerS: number
  /** Time for which the timer was stopped by its events. */
  readonly pausedS: number
}

export interface JudgedTimes {
  readonly elapsedS: number | null
  readonly timerS: number | null
  readonly corrections: readonly Correction[]
}

/**
 * Elapsed and timer time (docs/algorithms.md 0, kind A): the stated one is believed when its end, the records, the events or the
 * activity agree with it; two of these that agree with each other instead win. One below the timer was swapped with it.
 */
export function judgedElapsed(
  stated: { readonly elapsedS: number | null; readonly timerS: number | null },
  { byEndS, recordedS, stoppedS, activityTimerS, pausedS }: ElapsedEvidence,
): JudgedTimes {
  if (stated.elapsedS === null) return { ...stated, corrections: [] }
  const isSwapped = stated.timerS !== null && stated.elapsedS < stated.timerS - ROUNDED_S
  const elapsedS = isSwapped ? stated.timerS! : stated.elapsedS
  const timerS = isSwapped ? stated.elapsedS : stated.timerS
  // the end is often the time of saving
  const witnesses = [stoppedS, recordedS, byEndS, activityTimerS + pausedS].filter(Number.isFinite)
  if (witnesses.some((witness) => isNear(witness, elapsedS))) {
    return { elapsedS, timerS, corrections: isSwapped ? [swapped(timerS!, elapsedS)] : [] }
  }
  const winner = witnesses.find((one, place) => witnesses.slice(place + 1).some((other) => isNear(one, other)))
  if (winner === undefined) return { ...stated, corrections: [] }
  const onS = winner - pausedS
  const right = [timerS, stated.timerS, activityTimerS].find((one) => one !== null && isNear(one, onS)) ?? null
  const reason = `The elapsed time of ${seconds(stated.elapsedS)} is wrong; the rest of the file shows ${seconds(winner)}`
  return {
    elapsedS: winner,
    timerS: right,
    corrections: [{ what: 'duration', stated: stated.elapsedS, used: winner, reason }],
  }
}

function swapped(stated: number, used: number): Correction {
  const reason = `Elapsed and timer time are swapped; the run took ${seconds(used)}, not ${seconds(stated)}`
  return { what: 'duration', stated, used, reason }
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= NEAR_S
}
