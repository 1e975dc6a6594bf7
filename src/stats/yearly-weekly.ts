import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { sumOf } from '../engine/calendar/rollup.ts'
import { isoDate, localDay, windowOf, yearBucketOf, yearBuckets, yearPeriod } from '../engine/calendar/weeks.ts'
import { dayAsked, distancesBetween } from './queries.ts'
import type { PeriodQuery } from './schemas.ts'

/**
 * Metres of the 52 buckets of the year that ends with the day asked for.
 * @throws AppError 400 for a periodEndDate that is none
 */
export function yearlyWeekly({ db, now }: Pick<Deps, 'db' | 'now'>, asked: Static<typeof PeriodQuery>) {
  const offsetMinutes = asked.timezoneOffsetMinutes ?? 0
  const period = yearPeriod(dayAsked(asked.periodEndDate, 'periodEndDate', localDay(now(), offsetMinutes)))
  const runs = distancesBetween(db, windowOf(period, offsetMinutes))

  const metres = yearBuckets(period).map((): number[] => [])
  for (const { startedAtMs, distanceM } of runs) {
    const bucket = yearBucketOf(localDay(startedAtMs, offsetMinutes), period)
    if (bucket !== null) metres[bucket]!.push(distanceM)
  }
  return {
    weeks: yearBuckets(period).map(({ firstDay, lastDay }, k) => ({
      weekNumber: k + 1,
      weekStart: isoDate(firstDay),
      weekEnd: isoDate(lastDay),
      distanceM: sumOf(metres[k]!, (distanceM) => distanceM),
    })),
    dateRangeStart: isoDate(period.firstDay),
    dateRangeEnd: isoDate(period.lastDay),
  }
}
