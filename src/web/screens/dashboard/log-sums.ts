import { dayNumber, shiftedDay } from '../../days.ts'
import type { DailyStats, MonthlyStats } from '../../types.ts'

type Day = DailyStats['days'][number]
type Month = MonthlyStats['months'][number]

/** Totals of the runs of some days. */
export interface RunSums {
  readonly runs: number
  readonly distanceM: number
  readonly durationS: number
  readonly elevGainM: number
}

export interface DaySums extends RunSums {
  /** null: no run has a heart rate, or there is no run. */
  readonly effort: number | null
  /** Number of runs without a heart rate, whose effort is unknown. */
  readonly runsWithoutEffort: number
  readonly load: number
}

/** After this many days without a run, comparing weeks would show only zeros. */
const PAUSE_DAYS = 28
const YEAR_DAYS = 365

const NOTHING: RunSums = { runs: 0, distanceM: 0, durationS: 0, elevGainM: 0 }

/** Totals of the days from one to another, both included. */
export function sumsOfDays(days: readonly Day[], from: string, to: string): DaySums {
  const within = days.filter(({ date }) => date >= from && date <= to)
  const efforts = within.flatMap(({ relativeEffort }) => (relativeEffort === null ? [] : [relativeEffort]))
  return {
    ...added(within),
    effort: efforts.length === 0 ? null : efforts.reduce((sum, effort) => sum + effort, 0),
    runsWithoutEffort: within.reduce((sum, { runsWithoutEffort }) => sum + runsWithoutEffort, 0),
    load: within.reduce((sum, { load }) => sum + (load ?? 0), 0),
  }
}

/** Totals of the months that begin with these digits: a year, one month, or with '' all. */
export function sumsOfMonths(months: readonly Month[], prefix: string): RunSums {
  return added(months.filter(({ month }) => month.startsWith(prefix)))
}

function added(sums: readonly RunSums[]): RunSums {
  return sums.reduce(
    (sum, one) => ({
      runs: sum.runs + one.runs,
      distanceM: sum.distanceM + one.distanceM,
      durationS: sum.durationS + one.durationS,
      elevGainM: sum.elevGainM + one.elevGainM,
    }),
    NOTHING,
  )
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
