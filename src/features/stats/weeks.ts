import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { invalid } from '../../base/errors.ts'
import { workouts } from '../../db/schema.ts'
import {
  comparison,
  cumulative,
  dailySums,
  optionalComparison,
  runsWithin,
  sumOf,
  TRAILING_WEEKS,
  type WeekTotals,
  weekTotals,
} from '../../engine/calendar/rollup.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { type DateWindow, isoDate, localDay, weekLabel, weekWindow, yearOf } from '../../engine/calendar/weeks.ts'
import { METRES_PER_MILE, roundHalfUp } from '../../engine/units.ts'
import { dayAsked, runsBetween, type StatsDeps } from './queries.ts'
import type { FrameQuery, RecapQuery } from './schemas.ts'

type Asked = Static<typeof FrameQuery>

/** Dates have four-digit years. */
const LAST_YEAR = 9999

/** Miles of each day of the current week and of the one before, Monday first. */
export function weekly({ db, now }: StatsDeps, asked: Asked) {
  const { timezoneOffsetMinutes: offsetMinutes = 0 } = asked
  const today = localDay(now(), offsetMinutes)
  const current = weekWindow(today, offsetMinutes)
  const previous = weekWindow(today - 7, offsetMinutes)
  const { distanceM } = workouts
  const runs = runsBetween(db, { distanceM }, { ...asked, startMs: previous.startMs, endMs: current.endMs })

  const miles = (week: DateWindow) =>
    dailySums(runs, week, { offsetMinutes, value: (run) => run.distanceM }).map((sumM) => sumM / METRES_PER_MILE)
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

/**
 * Cumulative effort of each day of the current week, and the totals of the three weeks before; an unknown effort is 0.
 */
export function relativeEffort({ db, now }: StatsDeps, asked: Asked) {
  const { timezoneOffsetMinutes: offsetMinutes = 0 } = asked
  const today = localDay(now(), offsetMinutes)
  const current = weekWindow(today, offsetMinutes)
  const earlier = weeksBefore(today, offsetMinutes)
  const columns = { effort: sql<number>`coalesce(${workouts.relativeEffort}, 0)` }
  const runs = runsBetween(db, columns, { ...asked, startMs: earlier.at(-1)!.startMs, endMs: current.endMs })

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

/** Columns that a recap sums up. */
const TOTALS = {
  beganAtMs: workouts.startedAt,
  distanceM: workouts.distanceM,
  durationS: workouts.durationS,
  elevGainM: workouts.elevGainM,
  relativeEffort: workouts.relativeEffort,
  avgHeartRateBpm: workouts.avgHeartRateBpm,
  isEasy: sql`${workouts.runType} IS 'Easy Run'`.mapWith(Boolean),
} as const

/**
 * One week compared with the one before and the three before: whole weeks, but the current one only up to now.
 * @throws AppError 400 for an invalid referenceDate
 */
export function weeklyRecap({ db, now }: StatsDeps, asked: Static<typeof RecapQuery>) {
  const nowMs = now()
  const offsetMinutes = asked.timezoneOffsetMinutes ?? 0
  const day = dayAsked(asked.referenceDate, localDay(nowMs, offsetMinutes))
  const week = weekWindow(day, offsetMinutes)
  if (yearOf(week.lastDay) > LAST_YEAR)
    throw invalid(`referenceDate must be in a week that ends by the year ${LAST_YEAR}`, { field: 'referenceDate' })
  const before = weeksBefore(day, offsetMinutes)
  const runs = runsBetween(db, TOTALS, { ...asked, startMs: before.at(-1)!.startMs, endMs: week.endMs })

  // a run that begins at this very moment counts (docs/api.md 6, weekly recap)
  const current = weekTotals(runsWithin(runs, week).filter(({ beganAtMs }) => beganAtMs <= nowMs))
  const earlier = before.map((window) => weekTotals(runsWithin(runs, window)))
  const compared = (metric: Exclude<keyof WeekTotals, 'easyRunAvgHeartRateBpm'>) =>
    comparison(
      current[metric],
      earlier.map((totals) => totals[metric]),
    )
  return {
    weekStart: isoDate(week.firstDay),
    weekEnd: isoDate(week.lastDay),
    referenceDate: isoDate(day),
    timezoneOffsetMinutes: asked.timezoneOffsetMinutes ?? null,
    currentWeekIsPartial: nowMs >= week.startMs && nowMs < week.endMs,
    generatedAtUtc: isoTime(nowMs),
    metrics: {
      runs: compared('runs'),
      distanceM: compared('distanceM'),
      durationS: compared('durationS'),
      elevationGainM: compared('elevationGainM'),
      relativeEffortSum: compared('relativeEffortSum'),
      easyRunAvgHeartRateBpm: optionalComparison(
        current.easyRunAvgHeartRateBpm,
        earlier.map((totals) => totals.easyRunAvgHeartRateBpm),
      ),
    },
  }
}

/** The weeks that the average is taken over, latest first. */
function weeksBefore(day: number, offsetMinutes: number): DateWindow[] {
  return Array.from({ length: TRAILING_WEEKS }, (_, k) => weekWindow(day - 7 * (k + 1), offsetMinutes))
}
