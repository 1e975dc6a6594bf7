import { useMemo } from 'preact/hooks'
import { shiftedDay } from '../days.ts'
import { localDay } from '../format.ts'
import { useResource } from '../state.ts'

/** The strip begins on the Monday of the week 52 weeks ago. */
const DAYS_SHOWN = 53 * 7

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
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + index))
}

/** Totals of each local day of the last year; `data` is null while loading. */
export function useDays() {
  const from = shiftedDay(today(), -DAYS_SHOWN)
  const { data, error } = useResource(`/stats/daily?${localDaysQuery()}&from=${from}`)
  const metres = useMemo<ReadonlyMap<string, number> | null>(
    () => (data === null ? null : new Map(data.days.map(({ date, distanceM }) => [date, distanceM]))),
    [data],
  )
  return { days: data?.days ?? null, metres, error }
}

/** Totals of each local day from one to another; those of the last year are shared. Null while loading, or without days. */
export function useDaysBetween(from: string | null, to: string) {
  const isRecent = from !== null && from >= shiftedDay(today(), -DAYS_SHOWN)
  const recent = useDays()
  const path = `/stats/daily?${localDaysQuery()}&from=${from}&to=${shiftedDay(to, 1)}` as const
  const { data, error } = useResource(from === null || isRecent ? null : path)
  return isRecent ? recent : { days: data?.days ?? null, error }
}

/** Totals of each month of the log; null while loading. */
export function useMonths() {
  const { data, error } = useResource(`/stats/monthly?${localDaysQuery()}`)
  return { months: data?.months ?? null, error }
}
