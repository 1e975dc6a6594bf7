import { useMemo } from 'preact/hooks'
import { localDay } from '../format.ts'
import { useResource } from '../state.ts'
import type { DailyStats, MonthlyStats } from '../types.ts'

/** The strip of days begins with a Monday of the week 52 weeks ago. */
const DAYS_SHOWN = 53 * 7
const DAY_MS = 86_400_000

/** Minutes that the reader's clock is ahead of UTC, as the statistics want them. */
export function offsetQuery(): string {
  return `timezoneOffsetMinutes=${-new Date().getTimezoneOffset()}`
}

/** The local day of today. */
export function today(): string {
  return localDay(new Date().toISOString())
}

/** 0 is Monday. */
export function weekdayIndex(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

/** The Monday of the week that a day is in. */
export function mondayOf(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - weekdayIndex(day) * DAY_MS).toISOString().slice(0, 10)
}

/** 5 January 2026 was a Monday. @param index 0 is Monday */
export function weekdayName(index: number): string {
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + index))
}

/** Sums of each local day over the last year; `data` is null while they are on their way. */
export function useDays() {
  const from = new Date(Date.parse(`${today()}T00:00:00Z`) - DAYS_SHOWN * DAY_MS).toISOString().slice(0, 10)
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
