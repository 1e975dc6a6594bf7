import type { Deps } from '../deps.ts'
import { cumulative, dailySums, runsWithin, sumOf, TRAILING_WEEKS } from '../engine/calendar/rollup.ts'
import { isoDate, localDay, weekWindow } from '../engine/calendar/weeks.ts'
import { roundHalfUp } from '../engine/units.ts'
import { effortsBetween } from './queries.ts'

/** Effort of the current week, day by day cumulative, beside the sums of the three weeks before. */
export function relativeEffort({ db, now }: Pick<Deps, 'db' | 'now'>, offsetMinutes: number) {
  const today = localDay(now(), offsetMinutes)
  const current = weekWindow(today, offsetMinutes)
  const earlier = Array.from({ length: TRAILING_WEEKS }, (_, k) => weekWindow(today - 7 * (k + 1), offsetMinutes))
  const runs = effortsBetween(db, { startMs: earlier.at(-1)!.startMs, endMs: current.endMs })

  const effort = (run: { effort: number }) => run.effort
  const currentWeek = cumulative(dailySums(runs, current, { offsetMinutes, value: effort }))
  const previousWeeks = earlier.map((week) => sumOf(runsWithin(runs, week), effort))
  return {
    weekStart: isoDate(current.firstDay),
    weekEnd: isoDate(current.lastDay),
    currentWeek,
    previousWeeks,
    threeWeekAverage: roundHalfUp(sumOf(previousWeeks, (sum) => sum) / TRAILING_WEEKS, 1),
    rangeMin: Math.min(...previousWeeks),
    rangeMax: Math.max(...previousWeeks),
    currentWeekTotal: currentWeek.at(-1)!,
  }
}
