import type { Tx } from '../../db/open.ts'
import {
  biggestWeek,
  calendarWeeks,
  favoriteTimeOfDay,
  favoriteWeekday,
  greatest,
  type LocalRun,
  streaks as streaksOf,
} from '../../engine/calendar/insights.ts'
import { sumOf } from '../../engine/calendar/rollup.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { entriesOf, type RunFigures } from './insights-figures.ts'

/** Below this distance a pace depends more on the watch than on the runner (docs/api.md 6). */
const LEAST_PACED_M = 3000
/** Fewest workouts for habits (docs/api.md 6). */
const REQUIRED_WORKOUTS = 10
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/**
 * The longest, fastest, hilliest and hardest run, and the week with the most metres.
 * @param runs by start, oldest first, at least one
 */
export function performanceHighlights(tx: Tx, runs: readonly RunFigures[], localRuns: readonly LocalRun[]) {
  const found = {
    longest: greatest(runs, ({ distanceM }) => distanceM),
    fastest: greatest(runs, ({ distanceM, avgPaceS }) =>
      distanceM >= LEAST_PACED_M && avgPaceS > 0 ? -avgPaceS : null,
    ),
    highest: greatest(runs, ({ elevGainM }) => positive(elevGainM)),
    hardest: greatest(runs, ({ relativeEffort }) => positive(relativeEffort)),
  }
  const entry = entriesOf(tx, found)
  const week = biggestWeek(localRuns)!
  return {
    longestRun: entry(found.longest, ({ distanceM }, { durationS }) => ({ distanceM, durationS })),
    fastestAvgPace: entry(found.fastest, ({ avgPaceS, distanceM }) => ({ avgPaceS, distanceM })),
    mostElevation: entry(found.highest, ({ elevGainM }) => ({ elevGainM: elevGainM ?? 0 })),
    highestRelativeEffort: entry(found.hardest, ({ relativeEffort }) => ({ relativeEffort: relativeEffort ?? 0 })),
    biggestWeek: {
      weekStart: isoDate(week.firstDay),
      weekEnd: isoDate(week.firstDay + 6),
      distanceM: week.distanceM,
      runs: week.runs,
    },
  }
}

/**
 * When and how often the runner runs; null with too few runs.
 * @param runs by start, oldest first
 * @param today local day
 */
export function habits(runs: readonly LocalRun[], today: number) {
  if (runs.length < REQUIRED_WORKOUTS) return null
  const weekday = favoriteWeekday(runs)!
  const { kind: timeOfDay, ...share } = favoriteTimeOfDay(runs)!
  const streaks = streaksOf(runs, today)!
  const firstDay = runs.reduce((first, run) => Math.min(first, run.day), Number.POSITIVE_INFINITY)
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

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}
