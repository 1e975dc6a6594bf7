import { Elysia } from 'elysia'
import { byOf } from '../../../http/author.ts'
import type { Heavy } from '../../../http/heavy.ts'
import { json } from '../../../http/json.ts'
import { pathIds } from '../../../http/path-ids.ts'
import { query } from '../../../http/query.ts'
import { ErrorBody } from '../../../http/schemas.ts'
import type { Deps } from '../../../library/deps.ts'
import { paging } from '../list.ts'
import { TimeSeriesPage, TimeSeriesParameters } from '../schemas.ts'
import { correctIntervals, intervalsOfWorkout } from './intervals.ts'
import { lapsOfWorkout } from './laps.ts'
import { IntervalsEdit, Laps, WorkoutIntervals } from './laps-schemas.ts'
import { samplesResponse } from './samples.ts'
import { Samples, SamplesParameters } from './samples-schemas.ts'
import { timeSeries } from './time-series.ts'

const TIME_SERIES_PAGE = { standard: 1000, largest: 5000 }

/** What is read out of the samples of a run. */
export function sampleRoutes(deps: Deps, heavy: Heavy) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .get(
      '/:id/time-series',
      ({ params, query: sent, request }) =>
        heavy.made(request, async () =>
          Response.json(await timeSeries(deps, params.id, paging(sent, TIME_SERIES_PAGE))),
        ),
      {
        params: pathIds({ id: 'Workout' }),
        ...query(TimeSeriesParameters),
        response: { 200: TimeSeriesPage, 503: ErrorBody },
        detail: { summary: 'Samples that have a heart rate, in pages' },
      },
    )
    .get(
      '/:id/samples',
      ({ params, query: { maxPoints }, request }) =>
        heavy.made(request, () => samplesResponse(deps, params.id, maxPoints)),
      {
        params: pathIds({ id: 'Workout' }),
        ...query(SamplesParameters),
        response: { 200: Samples, 503: ErrorBody },
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
    .put(
      '/:id/intervals',
      ({ params, body, request }) => correctIntervals({ ...deps, ...byOf(request) }, params.id, body),
      {
        params: pathIds({ id: 'Workout' }),
        ...json(IntervalsEdit),
        response: { 200: WorkoutIntervals },
        detail: { summary: 'Correct the repetitions of a session; null has them recognised again' },
      },
    )
}
