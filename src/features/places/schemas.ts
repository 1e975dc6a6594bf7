import { Type } from '@sinclair/typebox'
import { PLACE_NAME_LENGTH } from '../../engine/limits.ts'
import { integer, Latitude, Longitude, nullable, Timestamp, trimmedText, Uuid } from '../../http/schemas.ts'
import { HIDE_M } from '../../library/places.ts'

const PLACE = {
  name: trimmedText({ minLength: 1, maxLength: PLACE_NAME_LENGTH }),
  lat: Latitude,
  lon: Longitude,
}
const hideM = Type.Optional(
  nullable(
    Type.Number({
      ...{ minimum: HIDE_M[0], maximum: HIDE_M[1] },
      description: 'Radius of the circle that nobody else sees; null: it is not hidden',
    }),
  ),
)
/** The circle that hides a place, which lies within it, but not at its centre. */
export const HiddenCircle = Type.Object(
  { lat: Type.Number(), lon: Type.Number(), radiusM: Type.Number() },
  { title: 'HiddenCircle' },
)
const isHome = Type.Optional(Type.Boolean({ description: 'true: no other place is home from now on' }))

export const NewPlace = Type.Object(
  { ...PLACE, isHome, hideM },
  { examples: [{ name: 'Home', lat: 48.137, lon: 11.575 }] },
)

export const PlaceEdit = Type.Object(
  { name: Type.Optional(PLACE.name), lat: Type.Optional(PLACE.lat), lon: Type.Optional(PLACE.lon), isHome, hideM },
  { examples: [{ name: 'Park' }] },
)

export const Place = Type.Object(
  {
    id: nullable(Type.String({ format: 'uuid', description: 'null: it has no name yet' })),
    name: nullable(Type.String()),
    suggested: nullable(Type.String({ description: 'A name that is near' })),
    country: nullable(Type.String({ description: 'ISO 3166-1, of the suggested name' })),
    lat: Type.Number(),
    lon: Type.Number(),
    runs: integer({ description: 'That start within 250 m' }),
    distanceM: Type.Number({ description: 'Of these runs' }),
    firstAt: nullable(Timestamp),
    lastAt: nullable(Timestamp),
    lastUtcOffsetMinutes: nullable(integer({ description: 'of the last run, null: unknown' })),
    isHome: Type.Boolean({ description: 'So marked, else where most runs of the last year start' }),
    hideM: nullable(Type.Number()),
    hidden: Type.Optional(HiddenCircle),
  },
  { title: 'StartPlace' },
)

export const PlaceList = Type.Object({
  places: Type.Array(Place),
  filling: integer({ description: 'Runs whose ground is still to be computed' }),
})

export const StoredPlace = Type.Object(
  { ...PLACE, id: Uuid, isHome: Type.Boolean(), hideM: nullable(Type.Number()) },
  { title: 'Place' },
)
