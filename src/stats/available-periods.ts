import type { Deps } from '../deps.ts'
import { isoDate, localDay, periodLabel, availablePeriods as periodsBackFrom } from '../engine/calendar/weeks.ts'
import { firstStartMs } from './queries.ts'

/** The one-year periods from today back to the first run, newest first. */
export function availablePeriods({ db, now }: Pick<Deps, 'db' | 'now'>, offsetMinutes: number) {
  const firstMs = firstStartMs(db)
  const firstDay = firstMs === null ? null : localDay(firstMs, offsetMinutes)
  return periodsBackFrom(localDay(now(), offsetMinutes), firstDay).map((period) => ({
    periodEndDate: isoDate(period.lastDay),
    dateRangeStart: isoDate(period.firstDay),
    dateRangeEnd: isoDate(period.lastDay),
    dateRangeLabel: periodLabel(period),
  }))
}
