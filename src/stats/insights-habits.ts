import {
  calendarWeeks,
  dayOf,
  favoriteTimeOfDay,
  favoriteWeekday,
  type LocalRun,
  streaks as streaksOf,
} from '../engine/calendar/insights.ts'
import { sumOf } from '../engine/calendar/rollup.ts'
import { isoDate } from '../engine/calendar/weeks.ts'
import { roundHalfUp } from '../engine/units.ts'

/** Fewest workouts that show a habit (CONTRACT 6). */
const REQUIRED_WORKOUTS = 10
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/**
 * When and how often the runner runs; null when too few runs show it.
 * @param runs by start, oldest first
 * @param today local day
 */
export function habits(runs: readonly LocalRun[], today: number) {
  if (runs.length < REQUIRED_WORKOUTS) return null
  const weekday = favoriteWeekday(runs)!
  const { kind: timeOfDay, ...share } = favoriteTimeOfDay(runs)!
  const streaks = streaksOf(runs, today)!
  const firstDay = runs.reduce((first, run) => Math.min(first, dayOf(run)), Number.POSITIVE_INFINITY)
  return {
    favoriteWeekday: {
      weekday: WEEKDAYS[weekday.kind]!,
      weekdayIndex: weekday.kind,
      runs: weekday.runs,
      percentage: weekday.percentage,
    },
    favoriteTimeOfDay: { timeOfDay, ...share },
    averageRunsPerWeek: roundHalfUp(runs.length / calendarWeeks(firstDay, today), 2),
    averageDistanceM: roundHalfUp(sumOf(runs, ({ distanceM }) => distanceM) / runs.length, 2),
    longestStreakDays: streaks.longestDays,
    longestStreakStart: isoDate(streaks.longestFirstDay),
    longestStreakEnd: isoDate(streaks.longestLastDay),
    currentStreakDays: streaks.currentDays,
    longestStreakWeeks: streaks.longestWeeks,
  }
}
