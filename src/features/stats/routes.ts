import { Elysia } from 'elysia'
import { kept } from '../../db/kept.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import type { Deps } from '../../library/deps.ts'
import { leaveRecalculation } from '../../library/receipts/record.ts'
import { bestEffortRecords, effortRebuild } from './best-efforts.ts'
import { daily, highestHeartRate, monthly } from './daily.ts'
import {
  distanceParams,
  EffortMedals,
  EffortProgress,
  effortMedals,
  effortProgress,
  periodEfforts,
} from './effort-history.ts'
import { insights } from './insights.ts'
import { Insights } from './insights-schemas.ts'
import type { Frame } from './queries.ts'
import {
  AvailablePeriods,
  AvailableYears,
  BestEffortStats,
  DailyQuery,
  DailyStats,
  EffortsQuery,
  FrameQuery,
  HighestHeartRate,
  InsightsQuery,
  MonthlyStats,
  OffsetQuery,
  PeriodQuery,
  RecalculatedEfforts,
  RecapQuery,
  RelativeEffortStats,
  WeeklyRecap,
  WeeklyStats,
  YearlyStats,
  YearlyWeeklyStats,
} from './schemas.ts'
import { relativeEffort, weekly, weeklyRecap } from './weeks.ts'
import { availablePeriods, yearly, yearlyWeekly, yearsWithRuns } from './years.ts'

export function statsRoutes(deps: Deps) {
  const { db, events, loads } = deps
  const insightsAt = insights(deps)
  const records = kept(db, () => bestEffortRecords(db))
  const months = kept(db, (frame: Frame) => monthly(db, frame))
  const rebuildEfforts = effortRebuild(deps)
  return new Elysia({ prefix: '/stats', tags: ['Statistics'] })
    .get(
      '/weekly',
      ({ query }) => weekly(deps, query),
      call('getWeekly', 'Miles of each day of this week and the last', {
        query: FrameQuery,
        answer: WeeklyStats,
        says: 'Weeks begin on Monday.',
      }),
    )
    .get(
      '/relative-effort',
      ({ query }) => relativeEffort(deps, query),
      call('getRelativeEffort', 'Effort of this week beside the three weeks before', {
        query: FrameQuery,
        answer: RelativeEffortStats,
        says: 'Weeks begin on Monday; the three weeks before are whole ones.',
      }),
    )
    .get(
      '/weekly-recap',
      ({ query }) => weeklyRecap(deps, query),
      call('getWeeklyRecap', 'A week compared with those before it', {
        query: RecapQuery,
        answer: WeeklyRecap,
        says:
          'A past week is whole; a future one is zeros, with null heart rate. Offsets are fixed: they know no daylight saving time. ' +
          'Means are rounded half away from zero.',
      }),
    )
    .get(
      '/best-efforts',
      ({ query: { period = 'ever', timezoneOffsetMinutes: offsetMinutes = 0 } }) => {
        return { distances: period === 'ever' ? records() : periodEfforts(deps, { period, offsetMinutes }) }
      },
      call(
        'listBestEfforts',
        'Fastest time of each standard distance, in any part of any run: all time, this year or twelve months',
        {
          tags: ['Records'],
          query: EffortsQuery,
          answer: BestEffortStats,
          says:
            'Always up to date. Interpolated between samples; runs without recorded times have none. An effort that nobody can have run ' +
            'holds no record unless the runner counts it, nor does one that the runner took out or of a run left out. The official ' +
            'time of a race counts in place of what was measured (within 6% of the distance), while run and race are linked, also of a Race corrected to a standard distance.',
        },
      ),
    )
    .get(
      '/best-efforts/medals',
      () => effortMedals(db),
      call('listMedals', 'Which runs hold one of the three fastest efforts of a distance', {
        tags: ['Records'],
        answer: EffortMedals,
        says: 'Of each distance the three fastest efforts of different runs, each with its rank.',
      }),
    )
    .get(
      '/best-efforts/:distanceM/progress',
      ({ params }) => effortProgress(db, params.distanceIndex),
      call(
        'getBestEffortProgress',
        'Record progression of one distance, its ten fastest efforts, and the fastest of each year',
        {
          tags: ['Records'],
          params: distanceParams,
          answer: EffortProgress,
          says: 'Only efforts that may hold a record. 404 for metres that are not a standard distance.',
        },
      ),
    )
    .post(
      '/best-efforts/recalculate',
      async ({ request }) => {
        const changed = await rebuildEfforts()
        if (changed > 0) events.emit({ event: 'workout.updated', data: { id: null } })
        leaveRecalculation({ ...deps, ...byOf(request) }, { title: 'Recomputed all best efforts', changed })
        return { message: 'Best efforts recalculated successfully', count: records().length }
      },
      call('recalculateBestEfforts', 'Compute all best efforts again from the stored samples', {
        tags: ['Records'],
        parse: 'none',
        answer: RecalculatedEfforts,
        says: 'Writes what differs in one transaction. After a failure the records stay as they were; a run that cannot be read keeps its own.',
        receipt: true,
      }),
    )
    .get(
      '/yearly',
      ({ query }) => yearly(deps, query),
      call('getYearly', 'Miles of this and the last calendar year', {
        query: FrameQuery,
        answer: YearlyStats,
        says: 'Whole calendar years, in miles.',
      }),
    )
    .get(
      '/yearly-weekly',
      ({ query }) => yearlyWeekly(deps, query),
      call('getYearlyWeekly', 'Metres of one year in 52 buckets', {
        query: PeriodQuery,
        answer: YearlyWeeklyStats,
        says:
          'The year of 365 or 366 days ends on periodEndDate. Bucket k of 0 to 51 has the days ⌊k·T/52⌋ to ⌊(k+1)·T/52⌋ − 1 of its T days, ' +
          'by the local date of each run.',
      }),
    )
    .get(
      '/available-periods',
      ({ query }) => availablePeriods(deps, query),
      call('listAvailablePeriods', 'One-year periods from today back to the first run', {
        query: FrameQuery,
        answer: AvailablePeriods,
        says: 'Newest first, without gaps; the last one contains the first run. Without runs there is one, and never more than 20.',
      }),
    )
    .get(
      '/available-years',
      ({ query }) => yearsWithRuns(deps, query),
      call('listAvailableYears', 'Calendar years with runs, newest first', {
        query: OffsetQuery,
        answer: AvailableYears,
        says: 'Empty while the library has no runs. Years are in UTC unless an offset is given.',
      }),
    )
    .get(
      '/daily',
      async ({ query }) => {
        await loads.upToDate()
        return daily(deps, query)
      },
      call('listDaily', 'Sums of each day with runs between two dates', {
        query: DailyQuery,
        answer: DailyStats,
        says: 'Days without runs are left out. At most 1100 days.',
      }),
    )
    .get(
      '/monthly',
      async ({ query }) => {
        await loads.upToDate()
        return months(query)
      },
      call('listMonthly', 'Sums of each month with runs', {
        query: FrameQuery,
        answer: MonthlyStats,
        says: 'Months without runs are left out. Oldest first.',
      }),
    )
    .get(
      '/highest-heart-rate',
      () => highestHeartRate(deps),
      call('getHighestHeartRate', 'The highest heart rate of all runs, for zones that are too low', {
        answer: HighestHeartRate,
        says: 'Readings above 230 beats per minute do not count.',
      }),
    )
    .get(
      '/insights',
      ({ query: { timezoneOffsetMinutes = null } }) => insightsAt(timezoneOffsetMinutes),
      call('getInsights', 'Weather extremes, highlights and habits of the whole library', {
        query: InsightsQuery,
        answer: Insights,
        says: 'Below five runs the groups are null and the message says how many are missing.',
      }),
    )
}
