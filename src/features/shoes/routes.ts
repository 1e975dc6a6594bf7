import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notFound } from '../../base/errors.ts'
import { MOST_SHOES } from '../../engine/limits.ts'
import { byOf } from '../../http/author.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { ErrorBody, nullable } from '../../http/schemas.ts'
import { pathIds } from '../../http/standard.ts'
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
    .get('/', () => allShoes(db), {
      response: { 200: Type.Array(Shoe) },
      detail: { summary: 'All shoes with their mileage' },
    })
    .post('/', ({ body }) => addShoe(deps, body), {
      ...json(NewShoe),
      response: { 200: Shoe },
      detail: { summary: 'Add a shoe' },
    })
    .get('/from-import', () => shoesFound(db), {
      response: { 200: Type.Array(ShoeFound) },
      detail: { summary: 'Shoes named by imported recordings, and whether they exist' },
    })
    .post('/from-import', ({ body: { names }, request }) => addShoesFromImport({ ...deps, ...byOf(request) }, names), {
      ...json(NamesFromImport),
      response: { 200: ShoesFromImport },
      detail: {
        summary: 'Add shoes named by imported recordings, and assign them to their runs',
        description: FROM_IMPORT,
      },
    })
    .patch('/:id', ({ params: { id }, body }) => editShoe(deps, id, body), {
      params: pathIds({ id: 'Shoe' }),
      ...json(ShoeEdit),
      response: { 200: Shoe },
      detail: { summary: 'Change the sent fields of a shoe' },
    })
    .delete(
      '/:id',
      ({ params: { id }, request, status }) => {
        deleteShoe({ ...deps, ...byOf(request) }, id)
        return status(204)
      },
      {
        params: pathIds({ id: 'Shoe' }),
        detail: { summary: 'Delete a shoe; its runs stay', ...responses(204) },
      },
    )
    .get(
      '/:id/mileage',
      ({ params: { id }, query: { unitPreference } }) => {
        const mileage = shoeMileage(db, id, unitPreference)
        if (mileage === null) throw notFound('Shoe')
        return { shoeId: id, ...mileage }
      },
      {
        params: pathIds({ id: 'Shoe' }),
        ...query(MileageQuery),
        response: { 200: ShoeMileage },
        detail: { summary: 'Mileage of a shoe in a unit' },
      },
    )
}

/** The part of the settings that concerns shoes. */
export function defaultShoeRoutes(deps: Deps) {
  return new Elysia({ prefix: '/settings', tags: ['Settings'] })
    .get('/default-shoe', () => defaultShoe(deps.db) ?? jsonNull(), {
      response: { 200: nullable(DefaultShoe) },
      detail: { summary: 'The default shoe of new runs, or null' },
    })
    .put('/default-shoe', ({ body }) => chooseDefaultShoe(deps, body.defaultShoeId), {
      ...json(DefaultShoeRequest, { aliases: { shoeId: 'defaultShoeId' } }),
      response: { 200: ChosenShoe, 404: ErrorBody },
      detail: { summary: 'Set the default shoe of new runs; null clears' },
    })
}

/** Elysia answers null with an empty body, which is not valid JSON. */
function jsonNull(): Response {
  return Response.json(null)
}
