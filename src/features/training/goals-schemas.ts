import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { MOST_DAYS } from '../../engine/limits.ts'
import { GOAL_METRICS, GOAL_PERIODS } from '../../engine/training/goals.ts'
import {
  choice,
  day,
  documented,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  optionalDay,
  titled,
  trimmedText,
  uuid,
} from '../../http/schemas.ts'
import { timezoneOffsetMinutes } from './schemas.ts'

const MOST_TARGET = 1e9

const metric = meaning(
  'What is added up: metres, seconds of moving time, runs, metres of climb, or load',
  titled('GoalMetric', choice(...GOAL_METRICS)),
)
const period = meaning(
  'Each week, month or year of the calendar, or the days `from` to `to` alone',
  titled('GoalPeriod', choice(...GOAL_PERIODS)),
)
const TARGET = 'In the unit of the metric'
const OTHERS = {
  from: nullable(day('First day of the period dates, which needs it; null for others')),
  to: nullable(day('Last day of the period dates, inclusive; null for others')),
  activeFrom: nullable(day('Earlier periods do not count; null: from the start')),
  activeTo: nullable(day('Later periods do not count; null: no end')),
  name: nullable(trimmedText({ maxLength: LENGTHS.name, description: 'An empty one is null; null: none' })),
}
const target = number({ exclusiveMinimum: 0, maximum: MOST_TARGET, description: TARGET })
const GOAL = { metric, period, target, ...OTHERS }

export const NewGoal = Type.Object(
  { metric, period, target, ...Type.Partial(Type.Object(OTHERS)).properties },
  { title: 'NewGoal', examples: [{ metric: 'distanceM', period: 'year', target: 1_500_000, name: '1500 km' }] },
)

export const GoalEdit = Type.Partial(Type.Object(GOAL), { title: 'GoalEdit' })

export const GoalBody = Type.Object(
  { id: uuid('Of the goal'), ...GOAL, target: number(TARGET), updatedAt: moment('When it was last changed') },
  { title: 'Goal' },
)

const Progress = Type.Object(
  {
    from: day('First day of the period'),
    to: day('Last day of the period, inclusive'),
    done: number('Sum so far, today included'),
    status: meaning(
      'outOfReach: even the upper end of the projected range is below the target; ahead or behind: of an even pace',
      choice('reached', 'ahead', 'behind', 'outOfReach'),
    ),
    expectedByYesterday: number('Sum of an even pace by the end of yesterday'),
    aheadBy: number('`done` less that; negative: behind'),
    remainingDays: integer('Today included'),
    neededPerDay: number('What each remaining day needs; 0: reached'),
    neededPerWeek: number('The same for seven days; 0: reached'),
    projected: nullable(
      number('Sum at the end at the rate of the last 28 days; null: fewer than 7 days since the first run'),
    ),
    projectedLow: nullable(number('Lower end of its 80% range; null: fewer than 4 full weeks since the first run')),
    projectedHigh: nullable(number('Upper end of its 80% range; null: as projectedLow')),
  },
  { title: 'GoalProgress', description: 'Of the period that contains today; null: none, or the goal is not active' },
)

export const GoalAnswer = Type.Object(
  {
    ...GoalBody.properties,
    createdOn: day('Local day of its creation'),
    progress: nullable(Progress),
    history: Type.Array(
      Type.Object(
        {
          from: day('First day of the period'),
          to: day('Last day of the period, inclusive'),
          done: number('Sum, in the unit of the metric'),
          reached: flag('true: at least the target'),
        },
        { title: 'PastGoalPeriod' },
      ),
      { description: 'The last twelve periods that are over, newest first' },
    ),
  },
  { title: 'GoalWithProgress' },
)

export const CalendarQuery = Type.Object({
  timezoneOffsetMinutes,
  from: optionalDay('First local day; 366 days before `to` when absent'),
  to: optionalDay(`The day after the last one, at most ${MOST_DAYS} days after \`from\`; tomorrow when absent`),
  metric: Type.Optional(
    documented(Type.String({ title: 'CalendarMetric', description: 'What levels are of; distanceM when absent' }), {
      enum: ['distanceM', 'movingTimeS', 'load'],
    }),
  ),
})

export const CalendarAnswer = Type.Object(
  {
    metric: meaning('What levels are of', titled('CalendarMetric', choice('distanceM', 'movingTimeS', 'load'))),
    bounds: nullable(
      Type.Array(Type.Number(), {
        minItems: 3,
        maxItems: 3,
        description: 'Quartiles of the days with anything, in the unit of the metric; null: no such day',
      }),
    ),
    days: Type.Array(
      Type.Object(
        {
          date: day('Local day'),
          level: integer({
            minimum: 0,
            maximum: 4,
            description: '0: nothing of the metric; 1 to 4: its quarter; only 1 and 3 below 8 days',
          }),
          runs: integer('Runs of the day'),
          distanceM: number('Metres'),
          durationS: number('Seconds of elapsed time'),
          movingTimeS: number('Seconds of moving time'),
          load: number('100: an hour at threshold'),
          race: flag('true: one of them is a Race'),
        },
        { title: 'CalendarDay' },
      ),
      { description: 'Days with runs' },
    ),
    streaks: Type.Object(
      {
        currentDays: integer('Days in a row with a run, up to today or yesterday; 0: none'),
        longestDays: integer('The longest such streak of all time'),
        currentWeeks: integer('Weeks in a row with a run, up to this or the last one; 0: none'),
        longestWeeks: integer('The longest such streak of all time'),
        currentFullWeeks: integer('Weeks in a row with `minRunsPerWeek` runs, up to this or the last one; 0: none'),
        longestFullWeeks: integer('The longest such streak of all time'),
        minRunsPerWeek: integer('As set in the profile'),
      },
      { title: 'Streaks', description: 'Of all runs, whatever the days asked for' },
    ),
    consistency: nullable(
      Type.Object(
        {
          weeksWithRun: integer('Of the last 26'),
          medianDistanceM: number('Metres a week: the median'),
          lowerQuartileM: number('Metres a week: a quarter of the weeks are below'),
          upperQuartileM: number('Metres a week: a quarter of the weeks are above'),
          longestGapDays: integer('Most days in a row without a run'),
        },
        { title: 'Consistency', description: 'Of the last 26 weeks, from the first run on; null: no run' },
      ),
    ),
  },
  { title: 'RunCalendar' },
)
