import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import {
  comparison,
  optionalComparison,
  runsWithin,
  TRAILING_WEEKS,
  type WeekTotals,
  weekTotals,
} from '../engine/calendar/rollup.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { isoDate, localDay, weekWindow, yearOf } from '../engine/calendar/weeks.ts'
import { invalid } from '../errors.ts'
import { dayAsked, totalsBetween } from './queries.ts'
import type { RecapQuery } from './schemas.ts'

/** Dates have four digits for the year. */
const LAST_YEAR = 9999

/**
 * One week against the one before and the three before: whole weeks, but of the current one what began until now.
 * @throws AppError 400 for a referenceDate that is none
 */
export function weeklyRecap({ db, now }: Pick<Deps, 'db' | 'now'>, asked: Static<typeof RecapQuery>) {
  const nowMs = now()
  const offsetMinutes = asked.timezoneOffsetMinutes ?? 0
  const day = dayAsked(asked.referenceDate, 'referenceDate', localDay(nowMs, offsetMinutes))
  const week = weekWindow(day, offsetMinutes)
  if (yearOf(week.lastDay) > LAST_YEAR)
    throw invalid(`referenceDate must be in a week that ends by the year ${LAST_YEAR}`)
  const weeksBefore = Array.from({ length: TRAILING_WEEKS }, (_, k) => weekWindow(day - 7 * (k + 1), offsetMinutes))
  // SPEC 4, weekly-recap rule 2: what began at this very moment counts
  const soFar = { startMs: week.startMs, endMs: Math.min(nowMs + 1, week.endMs) }
  const runs = totalsBetween(db, { startMs: weeksBefore.at(-1)!.startMs, endMs: week.endMs })

  const current = weekTotals(runsWithin(runs, soFar))
  const earlier = weeksBefore.map((window) => weekTotals(runsWithin(runs, window)))
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
