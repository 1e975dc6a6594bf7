import { Type } from '@sinclair/typebox'
import { MAX_OFFSET_MINUTES } from '../../engine/calendar/weeks.ts'
import { RUN_TYPES } from '../../engine/limits.ts'
import { documented, integer, Latitude, Longitude, nullable, PAGE, PAGING, Uuid } from '../../http/schemas.ts'
import { Workout } from './schemas.ts'

// Requests and answers of the list of docs/api.md 7.6.

export const WorkoutPage = Type.Object({
  items: Type.Array(Workout),
  ...PAGE,
  totals: Type.Object(
    {
      distanceM: Type.Number(),
      durationS: Type.Number(),
      movingTimeS: Type.Number({ description: 'where none is known, the duration counts' }),
      elevGainM: Type.Number(),
    },
    { description: 'Sums of all workouts that fit, on whatever page they are' },
  ),
})

export const Neighbours = Type.Object({
  previousId: nullable(Uuid),
  nextId: nullable(Uuid),
  position: nullable(integer({ minimum: 1, description: 'null: it is not in the list' })),
  totalCount: integer(),
})

const dayOrInstant = Type.Optional(
  documented(Type.String({ description: 'inclusive; a date is the whole day in UTC; blank: as if absent' }), {
    // a field of a form that is left empty is sent blank
    anyOf: [{ format: 'date' }, { format: 'date-time' }, { pattern: '^\\s*$' }],
  }),
)
const bound = (description?: string) => Type.Optional(Type.Number(description === undefined ? {} : { description }))

const SORT_WORDS = [
  ...['startedAt', 'name', 'duration', 'distance', 'elevation', 'relativeeffort', 'movingtime', 'pace', 'movingpace'],
  ...['heartrate', 'load'],
]

const listQuery = {
  startDate: dayOrInstant,
  endDate: dayOrInstant,
  days: Type.Optional(Type.Literal('local', { description: 'a date is a day at the place of each run' })),
  timezoneOffsetMinutes: Type.Optional(
    integer({
      minimum: -MAX_OFFSET_MINUTES,
      maximum: MAX_OFFSET_MINUTES,
      description: 'for days=local and runs whose place is unknown; 0 when absent',
    }),
  ),
  minDistanceM: bound('metres, inclusive, as all bounds'),
  maxDistanceM: bound('metres'),
  minPaceS: bound('seconds per km'),
  maxPaceS: bound('seconds per km'),
  minMovingPaceS: bound('seconds per km of moving time; of races, of elapsed time'),
  maxMovingPaceS: bound('seconds per km of moving time; of races, of elapsed time'),
  minHeartRateBpm: bound('average'),
  maxHeartRateBpm: bound('average'),
  minElevGainM: bound('metres'),
  maxElevGainM: bound('metres'),
  minLoad: bound(),
  maxLoad: bound(),
  keyword: Type.Optional(Type.String({ description: 'part of name, device or source, in any case' })),
  search: Type.Optional(
    Type.String({ description: 'part of name, notes, shoe, named place of the start, device or source, in any case' }),
  ),
  device: Type.Optional(Type.String({ description: 'part of its name, in any case, or none' })),
  leftOut: Type.Optional(Type.Boolean({ description: 'false: only runs that count in statistics' })),
  runType: Type.Optional(
    documented(Type.String({ description: 'none: those without a type' }), { enum: [...RUN_TYPES, 'none'] }),
  ),
  shoeId: Type.Optional(Type.String({ description: 'id of a shoe; none: those without one' })),
  startLat: Type.Optional(Type.Number({ ...Latitude, description: 'runs that start within startM of here' })),
  startLon: Type.Optional(Longitude),
  startM: Type.Optional(Type.Number({ minimum: 10, maximum: 5000, description: 'metres; all three or none' })),
  sortBy: Type.Optional(
    documented(
      Type.String({
        description: 'startedAt when absent. Runs without the value come last; races have their elapsed time',
      }),
      { enum: SORT_WORDS },
    ),
  ),
  sortOrder: Type.Optional(documented(Type.String(), { enum: ['asc', 'desc'] })),
}

/** Query of a list without pages: filters and order. */
export const ListQuery = Type.Object(listQuery)

/** Query of GET /workouts; values out of the bounds of docs/api.md 7.6 are clamped by the route, not refused. */
export const ListParameters = Type.Object({
  ...PAGING,
  ...listQuery,
})
