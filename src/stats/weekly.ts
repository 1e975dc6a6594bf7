import type { Deps } from '../deps.ts'
import { dailySums } from '../engine/calendar/rollup.ts'
import { type DateWindow, isoDate, localDay, weekLabel, weekWindow } from '../engine/calendar/weeks.ts'
import { METRES_PER_MILE } from '../engine/units.ts'
import { distancesBetween } from './queries.ts'

/** Miles of each day of the current week and of the one before, Monday first. */
export function weekly({ db, now }: Pick<Deps, 'db' | 'now'>, offsetMinutes: number) {
  const today = localDay(now(), offsetMinutes)
  const current = weekWindow(today, offsetMinutes)
  const previous = weekWindow(today - 7, offsetMinutes)
  const runs = distancesBetween(db, { startMs: previous.startMs, endMs: current.endMs })

  const miles = (week: DateWindow) =>
    dailySums(runs, week, { offsetMinutes, value: ({ distanceM }) => distanceM }).map((sumM) => sumM / METRES_PER_MILE)
  const last = {
    label: weekLabel(previous),
    start: isoDate(previous.firstDay),
    end: isoDate(previous.lastDay),
    dailyMiles: miles(previous),
  }
  return {
    weekStart: isoDate(current.firstDay),
    weekEnd: isoDate(current.lastDay),
    dailyMiles: miles(current),
    currentWeekLabel: weekLabel(current),
    previousWeekStart: last.start,
    previousWeekEnd: last.end,
    previousWeekDailyMiles: last.dailyMiles,
    previousWeekLabel: last.label,
    current_week_label: weekLabel(current),
    previous_week_start: last.start,
    previous_week_end: last.end,
    previous_week_daily_miles: last.dailyMiles,
    previous_week_label: last.label,
  }
}
