// The days and months of the log that screens add up.
import { useMemo } from 'preact/hooks'
import { date, localDay, shiftedDay, usePaceClock } from '../format.ts'
import { useResource } from '../state.ts'
import type { DailyStats } from '../types.ts'
import { type Day, type Month, timed } from './sums.ts'

/** 53 weeks for the strip, and the whole month of a year ago to compare the year with. */
const DAYS_SHOWN = 57 * 7

/** The reader's UTC offset as a query of the statistics. */
export function offsetQuery() {
  return `timezoneOffsetMinutes=${-new Date().getTimezoneOffset()}` as const
}

/** The same, for statistics that count each run on the date of its own place. */
export function localDaysQuery(): string {
  return `days=local&${offsetQuery()}`
}

/** Today's local day. */
export function today(): string {
  return localDay(new Date().toISOString())
}

/** Name of a weekday; 5 January 2026 was a Monday. @param index 0 is Monday */
export function weekdayName(index: number): string {
  return date(shiftedDay('2026-01-05', index), 'weekdayName')
}

function useDaysOf(answer: DailyStats | null): Day[] | null {
  const clock = usePaceClock()
  return useMemo(() => answer && timed(answer.days, clock), [answer, clock])
}

/** Totals of each local day of the last year; `days` is null while loading. */
export function useDays() {
  const from = shiftedDay(today(), -DAYS_SHOWN)
  const { data, error } = useResource(`/stats/daily?${localDaysQuery()}&from=${from}`)
  return { days: useDaysOf(data), error }
}

/** Totals of each local day from one to another; those of the last year are shared. Null while loading, or without days. */
export function useDaysBetween(from: string | null, to: string) {
  const isRecent = from !== null && from >= shiftedDay(today(), -DAYS_SHOWN)
  const recent = useDays()
  const path = `/stats/daily?${localDaysQuery()}&from=${from}&to=${shiftedDay(to, 1)}` as const
  const { data, error } = useResource(from === null || isRecent ? null : path)
  const days = useDaysOf(data)
  return isRecent ? recent : { days, error }
}

/** Totals of each month of the log; null while loading. */
export function useMonths() {
  const { data, error } = useResource(`/stats/monthly?${localDaysQuery()}`)
  const clock = usePaceClock()
  const months = useMemo<Month[] | null>(() => data && timed(data.months, clock), [data, clock])
  return { months, error }
}
