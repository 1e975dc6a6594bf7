import { Elysia } from 'elysia'
import { call } from '../../../http/call.ts'
import { bytesResponse } from '../../../http/openapi.ts'
import type { Deps } from '../../../library/deps.ts'
import { originalFile } from './original-file.ts'
import { workoutSources } from './sources.ts'
import { WorkoutSources } from './sources-schemas.ts'

/** Ranges are supported. */
const FILE = {
  statuses: [416],
  responses: {
    200: bytesResponse(200, 'application/octet-stream'),
    206: bytesResponse(206, 'application/octet-stream'),
  },
} as const

/** What devices recorded of a run, and their files. */
export function sourceRoutes(deps: Deps) {
  return new Elysia({ prefix: '/workouts', tags: ['Details of a run'] })
    .get(
      '/:id/sources',
      ({ params }) => workoutSources(deps, params.id),
      call('getWorkoutSources', 'The recordings and repairs of a workout, and where each of its numbers comes from', {
        path: { id: 'Workout' },
        answer: WorkoutSources,
        says:
          'What each recording of the run says of each number, all repairs, and what the files state wrongly. A run ' +
          'is what its recordings and its active repairs give.',
      }),
    )
    .get(
      '/:id/sources/:recordingId/file',
      ({ params, request }) => originalFile(deps, params, request.headers.get('range')),
      call('downloadRecordingFile', 'The original of one recording, byte for byte', {
        path: { id: 'Workout', recordingId: 'Recording' },
        says: 'The bytes as they were imported, under their own name; one range is supported. 404 where it is lost.',
        ...FILE,
      }),
    )
    .get(
      '/:id/file',
      ({ params, request }) => originalFile(deps, params, request.headers.get('range')),
      call('downloadWorkoutFile', 'The original file, byte for byte', {
        path: { id: 'Workout' },
        says:
          'The first original of the run, under its own name; one range is supported. 404 for a run without a file, ' +
          'and where it is lost.',
        ...FILE,
      }),
    )
}
