import { Type } from '@sinclair/typebox'
import {
  flag,
  integer,
  Latitude,
  Longitude,
  meaning,
  moment,
  nullable,
  number,
  text,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'
import { HIDE_M } from '../../library/places.ts'
import { HiddenCircle, Place } from '../places/schemas.ts'
import { ListQuery } from '../workouts/list-schemas.ts'

const { startDate, endDate, runType, shoeId, keyword, minDistanceM, maxDistanceM } = ListQuery.properties
const { startLat, startLon, startM } = ListQuery.properties
const filters = { startDate, endDate, runType, shoeId, keyword, minDistanceM, maxDistanceM }

/** Which runs count, of those that are not left out; a date is a day at the place of each run. */
export const RunFilter = Type.Object(filters)

const Bounds = Type.Object(
  {
    west: number('Degrees east of the western edge'),
    south: number('Degrees north of the southern edge'),
    east: number('Degrees east of the eastern edge'),
    north: number('Degrees north of the northern edge'),
  },
  { title: 'MapBounds' },
)
const Spot = Type.Object(
  { lat: number('Degrees north'), lon: number('Degrees east') },
  { title: 'MapSpot', description: 'Home; null: no place is home' },
)
const filling = integer('Runs from before an upgrade that are still to be computed')

export const HeatSummary = Type.Object(
  {
    runs: integer('Runs that fit and have a route'),
    distanceM: number('Metres of these runs together'),
    bounds: nullable(meaning('Around all of them; null: none fits', Bounds)),
    around: nullable(meaning('Around those that stay within 25 km of home; null: none, or no home', Bounds)),
    home: nullable(Spot),
    filling,
  },
  { title: 'HeatSummary' },
)

export const GroundNews = Type.Object(
  {
    newSquares: integer('Squares that one of these runs was the first in'),
    newM: number('Metres where no run that started earlier came within about 25 m'),
  },
  { title: 'GroundNews' },
)

export const RADIUS_M = [5, 200] as const
export const USUAL_RADIUS_M = 25
export const MOST_NEAR = 200
export const USUAL_NEAR = 50

const at = { lat: meaning('Degrees north of the place', Latitude), lon: meaning('Degrees east of it', Longitude) }

export const HiddenQuery = Type.Object({
  ...at,
  hideM: number({ minimum: HIDE_M[0], maximum: HIDE_M[1], description: 'Metres that the place would hide around it' }),
  placeId: Type.Optional(
    uuid('Which place it is: the answer has the displaced circle that hides it, and runs in that'),
  ),
})

export const NearQuery = Type.Object({
  ...at,
  radiusM: Type.Optional(
    number({
      ...{ minimum: RADIUS_M[0], maximum: RADIUS_M[1] },
      description: `Metres between the place and the line of a run, at most; ${USUAL_RADIUS_M} when absent`,
    }),
  ),
  maxResults: Type.Optional(
    integer({ minimum: 1, maximum: MOST_NEAR, description: `Runs that are listed; ${USUAL_NEAR} when absent` }),
  ),
  ...{ startLat, startLon, startM },
  ...filters,
})

export const PhotosQuery = Type.Object({
  west: meaning('Degrees east of the western edge', Longitude),
  south: meaning('Degrees north of the southern edge', Latitude),
  east: meaning('Degrees east of the eastern edge; less than west: across the antimeridian', Longitude),
  north: meaning('Degrees north of the northern edge', Latitude),
  ...filters,
})

export const PhotosAnswer = Type.Object(
  {
    count: integer('All photos in this part of the map'),
    photos: Type.Array(
      Type.Object(
        {
          id: uuid('Of the photo, for the path of its file'),
          workoutId: uuid('Its run'),
          lat: number('Degrees north'),
          lon: number('Degrees east'),
          takenAt: nullable(moment('By its EXIF; null: it states none')),
        },
        { title: 'MapPhoto' },
      ),
      { description: 'The latest 500, latest first' },
    ),
  },
  { title: 'MapPhotos' },
)

export const NearAnswer = Type.Object(
  {
    count: integer('All runs that pass'),
    runs: Type.Array(
      Type.Object(
        {
          workoutId: uuid('Of the run'),
          name: nullable(text('null: it has none')),
          startedAt: moment('Start of the run'),
          utcOffsetMinutes: UtcOffset,
          distanceM: number('Metres of the whole run'),
          runType: nullable(text('null: it has none')),
          nearestM: number('Metres between the place and the line of the run'),
        },
        { title: 'RunNearby' },
      ),
      { description: 'The latest first' },
    ),
  },
  { title: 'RunsNearby' },
)

export const HiddenAnswer = Type.Object(
  {
    ...NearAnswer.properties,
    hidden: nullable(meaning('The circle that hides the place; null: placeId was not sent', HiddenCircle)),
  },
  { title: 'RunsHidden' },
)

const side = (description: string) => integer({ minimum: 0, maximum: 16_383, description })
const square = {
  x: integer('Column of a tile of zoom 14, from the west'),
  y: integer('Its row, from the north'),
}
const Pair = Type.Array(integer('Column, then row'), { description: 'Column and row of a square' })
const Run = (which: string) =>
  nullable(
    Type.Object(
      {
        workoutId: uuid('Of the run'),
        name: nullable(text('null: it has none')),
        startedAt: moment('Start of the run'),
      },
      { title: 'SquareRun', description: `The ${which} counted run in it; null: none was there` },
    ),
  )

export const SquaresAnswer = Type.Object(
  {
    count: integer('Squares that the runs went through'),
    maxSquare: nullable(
      Type.Object(
        { size: integer('Squares on a side'), ...square },
        {
          title: 'LargestBlock',
          description:
            'Largest visited block, by its north-western corner; of equal ones the northernmost, then the westernmost',
        },
      ),
    ),
    maxCluster: nullable(
      Type.Object(
        { size: integer('Squares of the largest cluster') },
        { title: 'LargestCluster', description: 'Squares with four visited neighbours, joined by edges; null: none' },
      ),
    ),
    grow: nullable(
      Type.Object(
        {
          size: integer('Squares on a side'),
          ...square,
          missing: Type.Array(Pair, { description: 'Squares that it lacks' }),
        },
        { title: 'NextBlock', description: 'Block of the next size about the largest that lacks fewest; null: none' },
      ),
    ),
    years: Type.Array(
      Type.Object(
        {
          year: integer('Of the local start'),
          newSquares: integer('Squares that were new in it'),
          count: integer('Squares until its end'),
          maxSquare: integer('Side of the largest block at its end; 0: none'),
          maxCluster: integer('Squares of the largest cluster at its end'),
          newGroundM: number('Metres of new ground'),
        },
        { title: 'GroundYear', description: 'Count and largest as at the end of the year' },
      ),
      { description: 'Years with runs, oldest first' },
    ),
    filling: integer('Above 0: more is still to be computed'),
  },
  { title: 'VisitedSquares' },
)

export const SquaresQuery = Type.Object({
  x0: side('First column of tiles of zoom 14'),
  y0: side('First row'),
  x1: side('Last column; less than x0: across the antimeridian'),
  y1: side('Last row, at least y0; 65,536 squares at most'),
  ...filters,
})

export const SquareList = Type.Object(
  {
    squares: Type.Array(
      Type.Array(Type.Union([Type.Number(), Type.String()]), {
        description:
          'Column, row, runs, local day of the first visit, flags: 1 inner, 2 of the cluster, 4 of the largest block',
      }),
      { description: 'In no order' },
    ),
  },
  { title: 'SquareList' },
)

export const OneSquare = Type.Object(
  {
    ...square,
    runs: integer('Counted runs that went through it'),
    first: Run('first'),
    last: Run('last'),
    bounds: meaning('Its edges', Bounds),
  },
  { title: 'MapSquare' },
)

export const RunGround = Type.Object(
  {
    squares: integer('Squares that the run went through'),
    newSquares: Type.Array(Pair, {
      description: 'Where no counted run that started earlier was, in the order in which it entered them',
    }),
    lengthM: number('Metres of its line'),
    newM: nullable(
      number('Metres where none came within about 25 m; null: not computed yet, or the run is left out of statistics'),
    ),
    newShare: nullable(number('newM as a part of lengthM, 0 to 1; null: as newM, or no route')),
    start: nullable(meaning('Where it starts; null: no route, or left out of statistics', Place)),
    route: Type.Null({ description: 'Not computed yet' }),
    segments: Type.Array(Type.String(), { description: 'Always empty yet' }),
    filling: flag('true: some of it is still to be computed'),
  },
  { title: 'RunGround' },
)
