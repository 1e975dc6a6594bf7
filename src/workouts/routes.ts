import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { json } from '../http/json.ts'
import { uploadLimit } from '../http/multipart.ts'
import { multipartBody, responses } from '../http/openapi.ts'
import { pathIds } from '../http/path-ids.ts'
import { query } from '../http/query.ts'
import { choice, ErrorBody } from '../http/schemas.ts'
import { workoutDetailJson } from './detail.ts'
import { deleteWorkout, editWorkout } from './edit.ts'
import { listWorkouts } from './list.ts'
import { listQuery, paging } from './list-query.ts'
import {
  DetailParameters,
  EditedWorkout,
  ImportAnswer,
  ListParameters,
  TimeSeriesPage,
  TimeSeriesParameters,
  WorkoutDetail,
  WorkoutEdit,
  WorkoutPage,
} from './schemas.ts'
import { timeSeries } from './time-series.ts'
import { importUpload } from './upload.ts'

const TIME_SERIES_PAGE = { standard: 1000, largest: 5000 }

/** The library: imports, list, detail, edits and samples. */
export function workoutRoutes(deps: Deps) {
  const { db } = deps
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post('/import', ({ request }) => importUpload(deps, request), {
      ...uploadLimit(deps.config.maxUploadBytes),
      response: { 200: ImportAnswer },
      detail: {
        summary: 'Import workout files: GPX, FIT, TCX or CSV, each also gzipped',
        requestBody: multipartBody({
          files: 'file',
          description: 'One or more files, whatever their field is called; one run answers itself, several a summary',
          fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
        }),
      },
    })
    .get('/', ({ query: sent }) => listWorkouts(db, listQuery(sent)), {
      ...query(ListParameters),
      response: { 200: WorkoutPage, 404: ErrorBody },
      detail: { summary: 'The library, filtered, sorted and in pages' },
    })
    .get('/:id', ({ params, query: { includeRaw } }) => detailResponse(deps, params.id, includeRaw ?? true), {
      params: pathIds({ id: 'Workout' }),
      ...query(DetailParameters),
      response: { 200: WorkoutDetail },
      detail: { summary: 'One workout with route, splits, weather and raw data' },
    })
    .patch('/:id', ({ params, body }) => editWorkout(deps, params.id, body), {
      params: pathIds({ id: 'Workout' }),
      ...json(WorkoutEdit, { aliases: { activityName: 'name' } }),
      response: { 200: EditedWorkout },
      detail: { summary: 'Change what was sent; null clears' },
    })
    .delete(
      '/:id',
      async ({ params, status }) => {
        await deleteWorkout(deps, params.id)
        return status(204)
      },
      {
        params: pathIds({ id: 'Workout' }),
        detail: { summary: 'Delete a workout with everything of it', ...responses(204, 401, 404) },
      },
    )
    .get('/:id/time-series', ({ params, query: sent }) => timeSeries(db, params.id, paging(sent, TIME_SERIES_PAGE)), {
      params: pathIds({ id: 'Workout' }),
      ...query(TimeSeriesParameters),
      response: { 200: TimeSeriesPage },
      detail: { summary: 'Samples that have a heart rate, in pages' },
    })
}

async function detailResponse({ db, config }: Deps, id: string, includeRaw: boolean): Promise<Response> {
  const text = await workoutDetailJson(db, config.dataDir, id, includeRaw)
  return new Response(text, { headers: { 'Content-Type': 'application/json' } })
}
