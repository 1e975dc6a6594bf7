import { Type } from '@sinclair/typebox'
import { PLACE_NAME_LENGTH } from '../../engine/limits.ts'
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
  trimmedText,
  uuid,
} from '../../http/schemas.ts'
import { HIDE_M } from '../../library/places.ts'

const PLACE = {
  name: trimmedText({ minLength: 1, maxLength: PLACE_NAME_LENGTH, description: 'As the runner calls it' }),
  lat: meaning('Degrees north', Latitude),
  lon: meaning('Degrees east', Longitude),
}
const hideM = Type.Optional(
  nullable(
    number({
      ...{ minimum: HIDE_M[0], maximum: HIDE_M[1] },
      description: 'Metres: radius of the circle that trimmed files leave out; null: it is not hidden',
    }),
  ),
)
/** The circle that hides a place, which lies within it, but not at its centre. */
export const HiddenCircle = Type.Object(
  {
    lat: number('Degrees north of the centre, which is not the place'),
    lon: number('Degrees east of the centre'),
    radiusM: number('Metres'),
  },
  { title: 'HiddenCircle' },
)
const isHome = Type.Optional(flag('true: no other place is home from now on'))

export const NewPlace = Type.Object(
  { ...PLACE, isHome, hideM },
  { title: 'NewPlace', examples: [{ name: 'Home', lat: 48.137, lon: 11.575 }] },
)

export const PlaceEdit = Type.Object(
  { name: Type.Optional(PLACE.name), lat: Type.Optional(PLACE.lat), lon: Type.Optional(PLACE.lon), isHome, hideM },
  { title: 'PlaceEdit' },
)

export const Place = Type.Object(
  {
    id: nullable(uuid('null: it has no name yet')),
    name: nullable(text('null: none yet')),
    suggested: nullable(text('Nearest town of 15,000 inhabitants or more within 25 km; null: none')),
    country: nullable(text('ISO 3166-1 code of the suggested town; null: none')),
    lat: number('Degrees north; of a place without name the middle of its starts'),
    lon: number('Degrees east'),
    runs: integer('Runs that start within 250 m, each at the nearest named place'),
    distanceM: number('Metres of these runs together'),
    firstAt: nullable(moment('Start of the first of them; null: no run')),
    lastAt: nullable(moment('Start of the last of them; null: no run')),
    lastUtcOffsetMinutes: nullable(integer('Minutes of local time ahead of UTC, of the last run; null: unknown')),
    isHome: flag(
      'The place marked so; without one, where most runs of the 365 days before the latest start, at least 10',
    ),
    hideM: nullable(number('Metres that are hidden around it; null: it is not hidden')),
    hidden: Type.Optional(
      meaning('Displaced circle that hides the place, the same for every run; absent: it is not hidden', HiddenCircle),
    ),
    updatedAt: nullable(moment('When it was last named, marked or moved; null: it has no name')),
  },
  { title: 'StartPlace' },
)

export const PlaceList = Type.Object(
  {
    places: Type.Array(Place, { description: 'Most runs first, at most 1,000' }),
    filling: integer('Runs from before an upgrade that are still to be computed'),
  },
  { title: 'PlaceList' },
)

export const StoredPlace = Type.Object(
  {
    ...PLACE,
    id: uuid('Of the place'),
    isHome: flag('true: marked as home'),
    hideM: nullable(number('Metres that are hidden around it; null: it is not hidden')),
    updatedAt: moment('When it was last changed'),
  },
  { title: 'Place' },
)
