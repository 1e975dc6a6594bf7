import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { FORMAT_NAMES } from '../formats/registry.ts'
import { byOf } from '../http/author.ts'
import { json } from '../http/json.ts'
import { contentOf, JSON_TYPE, type Large } from '../http/large.ts'
import { uploadLimit } from '../http/multipart.ts'
import { multipartBody, responses } from '../http/openapi.ts'
import { pathIds } from '../http/path-ids.ts'
import { query } from '../http/query.ts'
import { choice, DeleteQuery, ErrorBody } from '../http/schemas.ts'
import { deleteWorkout } from '../library/remove-run.ts'
import { createTurns } from '../turns.ts'
import { workoutDetailJson } from './detail.ts'
import { detailResponse } from './detail-response.ts'
import { editWorkout } from './edit.ts'
import { listWorkouts, neighboursOf } from './list.ts'
import { ListParameters, ListQuery, Neighbours, WorkoutPage } from './list-schemas.ts'
import { DetailParameters, EditedWorkout, ImportAnswer, ImportQuery, WorkoutDetail, WorkoutEdit } from './schemas.ts'
import { importUpload, type NoteArrival } from './upload.ts'

/** The library: imports, list, detail and edits. */
export function workoutRoutes(deps: Deps, large: Large, noteArrival: NoteArrival) {
  const { db, config, loads } = deps
  const by = (request: Request) => ({ ...deps, ...byOf(request) })
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post('/import', ({ request, query: asked }) => importUpload(deps, request, { noteArrival, turns, ...asked }), {
      ...uploadLimit(config.maxUploadBytes),
      ...query(ImportQuery),
      response: { 200: ImportAnswer, 404: ErrorBody, 409: ErrorBody },
      detail: {
        summary: `Import workout files: ${FORMAT_NAMES}, each also gzipped`,
        requestBody: multipartBody({
          files: 'file',
          description: 'Files in fields of any name; one run answers itself, several a summary',
          fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
          example: { file: 'morning.fit.gz', fields: { unitPreference: 'metric' } },
        }),
      },
    })
    .get(
      '/',
      async ({ query: asked }) => {
        await loads.settle()
        return listWorkouts(deps, asked)
      },
      {
        ...query(ListParameters),
        response: { 200: WorkoutPage, 404: ErrorBody },
        detail: { summary: 'The library, filtered, sorted and in pages' },
      },
    )
    .get(
      '/:id',
      ({ params, query: { includeRaw = true, includeRoute = true }, request }) => {
        const parts = { includeRaw, includeRoute }
        if (!includeRaw) return detailResponse(deps, params.id, parts)
        return large(request, async () => {
          return { content: contentOf(await workoutDetailJson(deps, params.id, parts)), headers: JSON_TYPE }
        })
      },
      {
        params: pathIds({ id: 'Workout' }),
        ...query(DetailParameters),
        response: { 200: WorkoutDetail },
        detail: { summary: 'One workout with route, splits, weather and raw data' },
      },
    )
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
      detail: { summary: 'Change the members sent; null clears' },
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
          summary: 'Move a workout with everything in it to the trash',
          ...responses(204, 401, 404),
        },
      },
    )
}
