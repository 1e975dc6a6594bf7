import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { notFound } from '../../../base/errors.ts'
import { workouts } from '../../../db/schema.ts'
import { type Lap, statedLaps } from '../../../engine/run/laps.ts'
import { byOf } from '../../../http/author.ts'
import { call } from '../../../http/call.ts'
import type { Heavy } from '../../../http/heavy.ts'
import type { Deps } from '../../../library/deps.ts'
import { workoutExists } from '../../../library/ids.ts'
import { elevationOptions } from '../../../library/inputs.ts'
import { workoutLaps } from '../../../library/laps.ts'
import { storedTrack } from '../../../library/recordings.ts'
import { paging } from '../list.ts'
import { TimeSeriesPage, TimeSeriesParameters } from '../schemas.ts'
import { correctIntervals, intervalsOfWorkout } from './intervals.ts'
import { IntervalsEdit, Laps, WorkoutIntervals } from './laps-schemas.ts'
import { nearest, samplesResponse } from './samples.ts'
import { Samples, SamplesParameters } from './samples-schemas.ts'

const TIME_SERIES_PAGE = { standard: 1000, largest: 5000 }

/** What is read out of the samples of a run. */
export function sampleRoutes(deps: Deps, heavy: Heavy) {
  return new Elysia({ prefix: '/workouts', tags: ['Details of a run'] })
    .get(
      '/:id/time-series',
      ({ params, query: sent, request }) =>
        heavy.made(request, async () =>
          Response.json(await timeSeries(deps, params.id, paging(sent, TIME_SERIES_PAGE))),
        ),
      call('getWorkoutTimeSeries', 'Samples that have a heart rate, in pages', {
        path: { id: 'Workout' },
        query: TimeSeriesParameters,
        answer: TimeSeriesPage,
        statuses: [503],
        says:
          'Seconds are rounded. GET samples has all columns at once, unrounded. 404 for a page past the end, but the ' +
          'first always exists.',
      }),
    )
    .get(
      '/:id/samples',
      ({ params, query: { maxPoints }, request }) =>
        heavy.made(request, () => samplesResponse(deps, params.id, maxPoints)),
      call('getWorkoutSamples', 'All samples in columns, with smoothed pace, pauses and best efforts', {
        path: { id: 'Workout' },
        query: SamplesParameters,
        answer: Samples,
        statuses: [503],
        says:
          'One array for each channel of the cleaned samples. maxPoints thins them and keeps the extremes. 503 when ' +
          'too many large answers wait.',
      }),
    )
    .get(
      '/:id/laps',
      ({ params }) => lapsOfWorkout(deps, params.id),
      call('listWorkoutLaps', 'The laps of the device, with the numbers of the run', {
        path: { id: 'Workout' },
        answer: Laps,
        says:
          'Cut to the run as it is now; starts, ends, triggers and intensities as recorded. Empty when the device ' +
          'recorded no laps. Splits of equal length are in the run itself.',
      }),
    )
    .get(
      '/:id/intervals',
      ({ params }) => intervalsOfWorkout(deps, params.id),
      call('getWorkoutIntervals', 'The repetitions of a session, from its laps or the steps of its pace', {
        path: { id: 'Workout' },
        answer: WorkoutIntervals,
        says:
          'Repetitions in sets, with their recoveries: as the runner gave them, else from alternating or marked laps, ' +
          'else from steps of the pace. Empty sets mean that none were recognised.',
      }),
    )
    .put(
      '/:id/intervals',
      ({ params, body, request }) => correctIntervals({ ...deps, ...byOf(request) }, params.id, body),
      call('setWorkoutIntervals', 'Correct the repetitions of a session; null has them recognised again', {
        path: { id: 'Workout' },
        body: IntervalsEdit,
        answer: WorkoutIntervals,
        says:
          'The given sections replace the recognised ones. They must be sorted, apart and within the run, each at ' +
          'least 5 s, else 400. They keep their place in the recording and are cut with the run.',
        receipt: true,
      }),
    )
}

/**
 * The laps of the device with numbers of the run as it is now: cut to it, computed from its samples. Without samples
 * they have the numbers of the device. A long track is processed by the Worker.
 * @throws AppError 404
 */
async function lapsOfWorkout(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'worker'>,
  id: string,
): Promise<Static<typeof Laps>> {
  const { db, worker } = deps
  const workout = db.select({ startedAt: workouts.startedAt }).from(workouts).where(eq(workouts.id, id)).get()
  if (workout === undefined) throw notFound('Workout')
  const laps = workoutLaps(deps.db, id)
  if (laps.length === 0) return []
  const stored = storedTrack(db, id)
  if (stored === null) return numbered(statedLaps(workout.startedAt, laps))
  const elevation = elevationOptions(deps)
  const found = await nearest(worker, stored).ask('laps', { ...stored, laps, elevation })
  return numbered(found.laps)
}

function numbered(laps: readonly Lap[]): Static<typeof Laps> {
  return laps.map((lap, idx) => ({ idx, ...lap }))
}

/**
 * One page of the samples with a heart rate, by elapsed time, then as recorded. A long track is processed by the
 * Worker.
 * @throws AppError 404 for an unknown workout and for a page past the end (the first page always exists)
 */
async function timeSeries(
  { db, worker }: Pick<Deps, 'db' | 'worker'>,
  id: string,
  asked: { readonly page: number; readonly pageSize: number },
) {
  if (!workoutExists(db, id)) throw notFound('Workout')
  const stored = storedTrack(db, id)
  const { items, totalCount } =
    stored === null
      ? { items: [], totalCount: 0 }
      : (await nearest(worker, stored).ask('heartRates', { ...stored, ...asked })).found
  const { page, pageSize } = asked
  const totalPages = Math.ceil(totalCount / pageSize)
  if (page > Math.max(totalPages, 1)) throw notFound('Page')
  return { items: [...items], page, pageSize, totalCount, totalPages }
}
