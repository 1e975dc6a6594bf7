import { Elysia } from 'elysia'
import { bytesResponse, responses } from '../../../http/openapi.ts'
import { pathIds } from '../../../http/standard.ts'
import type { Deps } from '../../../library/deps.ts'
import { originalFile } from './original-file.ts'
import { workoutSources } from './sources.ts'
import { WorkoutSources } from './sources-schemas.ts'

const FILE_RESPONSES = {
  ...responses(416).responses,
  200: bytesResponse(200, 'application/octet-stream'),
  206: bytesResponse(206, 'application/octet-stream'),
}

/** What devices recorded of a run, and their files. */
export function sourceRoutes(deps: Deps) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
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
}
