import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { GOAL_METRICS, GOAL_PERIODS } from '../../engine/training/goals.ts'
import {
  CalendarDate,
  choice,
  documented,
  integer,
  nullable,
  optionalDay,
  trimmedText,
  Uuid,
} from '../../http/schemas.ts'
import { number, timezoneOffsetMinutes } from './schemas.ts'

const day = (description: string) => nullable(Type.String({ format: 'date', description }))
const MOST_TARGET = 1e9

const GOAL = {
  metric: choice(...GOAL_METRICS),
  period: choice(...GOAL_PERIODS),
  target: Type.Number({ exclusiveMinimum: 0, maximum: MOST_TARGET, description: 'In the unit of the metric' }),
  from: day('First day of the period dates'),
  to: day('Last day of the period dates, inclusive'),
  activeFrom: day('First day of the goal; null: from the start'),
  activeTo: day('Last day of the goal; null: no end'),
  name: nullable(trimmedText({ maxLength: LENGTHS.name })),
}
const { metric, period, target, ...others } = GOAL

export const NewGoal = Type.Object(
  { metric, period, target, ...Type.Partial(Type.Object(others)).properties },
  { examples: [{ metric: 'distanceM', period: 'year', target: 1_500_000, name: '1500 km' }] },
)

export const GoalEdit = Type.Partial(Type.Object(GOAL), { examples: [{ target: 1_600_000 }] })

export const GoalBody = Type.Object({ id: Uuid, ...GOAL, target: Type.Number() })

const Progress = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  done: Type.Number(),
  status: choice('reached', 'ahead', 'behind', 'outOfReach'),
  expectedByYesterday: Type.Number(),
  aheadBy: Type.Number(),
  remainingDays: integer(),
  neededPerDay: Type.Number(),
  neededPerWeek: Type.Number(),
  projected: number,
  projectedLow: number,
  projectedHigh: number,
})

export const GoalAnswer = Type.Object({
  ...GoalBody.properties,
  createdOn: CalendarDate,
  progress: nullable(Progress),
  history: Type.Array(
    Type.Object({ from: CalendarDate, to: CalendarDate, done: Type.Number(), reached: Type.Boolean() }),
    { description: 'The last twelve periods that are over, newest first' },
  ),
})

export const CalendarQuery = Type.Object({
  timezoneOffsetMinutes,
  from: optionalDay('First local day; 366 days before `to` when absent'),
  to: optionalDay('The day after the last one; tomorrow when absent'),
  metric: Type.Optional(
    documented(Type.String({ description: 'distanceM when absent' }), { enum: ['distanceM', 'movingTimeS', 'load'] }),
  ),
})

export const CalendarAnswer = Type.Object({
  metric: choice('distanceM', 'movingTimeS', 'load'),
  bounds: nullable(
    Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: 'Quartiles of the days with anything' }),
  ),
  days: Type.Array(
    Type.Object({
      date: CalendarDate,
      level: integer({ minimum: 0, maximum: 4 }),
      runs: integer(),
      distanceM: Type.Number(),
      durationS: Type.Number(),
      movingTimeS: Type.Number(),
      load: Type.Number(),
      race: Type.Boolean(),
    }),
    { description: 'Days with runs' },
  ),
  streaks: Type.Object({
    currentDays: integer(),
    longestDays: integer(),
    currentWeeks: integer(),
    longestWeeks: integer(),
    currentFullWeeks: integer(),
    longestFullWeeks: integer(),
    minRunsPerWeek: integer(),
  }),
  consistency: nullable(
    Type.Object({
      weeksWithRun: integer({ description: 'Of the last 26' }),
      medianDistanceM: Type.Number(),
      lowerQuartileM: Type.Number(),
      upperQuartileM: Type.Number(),
      longestGapDays: integer(),
    }),
  ),
})
