// What Home and Statistics add up: days and months of the log, in the time that the runner chose.
import { dayNumber, type PaceClock, shiftedDay } from '../format.ts'

/** After this many days without a run, comparing weeks would show only zeros. */
const PAUSE_DAYS = 28
const YEAR_DAYS = 365

/** Totals of the runs of some days. */
export interface RunSums {
  readonly runs: number
  readonly distanceM: number
  /** Moving or elapsed seconds, as the runner chose. */
  readonly timeS: number
  readonly elevGainM: number
  readonly load: number
}
export type Day = RunSums & { readonly date: string }
export type Month = RunSums & { readonly month: string }

interface StatedSums {
  readonly durationS: number
  readonly movingTimeS: number
  /** null: of none of the runs. */
  readonly load: number | null
}

/** The days or months of an answer, each with the time that the runner chose. */
export function timed<T extends StatedSums>(sums: readonly T[], clock: PaceClock) {
  return sums.map((one) => ({
    ...one,
    timeS: clock === 'moving' ? one.movingTimeS : one.durationS,
    load: one.load ?? 0,
  }))
}

/** Totals of the days from one to another, both included. */
export function sumsOfDays(days: readonly Day[], from: string, to: string): RunSums {
  return added(days.filter(({ date }) => date >= from && date <= to))
}

/** Totals of the months that begin with these digits: a year, one month, or with '' all. */
export function sumsOfMonths(months: readonly Month[], prefix: string): RunSums {
  return added(months.filter(({ month }) => month.startsWith(prefix)))
}

function added(sums: readonly RunSums[]): RunSums {
  const sum = (of: keyof RunSums) => sums.reduce((total, one) => total + one[of], 0)
  return {
    ...{ runs: sum('runs'), distanceM: sum('distanceM'), timeS: sum('timeS') },
    ...{ elevGainM: sum('elevGainM'), load: sum('load') },
  }
}

/** Metres of the year of a day until the end of it; days are needed of its month alone. */
export function yearUntil(months: readonly Month[], days: readonly Day[], day: string): number {
  const month = day.slice(0, 7)
  const before = months.filter((one) => one.month >= day.slice(0, 4) && one.month < month)
  return added(before).distanceM + sumsOfDays(days, `${month}-01`, day).distanceM
}

/** Years with runs up to that of a day, the latest first. */
export function yearsOf(months: readonly Month[], today: string): number[] {
  const years = [...new Set(months.map(({ month }) => Number(month.slice(0, 4))))]
  return years.filter((year) => year <= Number(today.slice(0, 4))).toReversed()
}

/** Whether a log with runs had none for four weeks. */
export function isPaused(days: readonly Day[], months: readonly Month[], today: string): boolean {
  return months.length > 0 && !days.some(({ date }) => date > shiftedDay(today, -PAUSE_DAYS))
}

/** So many months up to and including one, oldest first. @param last `yyyy-MM` */
export function monthsUntil(last: string, count: number): string[] {
  const [year = 0, month = 1] = last.split('-').map(Number)
  return Array.from({ length: count }, (_, k) =>
    new Date(Date.UTC(year, month - count + k, 1)).toISOString().slice(0, 7),
  )
}

/** The last day of a month `yyyy-MM`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/**
 * Runs per week over the last twelve months; for a younger log since its first run, whose first week counts as
 * complete.
 * @param firstDay of the whole log
 */
export function runsAWeek(days: readonly Day[], firstDay: string, today: string): number {
  const age = dayNumber(today) - dayNumber(firstDay) + 1
  const span = Math.max(7, Math.min(YEAR_DAYS, age))
  return sumsOfDays(days, shiftedDay(today, 1 - YEAR_DAYS), today).runs / (span / 7)
}
