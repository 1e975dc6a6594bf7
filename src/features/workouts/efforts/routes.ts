import { Elysia } from 'elysia'
import { byOf } from '../../../http/author.ts'
import { json } from '../../../http/json.ts'
import { ErrorBody } from '../../../http/schemas.ts'
import { pathIds } from '../../../http/standard.ts'
import type { Deps } from '../../../library/deps.ts'
import { EditedEffort, EffortEdit, editEffort, effortParams } from './edit.ts'
import { RunEfforts, runEfforts } from './ranks.ts'

export function runEffortRoutes(deps: Deps) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .get('/:id/best-efforts', ({ params }) => runEfforts(deps.db, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: RunEfforts, 404: ErrorBody },
      detail: { summary: 'Best efforts within a run, ranked among all runs and those of its year' },
    })
    .patch(
      '/:id/best-efforts/:distanceM',
      ({ params, body, request }) => editEffort({ ...deps, ...byOf(request) }, params, body),
      {
        params: effortParams,
        ...json(EffortEdit),
        response: { 200: EditedEffort },
        detail: { summary: 'Correct whether a best effort counts as a record' },
      },
    )
}
