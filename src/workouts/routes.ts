import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { FORMAT_NAMES } from '../formats/registry.ts'
import { byOf } from '../http/author.ts'
import { json } from '../http/json.ts'
import { uploadLimit } from '../http/multipart.ts'
import { multipartBody, responses } from '../http/openapi.ts'
import { pathIds } from '../http/path-ids.ts'
import { query } from '../http/query.ts'
import { choice, DeleteQuery, ErrorBody } from '../http/schemas.ts'
import { deleteWorkout } from '../library/remove-run.ts'
import { detailResponse } from './detail-response.ts'
import { editWorkout } from './edit.ts'
import { listWorkouts, neighboursOf } from './list.ts'
import { ListParameters, ListQuery, Neighbours, WorkoutPage } from './list-schemas.ts'
import { DetailParameters, EditedWorkout, ImportAnswer, WorkoutDetail, WorkoutEdit } from './schemas.ts'
import { importUpload, type Told } from './upload.ts'

/** The library: imports, list, detail and edits. */
export function workoutRoutes(deps: Deps, told: Told) {
  const { db, config, loads } = deps
  const by = (request: Request) => ({ ...deps, ...byOf(request) })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post('/import', ({ request }) => importUpload(deps, request, told), {
      ...uploadLimit(config.maxUploadBytes),
      response: { 200: ImportAnswer },
      detail: {
        summary: `Import workout files: ${FORMAT_NAMES}, each also gzipped`,
        requestBody: multipartBody({
          files: 'file',
          description: 'One or more files, whatever their field is called; one run answers itself, several a summary',
          fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
          example: { file: 'morning.fit.gz', fields: { unitPreference: 'metric' } },
        }),
      },
    })
    .get(
      '/',
      async ({ query: asked }) => {
        await loads.settle()
        return listWorkouts(db, asked)
      },
      {
        ...query(ListParameters),
        response: { 200: WorkoutPage, 404: ErrorBody },
        detail: { summary: 'The library, filtered, sorted and in pages' },
      },
    )
    .get('/:id', ({ params, query: asked }) => detailResponse(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(DetailParameters),
      response: { 200: WorkoutDetail },
      detail: { summary: 'One workout with route, splits, weather and raw data' },
    })
    .get(
      '/:id/neighbours',
      async ({ params, query: asked }) => {
        await loads.settle()
        return neighboursOf(db, params.id, asked)
      },
      {
        params: pathIds({ id: 'Workout' }),
        ...query(ListQuery),
        response: { 200: Neighbours },
        detail: { summary: 'The workouts before and after one in a list, asked for as the list is' },
      },
    )
    .patch('/:id', ({ params, body, request }) => editWorkout(by(request), params.id, body), {
      params: pathIds({ id: 'Workout' }),
      ...json(WorkoutEdit, { aliases: { activityName: 'name' } }),
      response: { 200: EditedWorkout },
      detail: { summary: 'Change what was sent; null clears' },
    })
    .delete(
      '/:id',
      async ({ params, query: { forever = false }, request, status }) => {
        await deleteWorkout(by(request), params.id, { isForever: forever })
        return status(204)
      },
      {
        params: pathIds({ id: 'Workout' }),
        ...query(DeleteQuery),
        detail: {
          summary: 'Delete a workout with everything of it: it goes to the trash',
          ...responses(204, 401, 404),
        },
      },
    )
}
