import { useMemo } from 'preact/hooks'
import { shiftedDay } from '../days.ts'
import { localDay } from '../format.ts'
import { useResource } from '../state.ts'
import type { DailyStats, MonthlyStats } from '../types.ts'

/** The strip begins on the Monday of the week 52 weeks ago. */
const DAYS_SHOWN = 53 * 7

/** The reader's UTC offset as a query of the statistics. */
export function offsetQuery(): string {
  return `timezoneOffsetMinutes=${-new Date().getTimezoneOffset()}`
}

/** Today's local day. */
export function today(): string {
  return localDay(new Date().toISOString())
}

/** Name of a weekday; 5 January 2026 was a Monday. @param index 0 is Monday */
export function weekdayName(index: number): string {
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + index))
}

/** Totals of each local day of the last year; `data` is null while loading. */
export function useDays() {
  const from = shiftedDay(today(), -DAYS_SHOWN)
  const { data, error, reload } = useResource<DailyStats>(`/stats/daily?${offsetQuery()}&from=${from}`)
  const metres = useMemo<ReadonlyMap<string, number> | null>(
    () => (data === null ? null : new Map(data.days.map(({ date, distanceM }) => [date, distanceM]))),
    [data],
  )
  return { days: data?.days ?? null, metres, error, reload }
}

/** Totals of each month of the log; null while loading. */
export function useMonths() {
  const { data, error, reload } = useResource<MonthlyStats>(`/stats/monthly?${offsetQuery()}`)
  return { months: data?.months ?? null, error, reload }
}
