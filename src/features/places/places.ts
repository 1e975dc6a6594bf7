import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import type { Db, Tx } from '../../db/open.ts'
import { isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import type { HiddenCircle } from '../../engine/route/trim.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { updatedAt } from '../../library/changes.ts'
import { commitGroup, type OtherChange } from '../../library/commit.ts'
import { deleteDocument, neededBody } from '../../library/delete-document.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { olderRuns } from '../../library/derive.ts'
import type { PlaceDocument } from '../../library/documents/rows.ts'
import { MOST_PLACES, storedPlaces } from '../../library/places.ts'
import type { StartPlace } from './queries.ts'
import type { HiddenCircle as Circle, NewPlace, Place, PlaceEdit, StoredPlace } from './schemas.ts'
import { type Suggested, suggestedNames } from './suggested.ts'

const DECIMALS = 6
const MOST_LISTED = 1000

/** Where runs start, most runs first. */
export async function placeList(db: Db, places: readonly StartPlace[]) {
  return { places: await placeObjects(places.slice(0, MOST_LISTED)), filling: olderRuns(db) }
}

/** As long as the places are kept: those of ten thousand runs are a thousand. */
const towns = new WeakMap<StartPlace, Suggested>()

/** With the names that towns near them suggest. */
export async function placeObjects(places: readonly StartPlace[]): Promise<Static<typeof Place>[]> {
  const fresh = places.filter((place) => !towns.has(place))
  for (const [k, town] of (await suggestedNames(fresh)).entries()) towns.set(fresh[k]!, town)
  return places.map((place) => placeObject(place, towns.get(place) ?? null))
}

function placeObject({ named, circle, firstMs, lastMs, ...place }: StartPlace, town: Suggested): Static<typeof Place> {
  return {
    ...{
      id: named?.id ?? null,
      name: named?.name ?? null,
      suggested: town?.name ?? null,
      country: town?.country ?? null,
    },
    lat: roundHalfUp(place.lat, DECIMALS),
    lon: roundHalfUp(place.lon, DECIMALS),
    runs: place.runs,
    distanceM: roundHalfUp(place.distanceM, 1),
    ...{
      firstAt: isoTimeOrNull(firstMs),
      lastAt: isoTimeOrNull(lastMs),
      lastUtcOffsetMinutes: place.lastUtcOffsetMinutes,
      isHome: place.isHome,
      hideM: named?.hideM ?? null,
      updatedAt: place.updatedAt,
    },
    ...(circle === null ? {} : { hidden: circleObject(circle) }),
  }
}

export function circleObject({ lat, lon, radiusM }: HiddenCircle): Static<typeof Circle> {
  return { lat: roundHalfUp(lat, DECIMALS), lon: roundHalfUp(lon, DECIMALS), radiusM }
}

type Answer = Static<typeof StoredPlace>

/** @throws AppError 400 when there are the most places already */
export function addPlace(deps: Deps, { isHome = false, hideM = null, ...sent }: Static<typeof NewPlace>): Answer {
  return store(deps, (tx) => {
    if (storedPlaces(tx).length >= MOST_PLACES)
      throw invalid(`There are ${MOST_PLACES} places already`, { code: 'limit_reached' })
    return { ...sent, isHome, hideM, id: Bun.randomUUIDv7(), createdAt: deps.now() }
  })
}

/** Changes the members that were sent. @throws AppError 404 */
export function editPlace(deps: Deps, id: string, edit: Static<typeof PlaceEdit>): Answer {
  return store(deps, (tx) => {
    return { ...neededBody(tx, 'place', id), ...edit }
  })
}

/** Of two homes the one that was sent stays. */
function store(deps: Deps, made: (tx: Tx) => PlaceDocument): Answer {
  const { createdAt: _, ...stored } = deps.db.transaction((tx) => {
    const to = made(tx)
    const others = storedPlaces(tx).filter((place) => to.isHome && place.isHome && place.id !== to.id)
    const changes = [...others.map((place) => ({ ...place, isHome: false })), to].map(changeTo)
    commitGroup(tx, deps, { changes }, null)
    return to
  })
  deps.events.emit({ event: 'settings.updated', data: {} })
  return { ...stored, updatedAt: updatedAt(deps.db, 'place', stored.id) }
}

function changeTo(to: PlaceDocument): OtherChange {
  return { kind: 'place', id: to.id, to }
}

export function deletePlace(deps: DepsBy, id: string): void {
  deleteDocument(deps, ['place', id], ({ name }) => `Deleted the place ${name}`)
  deps.events.emit({ event: 'settings.updated', data: {} })
}
