import type { Deps } from '../deps.ts'
import { runsWithin, sumOf } from '../engine/calendar/rollup.ts'
import { type DateWindow, localDay, yearOf, yearWindow } from '../engine/calendar/weeks.ts'
import { METRES_PER_MILE } from '../engine/units.ts'
import { distancesBetween } from './queries.ts'

/** Miles of the current and the previous calendar year. */
export function yearly({ db, now }: Pick<Deps, 'db' | 'now'>, offsetMinutes: number) {
  const year = yearOf(localDay(now(), offsetMinutes))
  const current = yearWindow(year, offsetMinutes)
  const previous = yearWindow(year - 1, offsetMinutes)
  const runs = distancesBetween(db, { startMs: previous.startMs, endMs: current.endMs })

  const miles = (window: DateWindow) => sumOf(runsWithin(runs, window), ({ distanceM }) => distanceM) / METRES_PER_MILE
  return {
    currentYear: miles(current),
    previousYear: miles(previous),
    currentYearLabel: String(year),
    previousYearLabel: String(year - 1),
  }
}
