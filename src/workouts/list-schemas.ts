import { Type } from '@sinclair/typebox'
import { documented } from '../http/documented.ts'
import { integer, nullable, Uuid } from '../http/schemas.ts'
import { Workout } from './schemas.ts'

// Requests and answers of the list of docs/api.md 7.6.

export const WorkoutPage = Type.Object({
  items: Type.Array(Workout),
  totalCount: integer(),
  page: integer(),
  pageSize: integer(),
  totalPages: integer(),
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

/** Position of a workout in a list. */
export const Neighbours = Type.Object({
  previousId: nullable(Uuid),
  nextId: nullable(Uuid),
  position: nullable(integer({ minimum: 1, description: 'null: it does not fit the list' })),
  totalCount: integer(),
})

const dayOrInstant = Type.Optional(
  documented(Type.String({ description: 'inclusive; a date is the whole day in UTC' }), {
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
  }),
)

const listQuery = {
  startDate: dayOrInstant,
  endDate: dayOrInstant,
  minDistanceM: Type.Optional(Type.Number({ description: 'metres, inclusive' })),
  maxDistanceM: Type.Optional(Type.Number({ description: 'metres, inclusive' })),
  keyword: Type.Optional(Type.String({ description: 'part of name, device or source, in any case' })),
  runType: Type.Optional(
    Type.String({ description: 'exact: Race, Workout, Long Run or Easy Run; none: those without a type' }),
  ),
  shoeId: Type.Optional(Type.String({ description: 'id of a shoe; none: those without one' })),
  sortBy: Type.Optional(
    Type.String({
      description:
        'startedAt (default), name, duration, distance, elevation, relativeeffort; movingtime, pace, movingpace, \
heartrate, load: of these those without a value come last. The moving ones take races by their elapsed time',
    }),
  ),
  sortOrder: Type.Optional(Type.String({ description: 'asc or desc' })),
}

/** Query of a list without pages: filters and order. */
export const ListQuery = Type.Object(listQuery)

/** Query of GET /workouts; values out of the bounds of docs/api.md 7.6 are clamped by the route, not refused. */
export const ListParameters = Type.Object({
  page: Type.Optional(integer({ default: 1 })),
  pageSize: Type.Optional(integer({ default: 20, description: 'at most 100' })),
  ...listQuery,
})
