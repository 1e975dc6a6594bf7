import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { FORMAT_NAMES } from '../formats/registry.ts'
import { authorOf } from '../http/author.ts'
import { json } from '../http/json.ts'
import { uploadLimit } from '../http/multipart.ts'
import { bytesResponse, multipartBody, responses } from '../http/openapi.ts'
import { pathIds } from '../http/path-ids.ts'
import { query } from '../http/query.ts'
import { choice, DeleteQuery, ErrorBody } from '../http/schemas.ts'
import { deleteWorkout } from '../library/remove-run.ts'
import { loadRefresher } from '../library/training/refresh.ts'
import { ZONES_ALIASES } from '../settings/schemas.ts'
import { createTurns } from '../turns.ts'
import { detailResponse, jsonResponse } from './detail-response.ts'
import { editWorkout } from './edit.ts'
import { EditedEffort, EffortEdit, editEffort, effortParams } from './efforts/edit.ts'
import { RunEfforts, runEfforts } from './efforts/ranks.ts'
import { intervalsOfWorkout, lapsOfWorkout } from './laps.ts'
import { Laps, WorkoutIntervals } from './laps-schemas.ts'
import { listWorkouts, neighboursOf, paging } from './list.ts'
import { ListParameters, ListQuery, Neighbours, WorkoutPage } from './list-schemas.ts'
import { originalFile } from './original-file.ts'
import { countWhere, ROUTED, SCORABLE } from './queries.ts'
import { recalculateAllEfforts, recalculateAllSplits, recalculateEffort, recalculateSplits } from './recalculate.ts'
import { raceAgainst } from './same-ground/ghost.ts'
import { GhostRace } from './same-ground/ghost-schemas.ts'
import { passesOfStretch } from './same-ground/passes.ts'
import { Passes, PassesParameters } from './same-ground/passes-schemas.ts'
import { samplesJson } from './samples.ts'
import { Samples, SamplesParameters } from './samples-schemas.ts'
import {
  DetailParameters,
  EditedWorkout,
  EffortRecalculation,
  ImportAnswer,
  RecalculatedEffort,
  RecalculatedSplits,
  SimilarParameters,
  SimilarRoutes,
  SplitsRecalculation,
  TimeSeriesPage,
  TimeSeriesParameters,
  WorkoutCount,
  WorkoutDetail,
  WorkoutEdit,
} from './schemas.ts'
import { similarRoutes } from './similar.ts'
import { workoutSources } from './sources.ts'
import { WorkoutSources } from './sources-schemas.ts'
import { timeSeries } from './time-series.ts'
import { UpdatedZones, updateZones, ZonesUpdate } from './update-zones.ts'
import { importUpload, type Told } from './upload.ts'

const NoMembers = Type.Object({}, { description: 'May be absent', examples: [{}] })
const TIME_SERIES_PAGE = { standard: 1000, largest: 5000 }

const FILE_RESPONSES = {
  ...responses(416).responses,
  200: bytesResponse(200, 'application/octet-stream'),
  206: bytesResponse(206, 'application/octet-stream'),
}

/** The settings route that also scores every workout; it is here because settings must not depend on workouts. */
export function zonesUpdateRoutes(deps: Deps) {
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/settings', tags: ['Settings'] }).post(
    '/heart-rate-zones/update-with-recalc',
    ({ body, request }) => updateZones({ ...deps, ...authorOf(request) }, turns, body),
    {
      ...json(ZonesUpdate, { aliases: { ...ZONES_ALIASES, recalculateAll: 'recalculateExisting' } }),
      response: { 200: UpdatedZones },
      detail: { summary: 'Store heart-rate zones and, when asked, score all workouts with them' },
    },
  )
}

/** The library: imports, list, detail, edits and samples. */
export function workoutRoutes(deps: Deps, told: Told) {
  const { db } = deps
  const by = (request: Request) => ({ ...deps, ...authorOf(request) })
  const withLoads = async <T>(answer: () => T): Promise<Awaited<T>> => {
    await loadRefresher(deps).settle()
    return await answer()
  }
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post('/import', ({ request }) => importUpload(deps, request, told), {
      ...uploadLimit(deps.config.maxUploadBytes),
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
    .get('/', ({ query: asked }) => withLoads(() => listWorkouts(db, asked)), {
      ...query(ListParameters),
      response: { 200: WorkoutPage, 404: ErrorBody },
      detail: { summary: 'The library, filtered, sorted and in pages' },
    })
    .get('/:id', ({ params, query: asked }) => detailResponse(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(DetailParameters),
      response: { 200: WorkoutDetail },
      detail: { summary: 'One workout with route, splits, weather and raw data' },
    })
    .get('/:id/neighbours', ({ params, query: asked }) => withLoads(() => neighboursOf(db, params.id, asked)), {
      params: pathIds({ id: 'Workout' }),
      ...query(ListQuery),
      response: { 200: Neighbours },
      detail: { summary: 'The workouts before and after one in a list, asked for as the list is' },
    })
    .patch('/:id', ({ params, body, request }) => editWorkout(by(request), params.id, body), {
      params: pathIds({ id: 'Workout' }),
      ...json(WorkoutEdit, { aliases: { activityName: 'name' } }),
      response: { 200: EditedWorkout },
      detail: { summary: 'Change what was sent; null clears' },
    })
    .get('/:id/best-efforts', ({ params }) => runEfforts(db, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: RunEfforts, 404: ErrorBody },
      detail: { summary: 'Best efforts within a run, ranked among all runs and those of its year' },
    })
    .patch('/:id/best-efforts/:distanceM', ({ params, body, request }) => editEffort(by(request), params, body), {
      params: effortParams,
      ...json(EffortEdit),
      response: { 200: EditedEffort },
      detail: { summary: 'Say of a best effort that it counts, or that it is no record' },
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
    .get('/:id/time-series', ({ params, query: sent }) => timeSeries(deps, params.id, paging(sent, TIME_SERIES_PAGE)), {
      params: pathIds({ id: 'Workout' }),
      ...query(TimeSeriesParameters),
      response: { 200: TimeSeriesPage },
      detail: { summary: 'Samples that have a heart rate, in pages' },
    })
    .get('/:id/samples', ({ params, query: { maxPoints } }) => samplesResponse(deps, params.id, maxPoints), {
      params: pathIds({ id: 'Workout' }),
      ...query(SamplesParameters),
      response: { 200: Samples },
      detail: { summary: 'All samples in columns, with smoothed pace, pauses and best efforts' },
    })
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
    .get('/:id/sources', ({ params }) => workoutSources(deps, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: WorkoutSources },
      detail: { summary: 'The recordings and repairs of a workout, and where each of its numbers comes from' },
    })
    .get(
      '/:id/sources/:recordingId/file',
      ({ params, request }) => originalFile(deps, params, request.headers.get('range')),
      {
        params: pathIds({ id: 'Workout', recordingId: 'Recording' }),
        detail: { summary: 'The original of one recording, byte for byte', responses: FILE_RESPONSES },
      },
    )
    .get('/:id/file', ({ params, request }) => originalFile(deps, params, request.headers.get('range')), {
      params: pathIds({ id: 'Workout' }),
      detail: { summary: 'The original file, byte for byte', responses: FILE_RESPONSES },
    })
    .use(recalculationRoutes(deps))
}

/** Calls that recompute or compare runs. */
function recalculationRoutes(deps: Deps) {
  const { db } = deps
  const by = (request: Request) => ({ ...deps, ...authorOf(request) })
  return new Elysia({ tags: ['Workouts'] })
    .post('/:id/recalculate-effort', ({ params, request }) => recalculateEffort(by(request), params.id), {
      params: pathIds({ id: 'Workout' }),
      parse: 'none',
      response: { 200: RecalculatedEffort, 400: ErrorBody },
      detail: { summary: 'Score one workout with the stored zones' },
    })
    .post('/:id/recalculate-splits', ({ params, request }) => recalculateSplits(by(request), params.id), {
      params: pathIds({ id: 'Workout' }),
      parse: 'none',
      response: { 200: RecalculatedSplits, 400: ErrorBody },
      detail: { summary: 'Cut one workout anew in the preferred unit' },
    })
    .get('/:id/similar-routes', ({ params, query: asked }) => similarRoutes(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(SimilarParameters),
      response: { 200: SimilarRoutes },
      detail: { summary: 'Earlier runs on much the same route, the most similar first' },
    })
    .get('/:id/passes', ({ params, query: asked }) => passesOfStretch(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(PassesParameters),
      response: { 200: Passes },
      detail: { summary: 'All passes of the library through a stretch of a run, either way round' },
    })
    .get('/:id/ghost/:otherId', ({ params }) => raceAgainst(deps, params), {
      params: pathIds({ id: 'Workout', otherId: 'Workout' }),
      response: { 200: GhostRace, 400: ErrorBody },
      detail: { summary: 'A run against another one on its route: the gap along the way, and what it is made of' },
    })
    .get('/recalculate-relative-effort/count', () => ({ count: countWhere(db, SCORABLE) }), {
      response: { 200: WorkoutCount },
      detail: { summary: 'How many workouts have a heart rate to score' },
    })
    .post('/recalculate-relative-effort', ({ request }) => recalculateAllEfforts(by(request)), {
      ...json(NoMembers, { optional: 'object' }),
      response: { 200: EffortRecalculation },
      detail: { summary: 'Score all workouts with the stored zones' },
    })
    .get('/recalculate-splits/count', () => ({ count: countWhere(db, ROUTED) }), {
      response: { 200: WorkoutCount },
      detail: { summary: 'How many workouts have a route' },
    })
    .post('/recalculate-splits', ({ request }) => recalculateAllSplits(by(request)), {
      ...json(NoMembers, { optional: 'object' }),
      response: { 200: SplitsRecalculation },
      detail: { summary: 'Cut all workouts with a route anew in the preferred unit' },
    })
}

async function samplesResponse(deps: Deps, id: string, maxPoints: number | undefined): Promise<Response> {
  return jsonResponse(await samplesJson(deps, id, maxPoints))
}
