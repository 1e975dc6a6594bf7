import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notFound } from '../../base/errors.ts'
import { MOST_SHOES } from '../../engine/limits.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { json } from '../../http/json.ts'
import { nullable } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { addShoe, chooseDefaultShoe, deleteShoe, editShoe } from './edit.ts'
import { addShoesFromImport } from './from-import.ts'
import { allShoes, defaultShoe, shoeMileage, shoesFound } from './queries.ts'
import {
  ChosenShoe,
  DefaultShoe,
  DefaultShoeRequest,
  MileageQuery,
  NamesFromImport,
  NewShoe,
  Shoe,
  ShoeEdit,
  ShoeFound,
  ShoeMileage,
  ShoesFromImport,
} from './schemas.ts'

const FROM_IMPORT = `Names without a shoe get one, which is assigned to the runs with this name and without a shoe. 400 beyond \
${MOST_SHOES} shoes.`

export function shoeRoutes(deps: Deps) {
  const { db } = deps
  return new Elysia({ prefix: '/shoes', tags: ['Shoes'] })
    .get(
      '/',
      () => allShoes(db),
      call('listShoes', 'All shoes with their mileage', {
        answer: Type.Array(Shoe),
        says: 'The mileage of a shoe is its starting distance and the distances of its runs.',
      }),
    )
    .post(
      '/',
      ({ body }) => addShoe(deps, body),
      call('createShoe', 'Add a shoe', {
        body: NewShoe,
        answer: Shoe,
        says: 'Runs are assigned by changing the runs.',
      }),
    )
    .get(
      '/from-import',
      () => shoesFound(db),
      call('listShoesFromImports', 'Shoes named by imported recordings, and whether they exist', {
        answer: Type.Array(ShoeFound),
        says: 'Each name with its number of runs, and the stored shoe of that name, if any.',
      }),
    )
    .post(
      '/from-import',
      ({ body: { names }, request }) => addShoesFromImport({ ...deps, ...byOf(request) }, names),
      call('createShoesFromImports', 'Add shoes named by imported recordings, and assign them to their runs', {
        body: NamesFromImport,
        answer: ShoesFromImport,
        says: FROM_IMPORT,
      }),
    )
    .patch(
      '/:id',
      ({ params: { id }, body }) => editShoe(deps, id, body),
      call('updateShoe', 'Change the sent fields of a shoe', {
        path: { id: 'Shoe' },
        body: ShoeEdit,
        answer: Shoe,
        says:
          'Members that are not sent keep their values; null clears. A retired default shoe is replaced by that ' +
          'of the latest run.',
      }),
    )
    .delete(
      '/:id',
      ({ params: { id }, request, status }) => {
        deleteShoe({ ...deps, ...byOf(request) }, id)
        return status(204)
      },
      call('deleteShoe', 'Delete a shoe; its runs stay', {
        path: { id: 'Shoe' },
        statuses: [204],
        says: 'Its runs have no shoe afterwards. The receipt can undo it.',
        receipt: true,
      }),
    )
    .get(
      '/:id/mileage',
      ({ params: { id }, query: { unitPreference } }) => {
        const mileage = shoeMileage(db, id, unitPreference)
        if (mileage === null) throw notFound('Shoe')
        return { shoeId: id, ...mileage }
      },
      call('getShoeMileage', 'Mileage of a shoe in a unit', {
        path: { id: 'Shoe' },
        query: MileageQuery,
        answer: ShoeMileage,
        says: 'In kilometres or miles, as asked, else in the unit preference of the runner.',
      }),
    )
}

/** The part of the settings that concerns shoes. */
export function defaultShoeRoutes(deps: Deps) {
  return new Elysia({ prefix: '/settings', tags: ['Shoes'] })
    .get(
      '/default-shoe',
      () => defaultShoe(deps.db) ?? jsonNull(),
      call('getDefaultShoe', 'The default shoe of new runs, or null', {
        answer: nullable(DefaultShoe),
        says: 'New runs get this shoe unless their file names another one.',
      }),
    )
    .put(
      '/default-shoe',
      ({ body }) => chooseDefaultShoe(deps, body.defaultShoeId),
      call('setDefaultShoe', 'Set the default shoe of new runs; null clears', {
        body: json(DefaultShoeRequest, { aliases: { shoeId: 'defaultShoeId' } }),
        answer: ChosenShoe,
        statuses: [404],
        says: 'Runs that are already stored keep their shoe. An unknown id is 404.',
      }),
    )
}

/** Elysia answers null with an empty body, which is not valid JSON. */
function jsonNull(): Response {
  return Response.json(null)
}
