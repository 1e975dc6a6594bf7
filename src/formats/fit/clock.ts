import { firstFrom, rowNumbers } from '../../engine/gather.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import {
  byTheRightClock,
  forwardSteps,
  type JudgedTimes,
  judgedElapsed,
  judgedStart,
  judgedStarts,
  type StatedTimes,
  withoutBackSteps,
} from '../../engine/judge/clock.ts'
import type { Correction } from '../../engine/judge/correction.ts'
import type { FitPart } from './decode.ts'
import { FIRST_ABSOLUTE_S, FIT_EPOCH_S } from './profile.ts'
import type { FitRecords } from './records.ts'
import type { FitMessage } from './values.ts'

/** A record later than this after the session's end, or after the record before it without an end, ends the reading. */
const LONGEST_GAP_S = LONGEST_RUN_S
/** Records that outlast the session by more than this were written after the stop. */
const SURPLUS_S = 60

/** The records of one FIT file that carry values, ordered by its fixed clock (docs/algorithms.md 0, kind C). */
export interface FitTimeline {
  /** Indexes in the records table. */
  readonly rows: Uint32Array
  /** Mended Unix seconds of each row, ascending. */
  readonly timeS: Float64Array
  /** Seconds to add to a time that the device wrote (an event's) after `row` records were written. */
  shiftS(deviceTimeS: number, row: number): number
  readonly corrections: readonly Correction[]
  /** Whether records have values, but all their times count from when the device was switched on. */
  readonly isRelative: boolean
}

/** Unix seconds of a FIT time; null when it is missing or counts from when the device was switched on. */
export function unixS(fitTime: unknown): number | null {
  return typeof fitTime === 'number' && fitTime >= FIRST_ABSOLUTE_S ? fitTime + FIT_EPOCH_S : null
}

/**
 * Keeps records with a date and at least one of position, distance, heart rate, cadence, power, altitude; where none has
 * a distance or a position, a speed is enough.
 * @param asStated the clock of the first records counts, whatever says otherwise
 */
export function fitTimeline(records: FitRecords, part: FitPart, asStated: boolean): FitTimeline {
  const size = part.endRow - part.firstRow
  const used = new Uint32Array(size)
  const rawMs = new Float64Array(size)
  let [n, relative, hasRelative] = [0, 0, false]
  const speedTells = !hasDistance(records, part)
  for (let row = part.firstRow; row < part.endRow; row += 1) {
    if (!saysSomething(records, row) && !(speedTells && !Number.isNaN(records.speedMps[row]!))) continue
    const timestampS = records.timestampS[row]!
    if (timestampS < FIRST_ABSOLUTE_S) {
      hasRelative = true
      // until its clock is set by the first fix a watch may count from when it was switched on
      if (asStated || relative < n || !Number.isNaN(records.latDeg[row]!)) continue
      relative += 1
    }
    if (Number.isNaN(timestampS)) continue
    used[n] = row
    rawMs[n] = (timestampS + FIT_EPOCH_S) * 1000
    n += 1
  }
  const from = 2 * relative < n ? 0 : relative
  const fileRows = used.subarray(from, n)
  const startMs = asStated ? Number.NaN : 1000 * (unixS(part.messages.session?.[0]?.startTime) ?? Number.NaN)
  const isPlaced = (row: number) => asStated || !Number.isNaN(records.latDeg[fileRows[row]!]!)
  const { timeMs: mendedMs, corrections } = withoutBackSteps(rawMs.subarray(from, n), { isPlaced, startMs })
  const order = sortedOrder(mendedMs)
  return {
    rows: order === null ? fileRows : fileRows.map((_, i) => fileRows[order[i]!]!),
    timeS: secondsInOrder(mendedMs, order),
    shiftS: (deviceTimeS, row) => shiftAt(fileRows, rawMs.subarray(from), mendedMs, { deviceTimeS, row }),
    corrections,
    isRelative: fileRows.length === 0 && hasRelative,
  }
}

/** Where a session is on the timeline of its file, its own clock, and its times as they are judged. */
export interface SessionClock {
  /** Unix seconds: zero of the session's clock. */
  readonly startS: number
  /** Indexes in the records table of the session's records. */
  readonly rows: Uint32Array
  /** Seconds since the start of each, ascending. */
  readonly tS: Float64Array
  /** null: not stated. */
  readonly elapsedS: number | null
  readonly timerS: number | null
  /** Timeline seconds by which the stated times of session and laps are off. */
  readonly offS: number
  /** Timeline seconds at which the next session of the file begins; infinite after the last. */
  readonly nextStartS: number
  readonly corrections: readonly Correction[]
  /** Converts a time of the timeline, Unix seconds, to the session's clock, without the time by which the clock jumped. */
  sessionS(timeS: number): number
}

export interface ClockEvidence {
  readonly message: FitMessage | null
  /** All sessions of the file, in the order of the file. */
  readonly siblings: readonly (FitMessage | null)[]
  /** Of the whole activity, when this is its only session; NaN: not stated. */
  readonly activityTimerS: number
  /** Times at which the timer was off, timeline seconds. */
  readonly offs: readonly (readonly [number, number])[]
  /** When the timer stopped for the last time, timeline seconds; NaN: unknown. */
  readonly stoppedS: number
  isPlaced(row: number): boolean
  readonly asStated: boolean
}

/**
 * The records of a session on a clock without jumps, and its times (docs/algorithms.md 0, kind A to C).
 */
export function sessionClock(timeline: FitTimeline, evidence: ClockEvidence): SessionClock {
  const { message, siblings, asStated } = evidence
  const all = siblings.map((one) => statedTimes(one, timeline))
  const starts = judgedStarts(asStated || all.length === 1 ? new Float64Array(0) : timeline.timeS, all)
  const place = siblings.indexOf(message)
  const own = starts[place]!
  const nextStartS = Math.min(...starts.filter(({ startS }) => startS > own.startS).map(({ startS }) => startS))
  // records before the start of the first may be its own
  const isFirst = !asStated && !starts.some(({ startS }) => startS < own.startS)
  const stated = { ...all[place]!, startS: own.startS, endS: all[place]!.endS + own.offS }
  const [from, end] = rowsOfSession(timeline, stated, { ...evidence, nextStartS, isFirst })
  const rows = timeline.rows.subarray(from, end)
  const writtenS = timeline.timeS.subarray(from, end)
  if (rows.length === 0) {
    const { startS, elapsedS, timerS } = stated
    const times = { elapsedS: elapsedS || null, timerS: timerS || null }
    const nothing = { rows, tS: writtenS, offS: 0, corrections: [], sessionS: (at: number) => at - startS }
    return { startS, nextStartS, ...times, ...nothing }
  }
  const steady = withoutForwardSteps(rows, writtenS, stated, evidence)
  const judged = asStated ? null : judgedStart(steady.timeS, steady.stated)
  const startS = judged?.startS ?? steady.stated.startS
  const times = judgedTimes(steady, startS, evidence)
  const first = firstFrom(steady.timeS, startS)
  const kept = keptRows(steady.timeS, startS, times.elapsedS)
  const tS = steady.timeS.subarray(first, kept).map((at) => at - startS)
  const onTimeline = writtenS.subarray(first, kept)
  const corrections = [own, steady, judged, times].flatMap((one) => one?.corrections ?? [])
  return {
    startS,
    rows: rows.subarray(first, kept),
    tS,
    ...times,
    offS: own.offS + (judged?.offS ?? 0),
    nextStartS,
    corrections,
    sessionS: (at) => (tS.length === 0 ? at - startS : withoutJump(onTimeline, tS, at)),
  }
}

function statedTimes(message: FitMessage | null, { timeS, shiftS }: FitTimeline): StatedTimes {
  const known = (value: unknown) => (typeof value === 'number' ? value : 0)
  const [startS, endS] = [unixS(message?.startTime), unixS(message?.timestamp)]
  const [firstS = Number.NaN] = timeS
  // a start was written by the clock of before a step, or is already mended
  const movedS = startS === null ? firstS : startS + shiftS(startS, 0)
  const isMended = startS !== null && Math.abs(startS - firstS) <= Math.abs(movedS - firstS)
  return {
    startS: isMended ? startS : movedS,
    endS: endS === null ? Number.NaN : endS + shiftS(endS, message!.row),
    elapsedS: known(message?.totalElapsedTime),
    timerS: known(message?.totalTimerTime),
  }
}

/** The first record of a session, and the one after its last. */
function rowsOfSession(
  { rows, timeS }: FitTimeline,
  { startS, endS, elapsedS }: StatedTimes,
  {
    nextStartS,
    isFirst,
    ...evidence
  }: Pick<ClockEvidence, 'isPlaced' | 'asStated'> & { nextStartS: number; isFirst: boolean },
): [number, number] {
  const from = isFirst || Number.isNaN(startS) ? 0 : firstFrom(timeS, startS)
  const lastS = elapsedS > 0 ? startS + elapsedS : endS >= startS ? endS : Number.NaN
  const followsRecords = Number.isNaN(lastS)
  let limitS = (followsRecords ? (timeS[from] ?? startS) : lastS) + LONGEST_GAP_S
  let end = from
  // a clock that is years behind is set by the first fix
  let isUnset = !evidence.asStated
  while (end < timeS.length && timeS[end]! < nextStartS) {
    const isLate = timeS[end]! > limitS
    if (isLate && !(isUnset && 2 * end < timeS.length)) break
    if (isLate || followsRecords) limitS = timeS[end]! + LONGEST_GAP_S
    isUnset &&= !evidence.isPlaced(rows[end]!)
    end += 1
  }
  return [from, end]
}

interface Steady {
  /** Unix seconds of each record. */
  readonly timeS: Float64Array
  readonly stated: StatedTimes
  readonly corrections: readonly Correction[]
}

function withoutForwardSteps(
  rows: Uint32Array,
  writtenS: Float64Array,
  stated: StatedTimes,
  { offs, isPlaced, asStated }: ClockEvidence,
): Steady {
  const steps = forwardSteps(writtenS, stated, (fromS, toS) => 2 * overlapS(offs, fromS, toS) > toS - fromS)
  if (steps.length === 0) return { timeS: writtenS, stated, corrections: [] }
  const timeMs = writtenS.map((at) => at * 1000)
  for (const { row, byMs } of steps) for (let i = row; i < timeMs.length; i += 1) timeMs[i]! -= byMs
  const witness = asStated ? Number.NaN : stated.startS * 1000
  const right = byTheRightClock(timeMs, steps, {
    isPlaced: (row) => asStated || isPlaced(rows[row]!),
    startMs: witness,
  })
  const timeS = right.timeMs.map((ms) => ms / 1000)
  const [removedS, movedS] = [steps.reduce((sum, { byMs }) => sum + byMs, 0) / 1000, right.movedMs / 1000]
  const recordedS = timeS.at(-1)! - timeS[0]!
  // times that contain the step went on with the clock
  const without = (value: number) =>
    Math.abs(value - removedS - recordedS) < Math.abs(value - recordedS) && value > removedS ? value - removedS : value
  const { startS, endS, elapsedS, timerS } = stated
  const isOfBefore = Math.abs(startS + movedS - timeS[0]!) < Math.abs(startS - timeS[0]!)
  return {
    timeS,
    stated: {
      startS: isOfBefore ? startS + movedS : startS,
      endS: withoutJump(writtenS, timeS, endS),
      elapsedS: without(elapsedS),
      timerS: without(timerS),
    },
    corrections: right.corrections,
  }
}

function judgedTimes(
  { timeS, stated }: Steady,
  startS: number,
  { activityTimerS, offs, stoppedS, asStated }: ClockEvidence,
): JudgedTimes {
  const [elapsedS, timerS] = [stated.elapsedS || null, stated.timerS || null]
  if (asStated) return { elapsedS, timerS, corrections: [] }
  const lastS = timeS.at(-1)!
  return judgedElapsed(
    { elapsedS, timerS },
    {
      byEndS: stated.endS - startS,
      recordedS: lastS - startS,
      stoppedS: stoppedS - startS,
      activityTimerS,
      pausedS: overlapS(offs, startS, lastS),
    },
  )
}

/** How many of the first records count: those far beyond the elapsed time were written after the stop. */
function keptRows(timeS: Float64Array, startS: number, elapsedS: number | null): number {
  const lastS = startS + (elapsedS ?? 0)
  if (elapsedS === null || !(timeS.at(-1)! - lastS > SURPLUS_S)) return timeS.length
  // half a millisecond: mending must not push the last record past the end that it was moved to
  return firstFrom(timeS, lastS + 0.0005)
}

function overlapS(spans: readonly (readonly [number, number])[], fromS: number, toS: number): number {
  return spans.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, toS) - Math.max(start, fromS)), 0)
}

/** Whether a record has a distance or a position. */
function hasDistance({ distanceM, latDeg }: FitRecords, { firstRow, endRow }: FitPart): boolean {
  for (let row = firstRow; row < endRow; row += 1)
    if (!Number.isNaN(distanceM[row]!) || !Number.isNaN(latDeg[row]!)) return true
  return false
}

/** Written out, since a function of its own for each of a million rows leaves 45 MB behind. */
function saysSomething(records: FitRecords, row: number): boolean {
  return !(
    Number.isNaN(records.distanceM[row]!) &&
    Number.isNaN(records.latDeg[row]!) &&
    Number.isNaN(records.heartRateBpm[row]!) &&
    Number.isNaN(records.cadenceRpm[row]!) &&
    Number.isNaN(records.powerW[row]!) &&
    Number.isNaN(records.altitudeM[row]!)
  )
}

/** @returns null when the times are already ascending */
function sortedOrder(timeMs: Float64Array): Uint32Array | null {
  let i = 1
  while (i < timeMs.length && timeMs[i - 1]! <= timeMs[i]!) i += 1
  if (i >= timeMs.length) return null
  return rowNumbers(timeMs.length).sort((a, b) => timeMs[a]! - timeMs[b]! || a - b)
}

function secondsInOrder(timeMs: Float64Array, order: Uint32Array | null): Float64Array {
  const timeS = new Float64Array(timeMs.length)
  for (let i = 0; i < timeS.length; i += 1) timeS[i] = timeMs[order === null ? i : order[i]!]! / 1000
  return timeS
}

/** The shift of the record before or after an event, whichever is nearer in the device's time. */
function shiftAt(
  fileRows: Uint32Array,
  rawMs: Float64Array,
  mendedMs: Float64Array,
  { deviceTimeS, row }: { deviceTimeS: number; row: number },
): number {
  const after = firstFrom(fileRows, row)
  const shifts = [after - 1, after]
    .filter((i) => i >= 0 && i < fileRows.length)
    .map((i) => ({ farMs: Math.abs(rawMs[i]! - deviceTimeS * 1000), shiftMs: mendedMs[i]! - rawMs[i]! }))
    .sort((a, b) => a.farMs - b.farMs)
  return (shifts[0]?.shiftMs ?? 0) / 1000
}

/** Shifts a time between records along with them; within a gap that held a jump it cannot pass the record after it. */
function withoutJump(writtenS: Float64Array, tS: Float64Array, at: number): number {
  const next = Math.min(firstFrom(writtenS, at), tS.length)
  if (next < tS.length && writtenS[next] === at) return tS[next]!
  if (next === 0) return at + tS[0]! - writtenS[0]!
  const moved = at + tS[next - 1]! - writtenS[next - 1]!
  return next < tS.length ? Math.min(moved, tS[next]!) : moved
}
