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

const FROM_IMPORT = `A name without a shoe gets one (brand: the first word), unless no recording gives it; each shoe is assigned to the \
runs that name it and have none. A run whose shoe the runner removed keeps none. Repeating it changes nothing. 400, with nothing \
done, beyond ${MOST_SHOES} shoes.`

export function shoeRoutes(deps: Deps) {
  const { db } = deps
  return new Elysia({ prefix: '/shoes', tags: ['Shoes'] })
    .get(
      '/',
      () => allShoes(db),
      call('listShoes', 'All shoes with their mileage', {
        answer: Type.Array(Shoe),
        says: 'By brand, then model, in any case, then createdAt. Retired shoes keep their runs and stay listed.',
      }),
    )
    .post(
      '/',
      ({ body }) => addShoe(deps, body),
      call('createShoe', 'Add a shoe', {
        idempotent: 'adds',
        body: NewShoe,
        answer: Shoe,
        says: `Runs are assigned by changing the runs. 400 when there are ${MOST_SHOES} shoes.`,
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
          'Members that are not sent keep their values; null clears, but not brand and model (400). A default shoe that is retired is ' +
          'replaced by that of the latest run in a shoe that is not. Files that name a retired shoe still get it.',
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
        says: 'Its runs have no shoe afterwards, nor new runs if it was the default. The receipt can undo it.',
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
        says: 'In kilometres or miles (1609.344 m), as asked, else in the unit preference of the runner.',
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
        says: 'New runs of an import get this shoe unless their file names another one; restored runs and those stored already do not.',
      }),
    )
    .put(
      '/default-shoe',
      ({ body }) => chooseDefaultShoe(deps, body.defaultShoeId),
      call('setDefaultShoe', 'Set the default shoe of new runs; null clears', {
        body: json(DefaultShoeRequest, { aliases: { shoeId: 'defaultShoeId' } }),
        answer: ChosenShoe,
        statuses: [404],
        says:
          'Runs that are already stored keep their shoe. 400: no defaultShoeId, one that is not a UUID, or a retired shoe; 404: an unknown ' +
          'one. Also read: shoeId.',
      }),
    )
}

/** Elysia answers null with an empty body, which is not valid JSON. */
function jsonNull(): Response {
  return Response.json(null)
}
