import { Elysia } from 'elysia'
import { notFound } from '../../base/errors.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { keepNoAnswer } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
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
  TriedNewRun,
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

const REPAIR = { path: { id: 'Workout' }, answer: DetailOrTrial, statuses: [400], receipt: true } as const

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
  return new Elysia({ prefix: '/workouts', tags: ['Repairs'] })
    .post(
      '/',
      async ({ body, request }) => {
        const added = addManualRun(by(request), body)
        // the run itself may come with the same key
        if (!('id' in added)) keepNoAnswer(request)
        const headers = 'id' in added ? { Location: `/workouts/${added.id}` } : {}
        return await answer(added, { status: 201, headers })
      },
      call('createWorkout', 'Add a run that was not recorded', {
        idempotent: 'adds',
        tags: ['Workouts'],
        body: ManualRun,
        answer: TriedNewRun,
        answers: { 201: WorkoutDetail },
        says: '201 with the workout; 200 with its numbers for a dry run. 400 where numbers contradict each other.',
        receipt: true,
      }),
    )
    .post(
      '/join',
      async ({ body, request }) => await answer(await joinWorkouts(by(request), body)),
      call('joinWorkouts', 'Join consecutive runs into one', {
        body: WorkoutJoin,
        answer: DetailOrTrial,
        says:
          'The earliest run keeps its id and has the recordings, notes and photos of all, and the name of the longest; the ' +
          'others go to the trash. 400 for unknown runs, runs without samples, and runs that overlap by more than 60 s or are ' +
          'more than 12 h apart. A best effort spans no gap.',
        receipt: true,
      }),
    )
    .get(
      '/merge-suggestions',
      () => suggestedPairs(db).map(pairObject),
      call('listMergeSuggestions', 'Runs that may be two recordings of one', {
        tags: ['Merging'],
        answer: MergeSuggestions,
        says: 'Pairs that were not dismissed. Two runners side by side look the same.',
      }),
    )
    .post(
      '/merge-suggestions/merge',
      ({ body, request }) => mergeCertain(by(request), body?.dryRun === true),
      call('mergeCertainPairs', 'Merge all pairs that are certain', {
        tags: ['Merging'],
        body: json(PairsMerge, { optional: true }),
        answer: PairsMerged,
        says: 'Each pair becomes the run of it that was stored first; pairs that cannot be merged stay suggested.',
        receipt: true,
      }),
    )
    .post(
      '/merge-suggestions/:id/dismiss',
      ({ params, status }) => {
        if (!dismissPair(db, deps, params.id)) throw notFound('Suggestion')
        return status(204)
      },
      call('dismissMergeSuggestion', 'Never suggest this pair again', {
        tags: ['Merging'],
        path: { id: 'Suggestion' },
        statuses: [204],
        says: 'The runs stay as they are.',
      }),
    )
    .post(
      '/:id/merge',
      async ({ params: { id }, body, request }) => await answer((await mergeWorkouts(by(request), id, body)) ?? { id }),
      call('mergeWorkouts', 'Merge another recording of the same run into it', {
        tags: ['Merging'],
        path: { id: 'Workout' },
        body: WorkoutMerge,
        answer: MergeAnswer,
        says:
          'One recording gives clock and distance, each channel comes from the one that covers most of the time. One that ' +
          'continues longer is appended. 400 for an unknown other run, runs at different times, joined, split or shifted ones, two ' +
          'that were both changed, and more than 8 recordings.',
        receipt: true,
      }),
    )
    .post(
      '/:id/unmerge',
      async ({ params: { id }, body, request }) =>
        await detailsResponse(deps, await separateWorkout(by(request), id, body?.sourceId ?? null)),
      call('separateWorkout', 'Make merged recordings runs of their own again', {
        tags: ['Merging'],
        path: { id: 'Workout' },
        body: json(WorkoutUnmerge, { optional: true }),
        answer: SeveralRuns,
        says:
          'Each recording is again the run that it was, also when that is no longer in the trash, and the pair is never ' +
          'suggested again. Repairs stay with the recording that they were made on. 400 for a run that was split or joined ' +
          'since.',
        receipt: true,
      }),
    )
    .put(
      '/:id/field-sources',
      async ({ params: { id }, body, request }) => {
        await chooseFields(by(request), id, body)
        return await answer({ id })
      },
      call('chooseFieldSources', 'Choose from which recording of a merged run each channel comes', {
        tags: ['Merging'],
        path: { id: 'Workout' },
        body: ChosenFields,
        answer: WorkoutDetail,
        says: '400 for a run of one recording, and for a recording that is not of this run or has no samples.',
        receipt: true,
      }),
    )
    .post(
      '/bulk-edit',
      ({ body, request }) => bulkEdit(by(request), body),
      call('bulkEditWorkouts', 'Set words of many runs, take their suggested types, or exclude them from statistics', {
        tags: ['Workouts'],
        body: BulkEdit,
        answer: BulkEdited,
        says:
          '400 before anything changes: an unknown run or shoe, both or neither of ids and filter, nothing to set, or both ' +
          'runType and suggestedRunType. One receipt undoes all.',
        receipt: true,
      }),
    )
    .patch(
      '/:id/numbers',
      repair(numbers),
      call('updateWorkoutNumbers', 'Change numbers of a run that has no recorded points', {
        tags: ['Workouts'],
        ...REPAIR,
        body: NumbersEdit,
        says: '400 for a run with recorded points, naming the call that changes the number instead.',
      }),
    )
    .post(
      '/:id/crop',
      repair(crop),
      call('cropWorkout', 'Cut seconds from the start and the end; the raw members are null', {
        ...REPAIR,
        body: json(WorkoutCrop, { aliases: CROP_ALIASES }),
        says: '400 without a route, and when less than 10 s remain. The recording never changes, so it can be reverted.',
      }),
    )
    .post(
      '/:id/cut',
      repair(cut),
      call('cutWorkout', 'Remove a section from the middle of a run', {
        ...REPAIR,
        body: WorkoutCut,
        says: 'The section is left out of all numbers. The recording never changes.',
      }),
    )
    .post(
      '/:id/split',
      async ({ params: { id }, body, request }) => {
        const split = await splitWorkout(by(request), id, body)
        if (!('ids' in split)) return jsonResponse(JSON.stringify(split))
        return await detailsResponse(deps, split.ids)
      },
      call('splitWorkout', 'Split a run into several; the first part keeps its id', {
        path: { id: 'Workout' },
        body: WorkoutSplit,
        answer: SplitAnswer,
        says:
          'Each further part becomes a run of its own, called as the whole with its number, as Long run (2). Photos go by ' +
          'their time; those without one stay with the first. 400 for a moment within a pause, a part of less than 10 s, and ' +
          'a run without samples.',
        receipt: true,
      }),
    )
    .post(
      '/:id/mend',
      repair(mend),
      call('mendWorkout', 'Remove bad data from a section of a run', {
        ...REPAIR,
        body: WorkoutMend,
        says: 'The numbers of that channel are computed again. The recording never changes.',
      }),
    )
    .get(
      '/:id/oddities',
      ({ params }) => odditiesOf(deps, params.id),
      call('listWorkoutOddities', 'Sections with suspicious data, and how to fix them', {
        path: { id: 'Workout' },
        answer: Oddities,
        says: 'Where a repair helps, a finding suggests it. Without samples the list is empty.',
      }),
    )
    .post(
      '/:id/distance',
      repair(distance),
      call('setWorkoutDistance', 'Set the distance of a run, as a treadmill shows it; null removes the correction', {
        ...REPAIR,
        body: WorkoutDistance,
        says: '400 for less than half or more than twice the current distance.',
      }),
    )
    .post(
      '/:id/shift',
      repair(shift),
      call('shiftWorkout', 'Move a run in time, or set its time zone', {
        ...REPAIR,
        body: WorkoutShift,
        says: 'Corrects a clock that was wrong. 400 unless exactly one of the three is sent, and for an implausible start.',
      }),
    )
    .post(
      '/:id/revert',
      repair(revert),
      call('revertWorkout', 'Revert all repairs: the state before the first one', {
        ...REPAIR,
        body: json(Revert, { optional: true }),
        says: 'Joins, splits and merges stay. 400 when there is no repair to undo.',
      }),
    )
}
