import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { byOf } from '../http/author.ts'
import { json } from '../http/json.ts'
import { responses } from '../http/openapi.ts'
import { pathIds } from '../http/path-ids.ts'
import { query } from '../http/query.ts'
import { ErrorBody, nullable } from '../http/schemas.ts'
import { addShoe, chooseDefaultShoe, deleteShoe, editShoe } from './edit.ts'
import { addShoesFromImport } from './from-import.ts'
import { allShoes, defaultShoe, shoeMileage, shoesFound } from './queries.ts'
import {
  ChosenShoe,
  DefaultShoe,
  DefaultShoeRequest,
  MileageQuery,
  MOST_SHOES,
  NamesFromImport,
  NewShoe,
  Shoe,
  ShoeEdit,
  ShoeFound,
  ShoeMileage,
  ShoesFromImport,
} from './schemas.ts'

const FROM_IMPORT = `For each name that a recording gives: the shoe of that name, or a new one whose brand is the first \
word, is put on the runs whose recordings name it and that have no shoe; a run whose shoe the runner took off keeps none. \
A name that no recording gives makes no shoe. Doing it again changes nothing. When there would be more than \
${MOST_SHOES} shoes nothing is done (400).`

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
      detail: { summary: 'Shoes that imported recordings name, and whether they are there' },
    })
    .post('/from-import', ({ body: { names }, request }) => addShoesFromImport({ ...deps, ...byOf(request) }, names), {
      ...json(NamesFromImport),
      response: { 200: ShoesFromImport },
      detail: {
        summary: 'Add shoes that imported recordings name, and put them on their runs',
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
      detail: { summary: 'The shoe that new runs are given, or null' },
    })
    .put('/default-shoe', ({ body }) => chooseDefaultShoe(deps, body.defaultShoeId), {
      ...json(DefaultShoeRequest, { aliases: { shoeId: 'defaultShoeId' } }),
      response: { 200: ChosenShoe, 404: ErrorBody },
      detail: { summary: 'Choose the shoe that new runs are given; null clears' },
    })
}

/** Elysia answers null with an empty body, which is not valid JSON. */
function jsonNull(): Response {
  return Response.json(null)
}
