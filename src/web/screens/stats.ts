import { useMemo } from 'preact/hooks'
import { shiftedDay } from '../days.ts'
import { localDay } from '../format.ts'
import { useResource } from '../state.ts'
import type { DailyStats, MonthlyStats } from '../types.ts'

/** The strip of days begins with a Monday of the week 52 weeks ago. */
const DAYS_SHOWN = 53 * 7

/** Minutes that the reader's clock is ahead of UTC, as the statistics want them. */
export function offsetQuery(): string {
  return `timezoneOffsetMinutes=${-new Date().getTimezoneOffset()}`
}

/** The local day of today. */
export function today(): string {
  return localDay(new Date().toISOString())
}

/** 5 January 2026 was a Monday. @param index 0 is Monday */
export function weekdayName(index: number): string {
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + index))
}

/** Sums of each local day over the last year; `data` is null while they are on their way. */
export function useDays() {
  const from = shiftedDay(today(), -DAYS_SHOWN)
  const { data, error, reload } = useResource<DailyStats>(`/stats/daily?${offsetQuery()}&from=${from}`)
  const metres = useMemo<ReadonlyMap<string, number> | null>(
    () => (data === null ? null : new Map(data.days.map(({ date, distanceM }) => [date, distanceM]))),
    [data],
  )
  return { days: data?.days ?? null, metres, error, reload }
}

/** Sums of each month of the log; null while they are on their way. */
export function useMonths() {
  const { data, error, reload } = useResource<MonthlyStats>(`/stats/monthly?${offsetQuery()}`)
  return { months: data?.months ?? null, error, reload }
}
