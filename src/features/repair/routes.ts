import type { TObject } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notFound } from '../../base/errors.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { byOf } from '../../http/author.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { ErrorBody } from '../../http/schemas.ts'
import { pathIds } from '../../http/standard.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { dismissPair, type StoredPair, suggestedPairs } from '../../library/merging/pairs.ts'
import { detailResponse, jsonResponse, workoutDetailJson } from '../workouts/detail.ts'
import { WorkoutDetail } from '../workouts/schemas.ts'
import { bulkEdit } from './bulk-edit.ts'
import { odditiesOf, type Repairing, repairRun } from './change.ts'
import { joinWorkouts } from './join.ts'
import { addManualRun } from './manual.ts'
import { chooseFields, mergeCertain, mergeWorkouts, separateWorkout } from './merge.ts'
import {
  ChosenFields,
  MergeAnswer,
  MergeSuggestions,
  PairsMerge,
  PairsMerged,
  WorkoutMerge,
  WorkoutUnmerge,
} from './merge-schemas.ts'
import { crop, cut, distance, mend, numbers, revert, shift } from './repairs.ts'
import {
  BulkEdit,
  BulkEdited,
  DetailOrTrial,
  ManualRun,
  NumbersEdit,
  Oddities,
  Revert,
  SeveralRuns,
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

const NO_RAW = { includeRaw: false, includeRoute: true }
const CROP_ALIASES = { startTrimSeconds: 'removeFromStartSeconds', endTrimSeconds: 'removeFromEndSeconds' }

/** The options of a route that repairs a run. */
function asks<T extends TObject>(schema: T, summary: string, options: Parameters<typeof json>[1] = {}) {
  const response = { 200: DetailOrTrial, 400: ErrorBody }
  return { params: pathIds({ id: 'Workout' }), ...json(schema, options), response, detail: { summary } }
}

async function detailsResponse(deps: Deps, ids: readonly string[]): Promise<Response> {
  const details = await Promise.all(ids.map((id) => workoutDetailJson(deps, id, NO_RAW)))
  return jsonResponse(['{"workouts":[', ...details.flatMap((one, k) => (k === 0 ? one : [',', ...one])), ']}'])
}

function pairObject({ firstId, secondId, shiftS: clockShiftS, createdAt, ...pair }: StoredPair) {
  return { ...pair, workoutIds: [firstId, secondId], clockShiftS, createdAt: isoTime(createdAt) }
}

/** Manual runs, and changes to recorded ones. The raw members of answers are null. */
export function repairRoutes(deps: Deps) {
  const { db } = deps
  const by = (request: Request): DepsBy => ({ ...deps, ...byOf(request) })
  /** The run's detail, or the numbers of a dry run. */
  const answer = async (made: { readonly id: string } | object, how = {}) =>
    'id' in made ? await detailResponse(deps, made.id, NO_RAW, how) : jsonResponse(JSON.stringify(made))
  const repair =
    <T>(asked: (body: T) => Repairing) =>
    async ({ params: { id }, body, request }: { params: { id: string }; body: T; request: Request }) => {
      return await answer((await repairRun(by(request), id, asked(body))) ?? { id })
    }
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post(
      '/',
      async ({ body, request }) => {
        const added = addManualRun(by(request), body)
        const headers = 'id' in added ? { Location: `/workouts/${added.id}` } : {}
        return await answer(added, { status: 201, headers })
      },
      {
        ...json(ManualRun),
        response: { 200: TriedRun, 201: WorkoutDetail },
        detail: { summary: 'Add a run that was not recorded' },
      },
    )
    .post('/join', async ({ body, request }) => await answer(await joinWorkouts(by(request), body)), {
      ...json(WorkoutJoin),
      response: { 200: DetailOrTrial },
      detail: { summary: 'Join consecutive runs into one' },
    })
    .get('/merge-suggestions', () => suggestedPairs(db).map(pairObject), {
      response: { 200: MergeSuggestions },
      detail: { summary: 'Runs that may be two recordings of one' },
    })
    .post('/merge-suggestions/merge', ({ body, request }) => mergeCertain(by(request), body?.dryRun === true), {
      ...json(PairsMerge, { optional: true }),
      response: { 200: PairsMerged },
      detail: { summary: 'Merge all pairs that are certain' },
    })
    .post(
      '/merge-suggestions/:id/dismiss',
      ({ params, status }) => {
        if (!dismissPair(db, deps, params.id)) throw notFound('Suggestion')
        return status(204)
      },
      {
        params: pathIds({ id: 'Suggestion' }),
        detail: { summary: 'Never suggest this pair again', ...responses(204, 404) },
      },
    )
    .post(
      '/:id/merge',
      async ({ params: { id }, body, request }) => await answer((await mergeWorkouts(by(request), id, body)) ?? { id }),
      {
        ...{ params: pathIds({ id: 'Workout' }), ...json(WorkoutMerge), response: { 200: MergeAnswer } },
        detail: { summary: 'Merge another recording of the same run into it' },
      },
    )
    .post(
      '/:id/unmerge',
      async ({ params: { id }, body, request }) =>
        await detailsResponse(deps, await separateWorkout(by(request), id, body?.sourceId ?? null)),
      {
        ...{ params: pathIds({ id: 'Workout' }), ...json(WorkoutUnmerge, { optional: true }) },
        response: { 200: SeveralRuns },
        detail: { summary: 'Make merged recordings runs of their own again' },
      },
    )
    .put(
      '/:id/field-sources',
      async ({ params: { id }, body, request }) => {
        await chooseFields(by(request), id, body)
        return await answer({ id })
      },
      {
        ...{ params: pathIds({ id: 'Workout' }), ...json(ChosenFields), response: { 200: WorkoutDetail } },
        detail: { summary: 'Choose from which recording of a merged run each channel comes' },
      },
    )
    .post('/bulk-edit', ({ body, request }) => bulkEdit(by(request), body), {
      ...json(BulkEdit),
      response: { 200: BulkEdited },
      detail: {
        summary: 'Set words of many runs, take their suggested types, or exclude them from statistics',
      },
    })
    .patch('/:id/numbers', repair(numbers), asks(NumbersEdit, 'Change numbers of a run that has no recorded points'))
    .post(
      '/:id/crop',
      repair(crop),
      asks(WorkoutCrop, 'Cut seconds from the start and the end; the raw members are null', { aliases: CROP_ALIASES }),
    )
    .post('/:id/cut', repair(cut), asks(WorkoutCut, 'Remove a section from the middle of a run'))
    .post(
      '/:id/split',
      async ({ params: { id }, body, request }) => {
        const split = await splitWorkout(by(request), id, body)
        if (!('ids' in split)) return jsonResponse(JSON.stringify(split))
        return await detailsResponse(deps, split.ids)
      },
      {
        params: pathIds({ id: 'Workout' }),
        ...json(WorkoutSplit),
        response: { 200: SplitAnswer, 400: ErrorBody },
        detail: { summary: 'Split a run into several; the first part keeps its id' },
      },
    )
    .post('/:id/mend', repair(mend), asks(WorkoutMend, 'Remove bad data from a section of a run'))
    .get('/:id/oddities', ({ params }) => odditiesOf(deps, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: Oddities },
      detail: { summary: 'Sections with suspicious data, and how to fix them' },
    })
    .post(
      '/:id/distance',
      repair(distance),
      asks(WorkoutDistance, 'Set the distance of a run, as a treadmill shows it; null removes the correction'),
    )
    .post('/:id/shift', repair(shift), asks(WorkoutShift, 'Move a run in time, or set its time zone'))
    .post(
      '/:id/revert',
      repair(revert),
      asks(Revert, 'Revert all repairs: the state before the first one', { optional: true }),
    )
}
