import { Elysia } from 'elysia'
import { byOf } from '../../../http/author.ts'
import { call } from '../../../http/call.ts'
import type { Deps } from '../../../library/deps.ts'
import { EditedEffort, EffortEdit, editEffort, effortParams } from './edit.ts'
import { RunEfforts, runEfforts } from './ranks.ts'

export function runEffortRoutes(deps: Deps) {
  return new Elysia({ prefix: '/workouts', tags: ['Records'] })
    .get(
      '/:id/best-efforts',
      ({ params }) => runEfforts(deps.db, params.id),
      call('listWorkoutBestEfforts', 'Best efforts within a run, ranked among all runs and those of its year', {
        path: { id: 'Workout' },
        answer: RunEfforts,
        says:
          'The fastest part of this run for each standard distance. One up to a mile that beats the second best of ' +
          'at least ten by more than 5%, not in a race, is unconfirmed until the runner decides: here, or for all ' +
          'of the run at once by efforts of PATCH /workouts/{id}.',
      }),
    )
    .patch(
      '/:id/best-efforts/:distanceM',
      ({ params, body, request }) => editEffort({ ...deps, ...byOf(request) }, params, body),
      call('updateWorkoutBestEffort', 'Correct whether a best effort counts as a record', {
        params: effortParams,
        body: EffortEdit,
        answer: EditedEffort,
        says:
          'A faulty recording can be kept out of the records, or an implausible effort can be confirmed. The ' +
          'correction outlives every recalculation. 404 for a distance at which the run has no effort.',
        receipt: true,
      }),
    )
}
