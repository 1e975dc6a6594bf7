import { Elysia } from 'elysia'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import type { Heavy } from '../../http/heavy.ts'
import { json } from '../../http/json.ts'
import { DeleteQuery } from '../../http/schemas.ts'
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
      async ({ query }) => {
        await loads.upToDate()
        return listWorkouts(deps, query)
      },
      call('listWorkouts', 'The library, filtered, sorted and in pages', {
        query: ListParameters,
        answer: WorkoutPage,
        statuses: [404],
        says:
          'Filters add up. An unknown climb or effort sorts as 0, a run without a name as one with an empty name. ' +
          '404 for a page past the end, unless the list is empty. Words that runType, sortBy and sortOrder do not ' +
          'list are taken, too (sortBy also as durations, distancem, elevgainm, relative-effort, movingtimes, ' +
          'avgpaces and avgheartratebpm), and pages and sizes out of bounds are clamped; all else is 400.',
      }),
    )
    .get(
      '/:id',
      ({ params, query: { includeRaw = true, includeRoute = true }, request }) => {
        const made = () => detailResponse(deps, params.id, { includeRaw, includeRoute })
        return includeRaw ? heavy.made(request, made) : made()
      },
      call('getWorkout', 'One workout with route, splits, weather and raw data', {
        path: { id: 'Workout' },
        query: DetailParameters,
        answer: WorkoutDetail,
        statuses: [503],
        says:
          'Everything stored of one run. includeRaw=false and includeRoute=false leave out the large members. ' +
          'With raw data the answer may wait for others; 503 when too many wait.',
      }),
    )
    .get(
      '/:id/neighbours',
      async ({ params, query }) => {
        await loads.upToDate()
        return neighboursOf(db, params.id, query)
      },
      call('getWorkoutNeighbours', 'The workouts before and after one in a list, asked for as the list is', {
        path: { id: 'Workout' },
        query: ListQuery,
        answer: Neighbours,
        says:
          'Takes the filters and the order of the list, so that a page can lead from run to run. A run that the ' +
          'filters leave out has neither neighbours nor a position.',
      }),
    )
    .patch(
      '/:id',
      ({ params, body, request }) => editWorkout(by(request), params.id, body),
      call('updateWorkout', 'Change the members sent; null clears', {
        path: { id: 'Workout' },
        body: json(WorkoutEdit, { aliases: { activityName: 'name' } }),
        answer: EditedWorkout,
        says:
          'Members that are not sent keep their values; {} changes nothing. All that is sent is one edit with one ' +
          'receipt, which can undo it; with anything wrong nothing is saved. activityName is another word for name. ' +
          'stated is 400 when nothing was corrected, for a joined, merged or split run, while a repair of the ' +
          'samples is active, and when the original is missing or cannot be read.',
        receipt: true,
      }),
    )
    .delete(
      '/:id',
      async ({ params, query: { forever = false }, request, status }) => {
        await deleteWorkout(by(request), params.id, { isForever: forever })
        return status(204)
      },
      call('deleteWorkout', 'Move a workout with everything in it to the trash', {
        path: { id: 'Workout' },
        query: DeleteQuery,
        statuses: [204],
        says:
          'It can be restored until it is purged. With forever=true, or where UNDO_DAYS is 0, it is deleted at once, ' +
          'first its rows, then its files; one that cannot be removed is logged. Best efforts are ranked again.',
        receipt: true,
      }),
    )
}
