import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { byOf } from '../http/author.ts'
import { json } from '../http/json.ts'
import { pathIds } from '../http/path-ids.ts'
import { ErrorBody } from '../http/schemas.ts'
import { workoutDetailJson } from '../workouts/detail.ts'
import { detailResponse, jsonResponse } from '../workouts/detail-response.ts'
import { WorkoutDetail } from '../workouts/schemas.ts'
import { bulkEdit } from './bulk-edit.ts'
import { repairAnswer, type Trial } from './change.ts'
import { joinWorkouts } from './join.ts'
import { addManualRun } from './manual.ts'
import { cropWorkout, cutWorkout, mendWorkout, odditiesOf, sayDistance } from './samples-repairs.ts'
import {
  BulkEdit,
  BulkEdited,
  DetailOrTrial,
  ManualRun,
  NumbersEdit,
  Oddities,
  Revert,
  SplitAnswer,
  TriedRun,
  WorkoutCrop,
  WorkoutCut,
  WorkoutDistance,
  WorkoutJoin,
  WorkoutMend,
  WorkoutShift,
  WorkoutSplit,
} from './schemas.ts'
import { splitWorkout } from './split.ts'
import { editNumbers, revertWorkout, shiftWorkout } from './told-repairs.ts'

const ANSWERS = { response: { 200: DetailOrTrial, 400: ErrorBody } }
const NO_RAW = { includeRaw: false, includeRoute: true }
const CROP_ALIASES = { startTrimSeconds: 'removeFromStartSeconds', endTrimSeconds: 'removeFromEndSeconds' }
const OF_RUN = { params: pathIds({ id: 'Workout' }), ...ANSWERS }

/** Manual runs, and changes to recorded ones. The raw members of answers are null. */
export function repairRoutes(deps: Deps) {
  const answer = (id: string, trial: Trial | null) => repairAnswer(deps, id, trial)
  const by = (request: Request) => ({ ...deps, ...byOf(request) })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post(
      '/',
      async ({ body, request }) => {
        const added = addManualRun(by(request), body)
        if (!('id' in added)) return jsonResponse(JSON.stringify(added))
        const { id } = added
        const headers = { Location: `/workouts/${id}` }
        return await detailResponse(deps, id, { includeRaw: false }, { status: 201, headers })
      },
      {
        ...json(ManualRun),
        response: { 200: TriedRun, 201: WorkoutDetail },
        detail: { summary: 'Add a run that was not recorded' },
      },
    )
    .post(
      '/join',
      async ({ body, request }) => {
        const joined = await joinWorkouts(by(request), body)
        if (!('id' in joined)) return jsonResponse(JSON.stringify(joined))
        return await detailResponse(deps, joined.id, { includeRaw: false })
      },
      {
        ...json(WorkoutJoin),
        response: { 200: DetailOrTrial },
        detail: { summary: 'Make one run of several that follow each other' },
      },
    )
    .post('/bulk-edit', ({ body, request }) => bulkEdit(by(request), body), {
      ...json(BulkEdit),
      response: { 200: BulkEdited },
      detail: { summary: 'Set shoe, type, RPE or name of many runs, or add to their notes; all or none' },
    })
    .patch(
      '/:id/numbers',
      async ({ params: { id }, body, request }) => answer(id, await editNumbers(by(request), id, body)),
      {
        ...OF_RUN,
        ...json(NumbersEdit),
        detail: { summary: 'Change numbers of a run that has no recorded points' },
      },
    )
    .post(
      '/:id/crop',
      async ({ params: { id }, body, request }) => answer(id, await cropWorkout(by(request), id, body)),
      {
        params: pathIds({ id: 'Workout' }),
        ...json(WorkoutCrop, { aliases: CROP_ALIASES }),
        response: { 200: DetailOrTrial },
        detail: { summary: 'Cut seconds off the start and the end; the raw members are null' },
      },
    )
    .post(
      '/:id/cut',
      async ({ params: { id }, body, request }) => answer(id, await cutWorkout(by(request), id, body)),
      {
        ...OF_RUN,
        ...json(WorkoutCut),
        detail: { summary: 'Take a stretch out of the middle of a run' },
      },
    )
    .post(
      '/:id/split',
      async ({ params: { id }, body, request }) => {
        const split = await splitWorkout(by(request), id, body)
        if (!('ids' in split)) return jsonResponse(JSON.stringify(split))
        const details = await Promise.all(split.ids.map((part) => workoutDetailJson(deps, part, NO_RAW)))
        return jsonResponse(['{"workouts":[', ...details.flatMap((one, k) => (k === 0 ? one : [',', ...one])), ']}'])
      },
      {
        params: pathIds({ id: 'Workout' }),
        ...json(WorkoutSplit),
        response: { 200: SplitAnswer, 400: ErrorBody },
        detail: { summary: 'Split a run into several; the first part keeps its id' },
      },
    )
    .post(
      '/:id/mend',
      async ({ params: { id }, body, request }) => answer(id, await mendWorkout(by(request), id, body)),
      {
        ...OF_RUN,
        ...json(WorkoutMend),
        detail: { summary: 'Take wrong readings out of a stretch of a run' },
      },
    )
    .get('/:id/oddities', ({ params }) => odditiesOf(deps, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: Oddities },
      detail: { summary: 'Stretches whose readings look wrong, and how they could be mended' },
    })
    .post(
      '/:id/distance',
      async ({ params: { id }, body, request }) => answer(id, await sayDistance(by(request), id, body)),
      {
        ...OF_RUN,
        ...json(WorkoutDistance),
        detail: { summary: 'Say how far a run was, as the display of a treadmill does; null takes it back' },
      },
    )
    .post(
      '/:id/shift',
      async ({ params: { id }, body, request }) => answer(id, await shiftWorkout(by(request), id, body)),
      {
        ...OF_RUN,
        ...json(WorkoutShift),
        detail: { summary: 'Move a run in time, or say in which time zone it was' },
      },
    )
    .post(
      '/:id/revert',
      async ({ params: { id }, body, request }) => answer(id, await revertWorkout(by(request), id, body)),
      {
        ...OF_RUN,
        ...json(Revert, { optional: true }),
        detail: { summary: 'Take all repairs back: the state before the first of them' },
      },
    )
}
