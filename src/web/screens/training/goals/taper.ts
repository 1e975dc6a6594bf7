import { dayNumber } from '../../../days.ts'
import type { Forecast } from '../../../types.ts'

/** Shares of the usual load in the last week before a race, and in the one before that. */
const LAST_WEEKS = [0.4, 0.7] as const
const WEEK_DAYS = 7
/** Greatest load of a day that the service accepts. */
const MOST_LOAD = 1000

/** The usual loads, reduced in the two weeks before the race; without the race itself. */
export function taperedLoads(days: Forecast['days'], raceDay: string): number[] {
  return days
    .filter(({ date: on }) => on < raceDay)
    .map(({ date: on, load }) => {
      const weeksBefore = Math.floor((dayNumber(raceDay) - dayNumber(on) - 1) / WEEK_DAYS)
      return Math.min(MOST_LOAD, Math.round(10 * load * (LAST_WEEKS[weeksBefore] ?? 1)) / 10)
    })
}
