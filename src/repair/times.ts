import { isoTime, parseTimestamp } from '../engine/calendar/timestamp.ts'
import { DAY_MS } from '../engine/units.ts'
import { invalid } from '../errors.ts'
import { utcOffsetMinutes } from '../library/time-zone.ts'

const EARLIEST_MS = Date.UTC(1990, 0, 1)

/** @throws AppError 400 for an invalid timestamp */
export function timeOfText(startedAt: string): number {
  const ms = parseTimestamp(startedAt)
  if (ms === null) throw invalid('startedAt must be an ISO 8601 date-time')
  return ms
}

/** @throws AppError 400 before 1990 and more than a day in the future */
export function checkStart(startMs: number, nowMs: number): void {
  if (startMs < EARLIEST_MS) throw invalid(`A run cannot start before 1990, at ${isoTime(startMs)}`)
  if (startMs > nowMs + DAY_MS) throw invalid(`A run cannot start more than a day ahead, at ${isoTime(startMs)}`)
}

/** @throws AppError 400 for an unknown time zone */
export function checkZone(timeZone: string): void {
  try {
    utcOffsetMinutes(timeZone, 0)
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`${JSON.stringify(timeZone)} is no IANA time zone`)
    throw error
  }
}
