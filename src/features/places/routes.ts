import { Elysia } from 'elysia'
import { byOf } from '../../http/author.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { pathIds } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { addPlace, deletePlace, editPlace, placeList } from './places.ts'
import { createStartPlaces } from './queries.ts'
import { NewPlace, PlaceEdit, PlaceList, StoredPlace } from './schemas.ts'

/** Where runs start, and the names that the runner gives there. */
export function placeRoutes(deps: Deps) {
  const startPlaces = createStartPlaces(deps)
  return new Elysia({ prefix: '/places', tags: ['Places'] })
    .get('/', () => placeList(deps.db, startPlaces().places), {
      response: { 200: PlaceList },
      detail: { summary: 'Where runs start, named or not, most runs first' },
    })
    .post('/', ({ body, status }) => status(201, addPlace(deps, body)), {
      ...json(NewPlace),
      response: { 201: StoredPlace },
      detail: { summary: 'Name a place' },
    })
    .patch('/:id', ({ params: { id }, body }) => editPlace(deps, id, body), {
      params: pathIds({ id: 'Place' }),
      ...json(PlaceEdit),
      response: { 200: StoredPlace },
      detail: { summary: 'Change the sent fields of a place' },
    })
    .delete(
      '/:id',
      ({ params: { id }, request, status }) => {
        deletePlace({ ...deps, ...byOf(request) }, id)
        return status(204)
      },
      { params: pathIds({ id: 'Place' }), detail: { summary: 'Take the name of a place away', ...responses(204) } },
    )
}
