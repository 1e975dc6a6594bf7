import { type TSchema, Type } from '@sinclair/typebox'
import { MOST_DAYS } from '../../engine/limits.ts'
import {
  CalendarDate,
  choice,
  integer,
  nullable,
  offsetMinutes,
  optionalDay,
  PLAUSIBILITY,
  Timestamp,
  UNCONFIRMED,
  UtcOffset,
  Uuid,
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

const week = { weekStart: CalendarDate, weekEnd: CalendarDate }

function seven<T extends TSchema>(item: T) {
  return Type.Array(item, { minItems: 7, maxItems: 7 })
}

const dailyMiles = seven(Type.Number())

export const WeeklyStats = Type.Object({
  ...week,
  dailyMiles,
  currentWeekLabel: Type.String(),
  previousWeekStart: CalendarDate,
  previousWeekEnd: CalendarDate,
  previousWeekDailyMiles: dailyMiles,
  previousWeekLabel: Type.String(),
  current_week_label: Type.String(),
  previous_week_start: CalendarDate,
  previous_week_end: CalendarDate,
  previous_week_daily_miles: dailyMiles,
  previous_week_label: Type.String(),
})

export const RelativeEffortStats = Type.Object({
  ...week,
  currentWeek: seven(integer({ description: 'Cumulative from Monday' })),
  previousWeeks: Type.Array(integer(), { description: 'Last week first' }),
  threeWeekAverage: Type.Number(),
  rangeMin: integer(),
  rangeMax: integer(),
  currentWeekTotal: integer(),
})

const metric = Type.Object(
  {
    current: Type.Number(),
    previous: Type.Number(),
    trailingAvg: Type.Number(),
    deltaVsPrevious: Type.Number(),
  },
  { title: 'RecapMetric' },
)

const optionalNumber = nullable(Type.Number())

export const WeeklyRecap = Type.Object({
  ...week,
  referenceDate: CalendarDate,
  timezoneOffsetMinutes: nullable(integer()),
  currentWeekIsPartial: Type.Boolean(),
  generatedAtUtc: Timestamp,
  metrics: Type.Object({
    runs: metric,
    distanceM: metric,
    durationS: metric,
    elevationGainM: metric,
    relativeEffortSum: metric,
    easyRunAvgHeartRateBpm: Type.Object({
      current: optionalNumber,
      previous: optionalNumber,
      trailingAvg: optionalNumber,
      deltaVsPrevious: optionalNumber,
    }),
  }),
})

export const EffortsQuery = Type.Object({
  period: Type.Optional(choice('ever', 'year', '12months')),
  timezoneOffsetMinutes,
})

export const BestEffortStats = Type.Object({
  distances: Type.Array(
    Type.Object({
      distance: Type.String(),
      distanceM: Type.Number(),
      timeS: integer(),
      timeMs: integer(),
      workoutId: Uuid,
      workoutDate: Timestamp,
      utcOffsetMinutes: UtcOffset,
      ...PLAUSIBILITY,
      ...UNCONFIRMED,
    }),
    { description: 'Only plausible efforts, or those that the runner counts, without excluded runs' },
  ),
})

export const RecalculatedEfforts = Type.Object({
  message: Type.String(),
  count: integer({ description: 'Distances with a result' }),
})

export const YearlyStats = Type.Object({
  currentYear: Type.Number({ description: 'Miles' }),
  previousYear: Type.Number({ description: 'Miles' }),
  currentYearLabel: Type.String(),
  previousYearLabel: Type.String(),
})

const dateRange = { dateRangeStart: CalendarDate, dateRangeEnd: CalendarDate }

export const YearlyWeeklyStats = Type.Object({
  weeks: Type.Array(Type.Object({ weekNumber: integer(), ...week, distanceM: Type.Number() })),
  ...dateRange,
})

export const AvailablePeriods = Type.Array(
  Type.Object({ periodEndDate: CalendarDate, ...dateRange, dateRangeLabel: Type.String() }),
)

export const AvailableYears = Type.Array(integer())

export const DailyStats = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  days: Type.Array(
    Type.Object({
      date: CalendarDate,
      distanceM: Type.Number(),
      durationS: Type.Number(),
      movingTimeS: Type.Number({ description: 'Of runs without one the elapsed time' }),
      runs: integer({ minimum: 1 }),
      relativeEffort: nullable(integer({ description: 'Null when none of the runs has one' })),
      runsWithoutEffort: integer({ description: 'Those without a heart rate' }),
      elevGainM: Type.Number(),
      load: nullable(Type.Number({ description: 'Null when none of the runs has one' })),
    }),
    { description: 'Only days with runs, oldest first' },
  ),
})

export const MonthlyStats = Type.Object({
  months: Type.Array(
    Type.Object({
      month: Type.String({ description: 'yyyy-MM' }),
      runs: integer({ minimum: 1 }),
      distanceM: Type.Number(),
      durationS: Type.Number(),
      movingTimeS: Type.Number({ description: 'Of runs without one the elapsed time' }),
      elevGainM: Type.Number(),
      load: nullable(Type.Number({ description: 'Null when none of the runs has one' })),
    }),
    { description: 'Only months with runs, oldest first' },
  ),
})

export const HighestHeartRate = Type.Object({
  highest: nullable(
    Type.Object({
      heartRateBpm: integer({ description: 'At most 230: beyond that it is the sensor' }),
      workoutId: Uuid,
      workoutName: nullable(Type.String()),
      date: Timestamp,
      utcOffsetMinutes: UtcOffset,
    }),
  ),
})
