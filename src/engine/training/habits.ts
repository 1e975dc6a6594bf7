import { mondayOf } from '../calendar/weeks.ts'
import { quantile } from './numbers.ts'

const DAYS_A_WEEK = 7
const WINDOW_WEEKS = 26

interface RunStreaks {
  readonly currentDays: number
  readonly longestDays: number
  /** The streak continues until the week after that of the last run ends. */
  readonly currentWeeks: number
  readonly longestWeeks: number
  /** Consecutive weeks with at least as many runs as the runner wants. */
  readonly currentFullWeeks: number
  readonly longestFullWeeks: number
}

interface Consistency {
  /** Of the last 26 weeks. */
  readonly weeksWithRun: number
  readonly medianDistanceM: number
  readonly lowerQuartileM: number
  readonly upperQuartileM: number
  /** Longest gap without a run within the 26 weeks, days. */
  readonly longestGapDays: number
}

/**
 * @param days of the runs, any order, repeated when a day has several @param today does not end a streak while it has
 * no run yet
 */
export function runStreaks(days: readonly number[], today: number, minRunsPerWeek: number): RunStreaks {
  const runDays = distinct(days)
  const runWeeks = distinct(runDays.map(mondayOf))
  const counts = new Map<number, number>()
  for (const day of days) counts.set(mondayOf(day), (counts.get(mondayOf(day)) ?? 0) + 1)
  const fullWeeks = runWeeks.filter((monday) => counts.get(monday)! >= minRunsPerWeek)
  const week = mondayOf(today)
  return {
    currentDays: current(runDays, today, 1),
    longestDays: longest(runDays, 1),
    currentWeeks: current(runWeeks, week, DAYS_A_WEEK),
    longestWeeks: longest(runWeeks, DAYS_A_WEEK),
    currentFullWeeks: current(fullWeeks, week, DAYS_A_WEEK),
    longestFullWeeks: longest(fullWeeks, DAYS_A_WEEK),
  }
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b)
}

function longest(sorted: readonly number[], step: number): number {
  let most = 0
  let length = 0
  for (const [i, value] of sorted.entries()) {
    length = i > 0 && value - sorted[i - 1]! === step ? length + 1 : 1
    most = Math.max(most, length)
  }
  return most
}

/** Number of consecutive steps up to now, or up to the step before. */
function current(sorted: readonly number[], now: number, step: number): number {
  const past = sorted.filter((value) => value <= now)
  const last = past.at(-1)
  if (last === undefined || now - last > step) return 0
  let length = 1
  while (past[past.length - length - 1] === last - length * step) length += 1
  return length
}

/** Weeks before the first run are not counted; null without a run. */
export function consistency(
  runs: readonly { readonly day: number; readonly distanceM: number }[],
  today: number,
): Consistency | null {
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
