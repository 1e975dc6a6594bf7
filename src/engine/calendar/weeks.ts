import { DAY_MS } from '../units.ts'

export const DAYS_A_WEEK = 7
/** Buckets of a one-year period. */
const YEAR_BUCKETS = 52
/** At most this many periods are offered. */
const MAX_PERIODS = 20
/** Largest offset from UTC, minutes, either way. */
export const MAX_OFFSET_MINUTES = 840

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/*
 * A day is its number since 1970-01-01 (day 0, a Thursday). An offset is minutes to add to UTC to get local time, fixed,
 * without daylight saving time. Windows of instants are half-open.
 */

export interface DaySpan {
  readonly firstDay: number
  /** Inclusive, unlike `endMs`. */
  readonly lastDay: number
}

export interface DateWindow extends DaySpan {
  readonly startMs: number
  /** Exclusive. */
  readonly endMs: number
}

/** Local day of an instant. */
export function localDay(atMs: number, offsetMinutes: number): number {
  return Math.floor((atMs + offsetMinutes * 60_000) / DAY_MS)
}

/** Instant at which a local day begins, Unix milliseconds UTC. */
function dayStartMs(day: number, offsetMinutes: number): number {
  return day * DAY_MS - offsetMinutes * 60_000
}

/** Parses `yyyy-MM-dd` to a day; null for any other form and for dates that do not exist. Years 0001 to 9999. */
export function parseDay(isoDate: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(isoDate)
  if (match === null) return null
  const day = calendarDay(Number(match[1]), Number(match[2]), Number(match[3]))
  return Number.isNaN(day) ? null : day
}

/** The day of a date; NaN for one that does not exist. Years from 1 on. */
export function calendarDay(year: number, month: number, dayOfMonth: number): number {
  const isReal = year >= 1 && month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= monthLength(year, month)
  return isReal ? dayOf({ year, month, dayOfMonth }) : Number.NaN
}

/** A day as `yyyy-MM-dd`. */
export function isoDate(day: number): string {
  const { year, month, dayOfMonth } = civil(day)
  const digits = String(Math.abs(year)).padStart(4, '0')
  return `${year < 0 ? '-' : ''}${digits}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: number): number {
  return modulo(day + 3, 7)
}

/** The Monday on or before a day. */
export function mondayOf(day: number): number {
  return day - weekdayOf(day)
}

/** The Monday-to-Sunday week that holds a day. The week k before it is that of `day - 7 * k`. */
export function weekWindow(day: number, offsetMinutes: number): DateWindow {
  const firstDay = mondayOf(day)
  return windowOf({ firstDay, lastDay: firstDay + 6 }, offsetMinutes)
}

export function yearWindow(year: number, offsetMinutes: number): DateWindow {
  return windowOf({ firstDay: calendarDay(year, 1, 1), lastDay: calendarDay(year, 12, 31) }, offsetMinutes)
}

export function yearOf(day: number): number {
  return civil(day).year
}

/** The window of instants that whole local days cover. */
export function windowOf({ firstDay, lastDay }: DaySpan, offsetMinutes: number): DateWindow {
  return {
    firstDay,
    lastDay,
    startMs: dayStartMs(firstDay, offsetMinutes),
    endMs: dayStartMs(lastDay + 1, offsetMinutes),
  }
}

/** The year up to `lastDay`, from a day after the same date of the year before (28 for 29 February) on. */
export function yearPeriod(lastDay: number): DaySpan {
  const { year, month, dayOfMonth } = civil(lastDay)
  const before = { year: year - 1, month, dayOfMonth: Math.min(dayOfMonth, monthLength(year - 1, month)) }
  return { firstDay: dayOf(before) + 1, lastDay }
}

/**
 * Years backwards from today, newest first, until one contains the first workout; one to twenty.
 * @param firstDay local day of the first workout; null without workouts
 */
export function availablePeriods(today: number, firstDay: number | null): DaySpan[] {
  const periods = [yearPeriod(today)]
  let oldest = periods[0]!
  while (firstDay !== null && firstDay < oldest.firstDay && periods.length < MAX_PERIODS) {
    oldest = yearPeriod(oldest.firstDay - 1)
    periods.push(oldest)
  }
  return periods
}

/** The 52 buckets of a period: bucket k is days floor(k * T / 52) to floor((k + 1) * T / 52) - 1 of its T days. */
export function yearBuckets({ firstDay, lastDay }: DaySpan): DaySpan[] {
  const days = lastDay - firstDay + 1
  return Array.from({ length: YEAR_BUCKETS }, (_, k) => ({
    firstDay: firstDay + Math.floor((k * days) / YEAR_BUCKETS),
    lastDay: firstDay + Math.floor(((k + 1) * days) / YEAR_BUCKETS) - 1,
  }))
}

/**
 * Index of the bucket that contains `day`; null outside the period. floor(i * 52 / T) looks like the inverse and is
 * wrong for every 7th day (docs/algorithms.md 9).
 */
export function yearBucketOf(day: number, { firstDay, lastDay }: DaySpan): number | null {
  if (!(day >= firstDay && day <= lastDay)) return null
  const days = lastDay - firstDay + 1
  return Math.ceil(((day - firstDay + 1) * YEAR_BUCKETS) / days) - 1
}

/** `Nov 17 - Nov 23` */
export function weekLabel({ firstDay, lastDay }: DaySpan): string {
  return `${monthAndDay(firstDay)} - ${monthAndDay(lastDay)}`
}

/** `Nov 21, 2024 - Nov 20, 2025` */
export function periodLabel({ firstDay, lastDay }: DaySpan): string {
  return `${monthAndDay(firstDay)}, ${yearOf(firstDay)} - ${monthAndDay(lastDay)}, ${yearOf(lastDay)}`
}

function monthAndDay(day: number): string {
  const { month, dayOfMonth } = civil(day)
  return `${MONTHS[month - 1]} ${dayOfMonth}`
}

interface Civil {
  readonly year: number
  /** 1 to 12 */
  readonly month: number
  readonly dayOfMonth: number
}

/**
 * Proleptic Gregorian, without a Date, since files hold many times. Years are counted from 1 March, so that the leap
 * day is the last of its year; 719,468 days are between 0000-03-01 and 1970-01-01.
 */
function dayOf({ year, month, dayOfMonth }: Civil): number {
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = modulo(month - 3, 12)
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + dayOfMonth - 1 - 719_468
}

function civil(day: number): Civil {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() }
}

function monthLength(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** The remainder with the sign of the divisor. */
export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
