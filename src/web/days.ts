// Days in the page are texts `yyyy-MM-dd`; calculations use the engine's calendar.
import { isoDate, mondayOf as mondayBefore, parseDay, weekdayOf } from '../engine/calendar/weeks.ts'

/** Days since 1970-01-01; NaN for an invalid day. */
export function dayNumber(day: string): number {
  return parseDay(day) ?? Number.NaN
}

/** The day so many days later, or earlier when negative. */
export function shiftedDay(day: string, days: number): string {
  return isoDate(dayNumber(day) + days)
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayIndex(day: string): number {
  return weekdayOf(dayNumber(day))
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return isoDate(mondayBefore(dayNumber(day)))
}
