import { Type } from '@sinclair/typebox'
import { MAX_OFFSET_MINUTES } from '../../engine/calendar/weeks.ts'
import { RUN_TYPES } from '../../engine/limits.ts'
import {
  documented,
  flag,
  integer,
  Latitude,
  Longitude,
  meaning,
  nullable,
  number,
  PAGE,
  PAGING,
  text,
  uuid,
} from '../../http/schemas.ts'
import { Workout } from './schemas.ts'

// Requests and answers of the list of runs.

export const WorkoutPage = Type.Object(
  {
    items: Type.Array(Workout, { description: 'Runs of this page' }),
    ...PAGE,
    totals: Type.Object(
      {
        distanceM: number('Metres'),
        durationS: number('Elapsed seconds'),
        movingTimeS: number('Seconds without stops; of a run where none are known, its elapsed seconds'),
        elevGainM: number('Metres of climb'),
      },
      { title: 'WorkoutTotals', description: 'Sums of all runs that fit, whatever their page' },
    ),
  },
  { title: 'WorkoutPage' },
)

export const Neighbours = Type.Object(
  {
    previousId: nullable(uuid('Run before it in the list; null: none, or it is not in the list')),
    nextId: nullable(uuid('Run after it in the list; null: none, or it is not in the list')),
    position: nullable(integer({ minimum: 1, description: 'Its place in the list, from 1; null: it is not in it' })),
    totalCount: integer('Runs in the list'),
  },
  { title: 'Neighbours' },
)

const dayOrInstant = (description: string) =>
  Type.Optional(
    documented(text(description), {
      // a field of a form that is left empty is sent blank
      anyOf: [{ format: 'date' }, { format: 'date-time' }, { pattern: '^\\s*$' }],
    }),
  )
const bound = (description: string) => Type.Optional(number(description))

const SORT_WORDS = [
  ...['startedAt', 'name', 'duration', 'distance', 'elevation', 'relativeeffort', 'movingtime', 'pace', 'movingpace'],
  ...['heartrate', 'load'],
]

const listQuery = {
  startDate: dayOrInstant(
    'Runs that start then or later: a date-time, or a date, in UTC unless days=local; blank: absent',
  ),
  endDate: dayOrInstant('Runs that start then or earlier: a date-time, or a date with all of its day; blank: absent'),
  updatedSince: dayOrInstant('Runs whose updatedAt is then or later; blank: absent'),
  days: Type.Optional(
    Type.Literal('local', {
      description: 'A date is a day at the place of each run; with leftOut=false as statistics count',
    }),
  ),
  timezoneOffsetMinutes: Type.Optional(
    integer({
      minimum: -MAX_OFFSET_MINUTES,
      maximum: MAX_OFFSET_MINUTES,
      description: 'Minutes to add to UTC for days=local, of runs whose place is unknown; 0 when absent',
    }),
  ),
  minDistanceM: bound('Metres; all bounds are inclusive, and a run without the value does not fit'),
  maxDistanceM: bound('Metres'),
  minPaceS: bound('Seconds per km of elapsed time'),
  maxPaceS: bound('Seconds per km of elapsed time'),
  minMovingPaceS: bound('Seconds per km of moving time; of races, of elapsed time'),
  maxMovingPaceS: bound('Seconds per km of moving time; of races, of elapsed time'),
  minHeartRateBpm: bound('Average, beats per minute'),
  maxHeartRateBpm: bound('Average, beats per minute'),
  minElevGainM: bound('Metres of climb'),
  maxElevGainM: bound('Metres of climb'),
  minLoad: bound('Training load'),
  maxLoad: bound('Training load'),
  keyword: Type.Optional(text('Part of name, device or source, in any case; blank: absent')),
  search: Type.Optional(text('As keyword, also part of notes, shoe, or the name of a place within 250 m of the start')),
  device: Type.Optional(text('Part of its name, in any case; none: runs without a device')),
  leftOut: Type.Optional(flag('false: only runs that count in statistics; true: only excluded ones')),
  runType: Type.Optional(
    documented(text('none: runs without a type; an unknown one: no run'), {
      title: 'RunTypeFilter',
      enum: [...RUN_TYPES, 'none'],
    }),
  ),
  shoeId: Type.Optional(text('Id of a shoe; none: runs without one')),
  startLat: Type.Optional(meaning('Degrees north: only runs that start within startM of here', Latitude)),
  startLon: Type.Optional(meaning('Degrees east', Longitude)),
  startM: Type.Optional(
    number({ minimum: 10, maximum: 5000, description: 'Metres; startLat, startLon and it together' }),
  ),
  sortBy: Type.Optional(
    documented(
      text(
        'In any case; another word: startedAt. Equals: the latest first. Unknown pace, heart rate, load last. Races: elapsed time',
      ),
      { title: 'WorkoutSort', enum: SORT_WORDS },
    ),
  ),
  sortOrder: Type.Optional(
    documented(text('In any case; absent or another word: desc for startedAt, else asc'), {
      title: 'SortOrder',
      enum: ['asc', 'desc'],
    }),
  ),
}

/** Query of a list without pages: filters and order. */
export const ListQuery = Type.Object(listQuery)

/** Query of GET /workouts; pages and sizes out of their bounds are clamped by the route, not refused. */
export const ListParameters = Type.Object({
  ...PAGING,
  ...listQuery,
})
