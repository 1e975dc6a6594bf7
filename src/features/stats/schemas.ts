import { type TSchema, Type } from '@sinclair/typebox'
import { MOST_DAYS } from '../../engine/limits.ts'
import {
  choice,
  day,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  offsetMinutes,
  optionalDay,
  PLAUSIBILITY,
  text,
  UNCONFIRMED,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'

const timezoneOffsetMinutes = offsetMinutes('0 when absent')

export const OffsetQuery = Type.Object({ timezoneOffsetMinutes })

const FRAME = {
  timezoneOffsetMinutes,
  days: Type.Optional(
    Type.Literal('local', {
      description: "A run counts on the date of its own place; absent, or where that is unknown: on the asker's",
    }),
  ),
}

export const FrameQuery = Type.Object(FRAME)

export const InsightsQuery = Type.Object({
  timezoneOffsetMinutes: offsetMinutes("absent: each run's own, else UTC"),
})

export const RecapQuery = Type.Object({
  ...FRAME,
  referenceDate: optionalDay('A day of the week that counts as current; today when absent'),
})

export const PeriodQuery = Type.Object({
  ...FRAME,
  periodEndDate: optionalDay('Last day of the year that is shown; today when absent'),
})

export const DailyQuery = Type.Object({
  ...FRAME,
  from: optionalDay('First local day of the window; 366 days before `to` when absent'),
  to: optionalDay(
    `The local day after the window's last one, at most ${MOST_DAYS} days after \`from\`; tomorrow when absent`,
  ),
})

const week = { weekStart: day('Monday of the week'), weekEnd: day('Sunday of the week') }

function seven<T extends TSchema>(item: T, description: string) {
  return Type.Array(item, { minItems: 7, maxItems: 7, description })
}

const previousWeek = {
  start: day('Monday of the week before'),
  end: day('Sunday of the week before'),
  dailyMiles: seven(Type.Number(), 'Miles of each day of the week before, Monday first, not rounded'),
  label: text('The week before, such as Nov 10 - Nov 16'),
}

export const WeeklyStats = Type.Object(
  {
    ...week,
    dailyMiles: seven(Type.Number(), 'Miles of each day, Monday first, not rounded'),
    currentWeekLabel: text('The current week, such as Nov 17 - Nov 23'),
    previousWeekStart: previousWeek.start,
    previousWeekEnd: previousWeek.end,
    previousWeekDailyMiles: previousWeek.dailyMiles,
    previousWeekLabel: previousWeek.label,
    current_week_label: text('currentWeekLabel, for Tempo'),
    previous_week_start: meaning('previousWeekStart, for Tempo', previousWeek.start),
    previous_week_end: meaning('previousWeekEnd, for Tempo', previousWeek.end),
    previous_week_daily_miles: meaning('previousWeekDailyMiles, for Tempo', previousWeek.dailyMiles),
    previous_week_label: meaning('previousWeekLabel, for Tempo', previousWeek.label),
  },
  { title: 'WeeklyStats' },
)

export const RelativeEffortStats = Type.Object(
  {
    ...week,
    currentWeek: seven(integer(), 'Sum from Monday up to each day; days to come repeat the last'),
    previousWeeks: Type.Array(integer(), {
      description: 'Sums of the three weeks before, last week first; a run without an effort counts 0',
    }),
    threeWeekAverage: number('Their mean, one decimal'),
    rangeMin: integer('Their least'),
    rangeMax: integer('Their greatest'),
    currentWeekTotal: integer('Sum of the current week so far'),
  },
  { title: 'RelativeEffortStats' },
)

const DELTA = 'current − previous'

const RecapMetric = Type.Object(
  {
    current: number('Of the week; the current week up to now'),
    previous: number('Of the whole week before'),
    trailingAvg: number('Mean of the three weeks before, two decimals; a week without runs counts 0'),
    deltaVsPrevious: number(DELTA),
  },
  { title: 'RecapMetric' },
)

const RecapHeartRate = Type.Object(
  {
    current: nullable(number('Of the week, one decimal; null: no such run')),
    previous: nullable(number('Of the week before, one decimal; null: no such run')),
    trailingAvg: nullable(number('Mean of those of the three weeks before that have one; null: none has')),
    deltaVsPrevious: nullable(number(`${DELTA}; null: one of them is`)),
  },
  { title: 'RecapHeartRate' },
)

const RecapMetrics = Type.Object(
  {
    runs: meaning('Number of runs', RecapMetric),
    distanceM: meaning('Metres', RecapMetric),
    durationS: meaning('Seconds', RecapMetric),
    elevationGainM: meaning('Metres climbed; a run without counts 0', RecapMetric),
    relativeEffortSum: meaning('Relative effort; a run without counts 0', RecapMetric),
    easyRunAvgHeartRateBpm: meaning('Mean heart rate of Easy Run runs, weighted by their durations', RecapHeartRate),
  },
  { title: 'RecapMetrics' },
)

export const WeeklyRecap = Type.Object(
  {
    ...week,
    referenceDate: day('The day that was asked for, else today'),
    timezoneOffsetMinutes: nullable(integer('As it was asked for; null: it was not')),
    currentWeekIsPartial: flag('true: it is the week of now, which counts up to now'),
    generatedAtUtc: moment('When it was answered'),
    metrics: meaning('What is compared', RecapMetrics),
  },
  { title: 'WeeklyRecap' },
)

export const EffortsQuery = Type.Object({
  period: Type.Optional(
    meaning(
      'ever when absent; year: the calendar year of today; 12months: up to today',
      choice('ever', 'year', '12months'),
    ),
  ),
  timezoneOffsetMinutes,
})

/** The standard distance of an effort. */
export const DISTANCE = {
  distance: text('Name of the standard distance, such as 5K'),
  distanceM: number('Its metres'),
} as const

/** The time of an effort and its run. */
export const EFFORT = {
  timeS: integer('`timeMs` in whole seconds, rounded'),
  timeMs: integer('Milliseconds, elapsed, of the fastest part of the run over exactly the distance'),
  workoutId: uuid('The run'),
  workoutDate: moment('Start of the run'),
  utcOffsetMinutes: UtcOffset,
} as const

export const BestEffortStats = Type.Object(
  {
    distances: Type.Array(
      Type.Object({ ...DISTANCE, ...EFFORT, ...PLAUSIBILITY, ...UNCONFIRMED }, { title: 'BestEffort' }),
      {
        description:
          'Shortest first, only distances with a result. Only plausible efforts, or those that the runner counts, without excluded runs; of equals the earlier',
      },
    ),
  },
  { title: 'BestEffortStats' },
)

export const RecalculatedEfforts = Type.Object({
  message: text('Best efforts recalculated successfully'),
  count: integer('Distances with a result'),
})

export const YearlyStats = Type.Object(
  {
    currentYear: number('Miles of the current calendar year, not rounded'),
    previousYear: number('Miles of the calendar year before, not rounded'),
    currentYearLabel: text('The current year, such as 2025'),
    previousYearLabel: text('The year before'),
  },
  { title: 'YearlyStats' },
)

const dateRange = {
  dateRangeStart: day('First day of the period'),
  dateRangeEnd: day('Last day of the period'),
}

export const YearlyWeeklyStats = Type.Object(
  {
    weeks: Type.Array(
      Type.Object(
        {
          weekNumber: integer('1 to 52'),
          weekStart: day('First day of the bucket'),
          weekEnd: day('Last day of the bucket'),
          distanceM: number('Metres of its runs'),
        },
        { title: 'YearBucket' },
      ),
      { description: 'The period in 52 buckets of 7 or 8 days, without gaps or overlaps, oldest first' },
    ),
    ...dateRange,
  },
  { title: 'YearlyWeeklyStats' },
)

export const AvailablePeriods = Type.Array(
  Type.Object(
    {
      periodEndDate: day('Value for GET /stats/yearly-weekly'),
      ...dateRange,
      dateRangeLabel: text('The period, such as Nov 21, 2024 - Nov 20, 2025'),
    },
    { title: 'AvailablePeriod' },
  ),
)

export const AvailableYears = Type.Array(integer())

/** Sums of the runs of a day or a month. */
const sums = {
  runs: integer({ minimum: 1, description: 'Number of runs' }),
  distanceM: number('Metres'),
  durationS: number('Seconds, elapsed'),
  movingTimeS: number('Seconds in motion; of runs without a moving time the timer time, else the elapsed time'),
  elevGainM: number('Metres climbed; a run without counts 0'),
  load: nullable(number('Training load, one decimal; null: none of the runs has one')),
}

export const DailyStats = Type.Object({
  from: day('First day of the window'),
  to: day('The day after its last one'),
  days: Type.Array(
    Type.Object(
      {
        date: day('The day'),
        ...sums,
        relativeEffort: nullable(integer('Sum of the relative effort; null: none of the runs has one')),
        runsWithoutEffort: integer('Runs without a relative effort'),
      },
      { title: 'DayStats' },
    ),
    { description: 'Only days with runs, oldest first' },
  ),
})

export const MonthlyStats = Type.Object({
  months: Type.Array(Type.Object({ month: text('yyyy-MM'), ...sums }, { title: 'MonthStats' }), {
    description: 'Only months with runs, oldest first',
  }),
})

const HighestOfRun = Type.Object(
  {
    heartRateBpm: integer('At most 230: beyond that it is the sensor'),
    workoutId: uuid('The latest run that reached it'),
    workoutName: nullable(text('Name of the run; null: it has none')),
    date: moment('Start of the run'),
    utcOffsetMinutes: UtcOffset,
  },
  { title: 'HighestOfRun' },
)

export const HighestHeartRate = Type.Object({
  highest: meaning('null: no run has a maximum heart rate up to 230', nullable(HighestOfRun)),
})
