import { Elysia } from 'elysia'
import { kept } from '../../db/kept.ts'
import { byOf } from '../../http/author.ts'
import { query } from '../../http/query.ts'
import { ErrorBody } from '../../http/schemas.ts'
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
    .get('/weekly', ({ query: asked }) => weekly(deps, asked), {
      ...query(FrameQuery),
      response: { 200: WeeklyStats },
      detail: { summary: 'Miles of each day of this week and the last' },
    })
    .get('/relative-effort', ({ query: asked }) => relativeEffort(deps, asked), {
      ...query(FrameQuery),
      response: { 200: RelativeEffortStats },
      detail: { summary: 'Effort of this week beside the three weeks before' },
    })
    .get('/weekly-recap', ({ query: asked }) => weeklyRecap(deps, asked), {
      ...query(RecapQuery),
      response: { 200: WeeklyRecap },
      detail: { summary: 'A week compared with those before it' },
    })
    .get(
      '/best-efforts',
      ({ query: { period = 'ever', timezoneOffsetMinutes: offsetMinutes = 0 } }) => {
        return { distances: period === 'ever' ? records() : periodEfforts(deps, { period, offsetMinutes }) }
      },
      {
        ...query(EffortsQuery),
        response: { 200: BestEffortStats },
        detail: {
          summary:
            'Fastest time of each standard distance, in any part of any run: all time, this year or twelve months',
        },
      },
    )
    .get('/best-efforts/medals', () => effortMedals(db), {
      response: { 200: EffortMedals },
      detail: { summary: 'Which runs hold one of the three fastest efforts of a distance' },
    })
    .get('/best-efforts/:distanceM/progress', ({ params }) => effortProgress(db, params.distanceIndex), {
      params: distanceParams,
      response: { 200: EffortProgress, 404: ErrorBody },
      detail: { summary: 'Record progression of one distance, its ten fastest efforts, and the fastest of each year' },
    })
    .post(
      '/best-efforts/recalculate',
      async ({ request }) => {
        const changed = await rebuildEfforts()
        if (changed > 0) events.emit({ event: 'workout.updated', data: { id: null } })
        leaveRecalculation({ ...deps, ...byOf(request) }, { title: 'Recomputed all best efforts', changed })
        return { message: 'Best efforts recalculated successfully', count: records().length }
      },
      {
        parse: 'none',
        response: { 200: RecalculatedEfforts },
        detail: { summary: 'Compute all best efforts again from the stored samples' },
      },
    )
    .get('/yearly', ({ query: asked }) => yearly(deps, asked), {
      ...query(FrameQuery),
      response: { 200: YearlyStats },
      detail: { summary: 'Miles of this and the last calendar year' },
    })
    .get('/yearly-weekly', ({ query: asked }) => yearlyWeekly(deps, asked), {
      ...query(PeriodQuery),
      response: { 200: YearlyWeeklyStats },
      detail: { summary: 'Metres of one year in 52 buckets' },
    })
    .get('/available-periods', ({ query: asked }) => availablePeriods(deps, asked), {
      ...query(FrameQuery),
      response: { 200: AvailablePeriods },
      detail: { summary: 'One-year periods from today back to the first run' },
    })
    .get('/available-years', ({ query: asked }) => yearsWithRuns(deps, asked), {
      ...query(OffsetQuery),
      response: { 200: AvailableYears },
      detail: { summary: 'Calendar years with runs, newest first' },
    })
    .get(
      '/daily',
      async ({ query: asked }) => {
        await loads.settle()
        return daily(deps, asked)
      },
      {
        ...query(DailyQuery),
        response: { 200: DailyStats },
        detail: { summary: 'Sums of each day with runs between two dates' },
      },
    )
    .get(
      '/monthly',
      async ({ query: asked }) => {
        await loads.settle()
        return months(asked)
      },
      {
        ...query(FrameQuery),
        response: { 200: MonthlyStats },
        detail: { summary: 'Sums of each month with runs' },
      },
    )
    .get('/highest-heart-rate', () => highestHeartRate(deps), {
      response: { 200: HighestHeartRate },
      detail: { summary: 'The highest heart rate of all runs, for zones that are too low' },
    })
    .get('/insights', ({ query: { timezoneOffsetMinutes = null } }) => insightsAt(timezoneOffsetMinutes), {
      ...query(InsightsQuery),
      response: { 200: Insights },
      detail: { summary: 'Weather extremes, highlights and habits of the whole library' },
    })
}
