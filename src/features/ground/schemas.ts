import { Type } from '@sinclair/typebox'
import { integer, Latitude, Longitude, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import { HIDE_M } from '../../library/places.ts'
import { HiddenCircle, Place } from '../places/schemas.ts'
import { ListQuery } from '../workouts/list-schemas.ts'

const { startDate, endDate, runType, shoeId, keyword, minDistanceM, maxDistanceM } = ListQuery.properties
const { startLat, startLon, startM } = ListQuery.properties
const filters = { startDate, endDate, runType, shoeId, keyword, minDistanceM, maxDistanceM }

/** Which runs count, of those that are not left out; a date is a day at the place of each run. */
export const RunFilter = Type.Object(filters)

const Bounds = Type.Object(
  { west: Type.Number(), south: Type.Number(), east: Type.Number(), north: Type.Number() },
  { title: 'MapBounds' },
)
const Spot = Type.Object({ lat: Type.Number(), lon: Type.Number() })

export const HeatSummary = Type.Object({
  runs: integer({ description: 'That fit and have a route' }),
  distanceM: Type.Number(),
  bounds: nullable(Bounds),
  /** Of the runs within 25 km of home. */
  around: nullable(Bounds),
  home: nullable(Spot),
  filling: integer({ description: 'Runs whose ground is still to be computed' }),
})

export const GroundNews = Type.Object({
  newSquares: integer({ description: 'That one of these runs was the first in' }),
  newM: Type.Number({ description: 'Metres where no earlier run had been' }),
})

export const RADIUS_M = [5, 200] as const
export const USUAL_RADIUS_M = 25
export const MOST_NEAR = 200
export const USUAL_NEAR = 50

export const HiddenQuery = Type.Object({
  lat: Latitude,
  lon: Longitude,
  hideM: Type.Number({ minimum: HIDE_M[0], maximum: HIDE_M[1] }),
  placeId: Type.Optional({ ...Uuid, description: 'Which place it is: the answer has the circle that hides it' }),
})

export const NearQuery = Type.Object({
  lat: Latitude,
  lon: Longitude,
  radiusM: Type.Optional(Type.Number({ minimum: RADIUS_M[0], maximum: RADIUS_M[1] })),
  maxResults: Type.Optional(integer({ minimum: 1, maximum: MOST_NEAR })),
  ...{ startLat, startLon, startM },
  ...filters,
})

export const PhotosQuery = Type.Object({
  ...{ west: Longitude, south: Latitude, east: Longitude, north: Latitude },
  ...filters,
})

export const PhotosAnswer = Type.Object({
  count: integer(),
  photos: Type.Array(
    Type.Object(
      { id: Uuid, workoutId: Uuid, lat: Type.Number(), lon: Type.Number(), takenAt: nullable(Timestamp) },
      { title: 'MapPhoto' },
    ),
    { description: 'The latest 500' },
  ),
})

export const NearAnswer = Type.Object({
  count: integer(),
  runs: Type.Array(
    Type.Object({
      workoutId: Uuid,
      name: nullable(Type.String()),
      startedAt: Timestamp,
      utcOffsetMinutes: nullable(integer({ description: 'of the run, null: unknown' })),
      distanceM: Type.Number(),
      runType: nullable(Type.String()),
      nearestM: Type.Number({ description: 'Between the place and the line of the run' }),
    }),
    { description: 'The latest first' },
  ),
})

export const HiddenAnswer = Type.Object({
  ...NearAnswer.properties,
  hidden: nullable(HiddenCircle),
})

const side = { minimum: 0, maximum: 16_383 }
const square = { x: integer(), y: integer() }
const Pair = Type.Array(integer(), { description: 'Column and row' })
const Run = nullable(
  Type.Object({ workoutId: Uuid, name: nullable(Type.String()), startedAt: Timestamp }, { title: 'SquareRun' }),
)

export const SquaresAnswer = Type.Object({
  count: integer(),
  maxSquare: nullable(
    Type.Object({ size: integer(), ...square }, { description: 'North-western corner of the largest block' }),
  ),
  maxCluster: nullable(
    Type.Object({ size: integer() }, { description: 'Squares with four visited neighbours, joined by edges' }),
  ),
  grow: nullable(
    Type.Object(
      { size: integer(), ...square, missing: Type.Array(Pair) },
      { description: 'What the largest block lacks to the next size' },
    ),
  ),
  years: Type.Array(
    Type.Object(
      {
        ...{ year: integer(), newSquares: integer(), count: integer(), maxSquare: integer(), maxCluster: integer() },
        newGroundM: Type.Number(),
      },
      { description: 'Count and largest as at the end of the year' },
    ),
  ),
  filling: integer({ description: 'Above 0: more is still to be computed' }),
})

export const SquaresQuery = Type.Object({
  ...{ x0: integer(side), y0: integer(side), x1: integer(side), y1: integer(side) },
  ...filters,
})

export const SquareList = Type.Object({
  squares: Type.Array(
    Type.Array(Type.Union([Type.Number(), Type.String()]), {
      description:
        'Column, row, runs, local day of the first visit, flags: 1 inner, 2 of the cluster, 4 of the largest block',
    }),
  ),
})

export const OneSquare = Type.Object({
  ...{ ...square, runs: integer(), first: Run, last: Run },
  bounds: Bounds,
})

export const RunGround = Type.Object({
  squares: integer(),
  newSquares: Type.Array(Pair, { description: 'Where no counted run was before' }),
  lengthM: Type.Number({ description: 'Of its line' }),
  newM: nullable(Type.Number({ description: 'Where no counted run before came within 25 m; null: not computed' })),
  newShare: nullable(Type.Number()),
  start: nullable(Place),
  route: Type.Null({ description: 'Not computed yet' }),
  segments: Type.Array(Type.String(), { description: 'Always empty yet' }),
  filling: Type.Boolean(),
})
