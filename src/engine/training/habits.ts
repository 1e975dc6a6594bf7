import { sequences } from '../calendar/insights.ts'
import { DAYS_A_WEEK, mondayOf } from '../calendar/weeks.ts'
import { quantile } from './numbers.ts'

const WINDOW_WEEKS = 26

/**
 * Consecutive days and weeks with a run, and weeks with at least as many runs as the runner wants. A streak of weeks
 * continues until the week after that of the last run ends.
 * @param days of the runs, any order, also repeated @param today does not end a streak while it has no run yet
 */
export function runStreaks(days: readonly number[], today: number, minRunsPerWeek: number) {
  const sorted = Float64Array.from(days).sort()
  const weeks = sorted.map(mondayOf)
  const runs = Map.groupBy(weeks, (monday) => monday)
  const week = mondayOf(today)
  const ofDays = lengths(sorted, today, 1)
  const ofWeeks = lengths(weeks, week, DAYS_A_WEEK)
  const ofFull = lengths(
    weeks.filter((monday) => runs.get(monday)!.length >= minRunsPerWeek),
    week,
    DAYS_A_WEEK,
  )
  return {
    currentDays: ofDays.current,
    longestDays: ofDays.longest,
    currentWeeks: ofWeeks.current,
    longestWeeks: ofWeeks.longest,
    currentFullWeeks: ofFull.current,
    longestFullWeeks: ofFull.longest,
  }
}

/** Steps of the longest streak, and of the one up to now or the step before. */
function lengths(ascending: Float64Array, now: number, step: number): { current: number; longest: number } {
  const last = sequences(
    ascending.filter((value) => value <= now),
    step,
  ).at(-1)
  return {
    current: last !== undefined && now - last.last <= step ? last.length : 0,
    longest: sequences(ascending, step).reduce((most, { length }) => Math.max(most, length), 0),
  }
}

/**
 * Distances of the last 26 weeks, and the longest gap without a run in them, days. Weeks before the first run are not
 * counted; null without a run.
 */
export function consistency(runs: readonly { readonly day: number; readonly distanceM: number }[], today: number) {
  const past = runs.filter(({ day }) => day <= today).toSorted((a, b) => a.day - b.day)
  if (past.length === 0) return null
  const from = Math.max(mondayOf(today) - DAYS_A_WEEK * (WINDOW_WEEKS - 1), mondayOf(past[0]!.day))
  const sums = new Array<number>((mondayOf(today) - from) / DAYS_A_WEEK + 1).fill(0)
  const within = past.filter(({ day }) => day >= from)
  for (const { day, distanceM } of within) sums[(mondayOf(day) - from) / DAYS_A_WEEK]! += distanceM
  const sorted = sums.toSorted((a, b) => a - b)
  const start = Math.max(from, past[0]!.day)
  let longestGapDays = 0
  let before = start - 1
  for (const day of [...within.map(({ day }) => day), today + 1]) {
    longestGapDays = Math.max(longestGapDays, day - before - 1)
    before = day
  }
  return {
    weeksWithRun: new Set(within.map(({ day }) => mondayOf(day))).size,
    medianDistanceM: quantile(sorted, 0.5),
    lowerQuartileM: quantile(sorted, 0.25),
    upperQuartileM: quantile(sorted, 0.75),
    longestGapDays,
  }
}
