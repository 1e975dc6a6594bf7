import { mendBackwardSteps, removeSurplus } from '../../engine/calendar/clock.ts'
import { firstFrom, rowNumbers } from '../../engine/gather.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import type { FitPart } from './decode.ts'
import { FIRST_ABSOLUTE_S, FIT_EPOCH_S } from './profile.ts'
import type { FitRecords } from './records.ts'
import type { FitMessage } from './values.ts'

/** A record later than this after the session's end, or after the record before it without an end, ends the reading. */
const LONGEST_GAP_S = LONGEST_RUN_S

/** The records of one FIT file that carry values, ordered by its fixed clock (docs/algorithms.md 0, FIT rule 1). */
export interface FitTimeline {
  /** Indexes in the records table. */
  readonly rows: Uint32Array
  /** Mended Unix seconds of each row, ascending. */
  readonly timeS: Float64Array
  /** Seconds to add to a time that the device wrote (an event's) after `row` records were written. */
  shiftS(deviceTimeS: number, row: number): number
  /** Whether records have values, but all their times count from when the device was switched on. */
  readonly isRelative: boolean
}

/** Unix seconds of a FIT time; null when it is missing or counts from when the device was switched on. */
export function unixS(fitTime: unknown): number | null {
  return typeof fitTime === 'number' && fitTime >= FIRST_ABSOLUTE_S ? fitTime + FIT_EPOCH_S : null
}

/** Keeps records with a date and at least one of position, distance, heart rate, cadence, power, altitude. */
export function fitTimeline(records: FitRecords, part: FitPart): FitTimeline {
  const size = part.endRow - part.firstRow
  const used = new Uint32Array(size)
  const rawMs = new Float64Array(size)
  let n = 0
  let relative = 0
  for (let row = part.firstRow; row < part.endRow; row += 1) {
    if (!saysSomething(records, row)) continue
    const timestampS = records.timestampS[row]!
    if (timestampS < FIRST_ABSOLUTE_S) relative += 1
    if (!(timestampS >= FIRST_ABSOLUTE_S)) continue
    used[n] = row
    rawMs[n] = (timestampS + FIT_EPOCH_S) * 1000
    n += 1
  }
  const fileRows = used.subarray(0, n)
  const mendedMs = mendBackwardSteps(rawMs.subarray(0, n))
  const order = sortedOrder(mendedMs)
  return {
    rows: order === null ? fileRows : fileRows.map((_, i) => fileRows[order[i]!]!),
    timeS: secondsInOrder(mendedMs, order),
    shiftS: (deviceTimeS, row) => shiftAt(fileRows, rawMs, mendedMs, { deviceTimeS, row }),
    isRelative: n === 0 && relative > 0,
  }
}

/** Where a session is on the timeline of its file, and its own clock. */
export interface SessionClock {
  /** Unix seconds: zero of the session's clock. */
  readonly startS: number
  /** Indexes in the records table of the session's records. */
  readonly rows: Uint32Array
  /** Seconds since the start of each, ascending. */
  readonly tS: Float64Array
  /** Converts a fixed Unix time to the session's clock, without the time by which the clock jumped. */
  sessionS(timeS: number): number
}

/**
 * The records from the session's start to that of the next, on a clock without jumps (docs/algorithms.md 0, FIT 2 and
 * 3).
 * @param nextStartS Unix seconds; infinite after the last session
 */
export function sessionClock(timeline: FitTimeline, session: FitMessage | null, nextStartS: number): SessionClock {
  const { rows, timeS } = timeline
  const startS = unixS(session?.startTime) ?? timeS[0] ?? Number.NaN
  const elapsedS = typeof session?.totalElapsedTime === 'number' ? session.totalElapsedTime : 0
  const first = firstFrom(timeS, startS)
  let end = first
  let limitS = sessionEndS(session, startS, elapsedS) + LONGEST_GAP_S
  const followsRecords = Number.isNaN(limitS)
  if (followsRecords) limitS = (timeS[first] ?? startS) + LONGEST_GAP_S
  while (end < timeS.length && timeS[end]! < nextStartS && timeS[end]! <= limitS) {
    if (followsRecords) limitS = timeS[end]! + LONGEST_GAP_S
    end += 1
  }
  const writtenS = timeS.subarray(first, end).map((at) => at - startS)
  const { tS, kept } = removeSurplus(writtenS, elapsedS)
  return {
    startS,
    rows: rows.subarray(first, first + kept),
    tS,
    sessionS: (at) => withoutJump(writtenS, tS, at - startS),
  }
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

function sessionEndS(session: FitMessage | null, startS: number, elapsedS: number): number {
  if (elapsedS > 0) return startS + elapsedS
  const endS = unixS(session?.timestamp) ?? Number.NaN
  return endS >= startS ? endS : Number.NaN
}

/** Shifts a time between records along with them; within a gap that held a jump it cannot pass the record after it. */
function withoutJump(writtenS: Float64Array, tS: Float64Array, at: number): number {
  const next = Math.min(firstFrom(writtenS, at), tS.length)
  if (next < tS.length && writtenS[next] === at) return tS[next]!
  if (next === 0) return at
  const moved = at + tS[next - 1]! - writtenS[next - 1]!
  return next < tS.length ? Math.min(moved, tS[next]!) : moved
}
