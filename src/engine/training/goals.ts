import { calendarDay, DAYS_A_WEEK, type DaySpan, mondayOf, yearOf } from '../calendar/weeks.ts'
import { deviationOf, quantile, Z80 } from './numbers.ts'

export const GOAL_METRICS = ['distanceM', 'movingTimeS', 'runs', 'elevGainM', 'load'] as const
export type GoalMetric = (typeof GOAL_METRICS)[number]
export const GOAL_PERIODS = ['week', 'month', 'year', 'dates'] as const
export type GoalPeriod = (typeof GOAL_PERIODS)[number]

const RATE_DAYS = 28
const LEAST_RATE_DAYS = 7
const LEAST_WEEKS = 4
/** With fewer non-zero days than this, quartiles are meaningless. */
const LEAST_LEVEL_DAYS = 8

interface GoalState {
  readonly target: number
  /** Sum so far, including today. */
  readonly done: number
  /** Days of the whole period. */
  readonly totalDays: number
  /** Days of the period before today. */
  readonly dayIndex: number
  /** Sum of the last 28 full days, or of as many as there are. */
  readonly recent: number
  readonly recentDays: number
  /** Sums of the last full weeks, at most twelve. */
  readonly weeks: readonly number[]
}

/**
 * How far a goal is. `remainingDays` include today; `projected` is null with too few days for a rate, and the ends of its
 * 80 % band with too few weeks.
 */
export function goalProgress(state: GoalState) {
  const { target, done, totalDays, dayIndex, recent, recentDays, weeks } = state
  const expectedByYesterday = (target * dayIndex) / totalDays
  const aheadBy = done - expectedByYesterday
  const remainingDays = totalDays - dayIndex
  const neededPerDay = Math.max(0, target - done) / remainingDays
  const ahead = remainingDays - 1
  const projected = recentDays < LEAST_RATE_DAYS ? null : done + (recent / recentDays) * ahead
  const half = weeks.length < LEAST_WEEKS ? null : Z80 * goalDeviation(deviationOf(weeks, 1), remainingDays)
  const projectedLow = projected === null || half === null ? null : Math.max(done, projected - half)
  const projectedHigh = projected === null || half === null ? null : Math.max(done, projected + half)
  const isOut = projectedHigh !== null && projectedHigh < target
  const status: 'reached' | 'ahead' | 'behind' | 'outOfReach' =
    done >= target ? 'reached' : isOut ? 'outOfReach' : aheadBy >= 0 ? 'ahead' : 'behind'
  return {
    status,
    expectedByYesterday,
    aheadBy,
    remainingDays,
    neededPerDay,
    neededPerWeek: DAYS_A_WEEK * neededPerDay,
    projected,
    projectedLow,
    projectedHigh,
  }
}

/**
 * Standard deviation of what a goal still gains until its last day. The weeks to come scatter one by one, and the level
 * itself, which is taken from the last 28 days, is off by half a week's scatter in each of them.
 * @param perWeek standard deviation of the sum of a week @param remainingDays including today
 */
export function goalDeviation(perWeek: number, remainingDays: number): number {
  const weeks = (remainingDays - 1) / DAYS_A_WEEK
  return perWeek * Math.sqrt(weeks + weeks ** 2 / 4)
}

/** The period of a goal that contains a day. @param dates for a goal with dates of its own */
export function goalPeriod(period: GoalPeriod, day: number, dates: DaySpan | null): DaySpan {
  if (period === 'dates' && dates !== null) return dates
  if (period === 'week') return { firstDay: mondayOf(day), lastDay: mondayOf(day) + 6 }
  const year = yearOf(day)
  if (period === 'year') return { firstDay: calendarDay(year, 1, 1), lastDay: calendarDay(year, 12, 31) }
  const firstDays = Array.from({ length: 12 }, (_, month) => calendarDay(year, month + 1, 1))
  const month = firstDays.findLastIndex((firstDay) => firstDay <= day)
  return { firstDay: firstDays[month]!, lastDay: (firstDays[month + 1] ?? calendarDay(year + 1, 1, 1)) - 1 }
}

/** The last 28 full days and twelve full weeks since the first run. @param sums of each day from `firstDay` on */
export function goalRecent(
  sums: readonly number[],
  firstDay: number,
  today: number,
): Pick<GoalState, 'recent' | 'recentDays' | 'weeks'> {
  const on = (day: number) => sums[day - firstDay] ?? 0
  const recentDays = Math.max(0, Math.min(RATE_DAYS, today - firstDay))
  let recent = 0
  for (let day = today - recentDays; day < today; day += 1) recent += on(day)
  const weeks: number[] = []
  for (let monday = mondayOf(today) - DAYS_A_WEEK; monday >= firstDay && weeks.length < 12; monday -= DAYS_A_WEEK) {
    let sum = 0
    for (let day = monday; day < monday + DAYS_A_WEEK; day += 1) sum += on(day)
    weeks.unshift(sum)
  }
  return { recent, recentDays, weeks }
}

/** Quartiles of the days that are not 0, which bound the levels of a heat map; null without any. */
export function levelBounds(values: readonly number[]): readonly [number, number, number] | null {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  return [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)]
}

/** Levels of days: 0 for a day without runs, else 1 to 4; with few days only 1 and 3, split at the median. */
export function levels(values: readonly number[]): number[] {
  const bounds = levelBounds(values)
  const isFew = values.filter((value) => value > 0).length < LEAST_LEVEL_DAYS
  return values.map((value) => {
    if (bounds === null || !(value > 0)) return 0
    if (isFew) return value > bounds[1] ? 3 : 1
    return 1 + bounds.filter((bound) => value > bound).length
  })
}
