import { Elysia } from 'elysia'
import { byOf } from '../../http/author.ts'
import type { Heavy } from '../../http/heavy.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { DeleteQuery, ErrorBody } from '../../http/schemas.ts'
import { pathIds } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { deleteWorkout } from '../../library/remove-run.ts'
import { detailResponse } from './detail.ts'
import { editWorkout } from './edit.ts'
import { listWorkouts, neighboursOf } from './list.ts'
import { ListParameters, ListQuery, Neighbours, WorkoutPage } from './list-schemas.ts'
import { DetailParameters, EditedWorkout, WorkoutDetail, WorkoutEdit } from './schemas.ts'

/** The library: list, detail and edits. */
export function workoutRoutes(deps: Deps, heavy: Heavy) {
  const { db, loads } = deps
  const by = (request: Request) => ({ ...deps, ...byOf(request) })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
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
        const made = () => detailResponse(deps, params.id, { includeRaw, includeRoute })
        return includeRaw ? heavy.made(request, made) : made()
      },
      {
        params: pathIds({ id: 'Workout' }),
        ...query(DetailParameters),
        response: { 200: WorkoutDetail, 503: ErrorBody },
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
