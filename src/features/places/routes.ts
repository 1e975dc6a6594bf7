import { Elysia } from 'elysia'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import type { Deps } from '../../library/deps.ts'
import { addPlace, deletePlace, editPlace, placeList } from './places.ts'
import { createStartPlaces } from './queries.ts'
import { NewPlace, PlaceEdit, PlaceList, StoredPlace } from './schemas.ts'

/** Where runs start, and the names that the runner gives there. */
export function placeRoutes(deps: Deps) {
  const startPlaces = createStartPlaces(deps)
  return new Elysia({ prefix: '/places', tags: ['Places'] })
    .get(
      '/',
      () => placeList(deps.db, startPlaces().places),
      call('listPlaces', 'Where runs start, named or not, most runs first', {
        answer: PlaceList,
        says:
          'Of counted runs. A start within 250 m of several named places belongs to the nearest; the others form groups, ' +
          'which have neither id nor name.',
      }),
    )
    .post(
      '/',
      ({ body, status }) => status(201, addPlace(deps, body)),
      call('createPlace', 'Name a place', {
        idempotent: 'adds',
        body: NewPlace,
        answers: { 201: StoredPlace },
        says: '400 beyond 300 places.',
      }),
    )
    .patch(
      '/:id',
      ({ params: { id }, body }) => editPlace(deps, id, body),
      call('updatePlace', 'Change the sent fields of a place', {
        path: { id: 'Place' },
        body: PlaceEdit,
        answer: StoredPlace,
        says: 'Members that are not sent keep their values.',
      }),
    )
    .delete(
      '/:id',
      ({ params: { id }, request, status }) => {
        deletePlace({ ...deps, ...byOf(request) }, id)
        return status(204)
      },
      call('deletePlace', 'Take the name of a place away', {
        path: { id: 'Place' },
        statuses: [204],
        says: 'Runs that start there stay.',
        receipt: true,
      }),
    )
}
