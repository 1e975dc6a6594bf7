import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { pathIds } from '../../http/path-ids.ts'
import { query } from '../../http/query.ts'
import { jsonResponse } from '../detail-response.ts'
import { paging } from '../list.ts'
import { TimeSeriesPage, TimeSeriesParameters } from '../schemas.ts'
import { intervalsOfWorkout, lapsOfWorkout } from './laps.ts'
import { Laps, WorkoutIntervals } from './laps-schemas.ts'
import { samplesJson } from './samples.ts'
import { Samples, SamplesParameters } from './samples-schemas.ts'
import { timeSeries } from './time-series.ts'

const TIME_SERIES_PAGE = { standard: 1000, largest: 5000 }

/** What is read out of the samples of a run. */
export function sampleRoutes(deps: Deps) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .get('/:id/time-series', ({ params, query: sent }) => timeSeries(deps, params.id, paging(sent, TIME_SERIES_PAGE)), {
      params: pathIds({ id: 'Workout' }),
      ...query(TimeSeriesParameters),
      response: { 200: TimeSeriesPage },
      detail: { summary: 'Samples that have a heart rate, in pages' },
    })
    .get(
      '/:id/samples',
      async ({ params, query: { maxPoints } }) => jsonResponse(await samplesJson(deps, params.id, maxPoints)),
      {
        params: pathIds({ id: 'Workout' }),
        ...query(SamplesParameters),
        response: { 200: Samples },
        detail: { summary: 'All samples in columns, with smoothed pace, pauses and best efforts' },
      },
    )
    .get('/:id/laps', ({ params }) => lapsOfWorkout(deps, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: Laps },
      detail: { summary: 'The laps of the device, with the numbers of the run' },
    })
    .get('/:id/intervals', ({ params }) => intervalsOfWorkout(deps, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: WorkoutIntervals },
      detail: { summary: 'The repetitions of a session, from its laps or the steps of its pace' },
    })
}
