import { Elysia } from 'elysia'
import { call } from '../../http/call.ts'
import type { Heavy } from '../../http/heavy.ts'
import { bytesResponse } from '../../http/openapi.ts'
import type { Deps } from '../../library/deps.ts'
import { filesResponse } from './files-zip.ts'
import { runFileResponse } from './run-file.ts'
import { FilesRequest, RunFileParameters } from './schemas.ts'

const FILE_TYPES = [
  'application/octet-stream',
  'application/vnd.ant.fit',
  'application/gpx+xml',
  'application/vnd.garmin.tcx+xml',
]

export function downloadRoutes(deps: Deps & { readonly heavy: Heavy }) {
  return new Elysia({ prefix: '/workouts', tags: ['Export'] })
    .get(
      '/:id/export',
      async ({ params, query, request }) => runFileResponse(deps, { ...params, ...query }, request),
      call('downloadWorkout', 'One run as FIT, GPX, TCX or as its original file', {
        path: { id: 'Workout' },
        query: RunFileParameters,
        statuses: [416, 503],
        says:
          'The run as it is now, repairs included; an original as it was uploaded, of which one range may be asked for. 400 ' +
          'where the format cannot hold the run, as GPX without positions.',
        responses: { 200: bytesResponse(200, ...FILE_TYPES), 206: bytesResponse(206, 'application/octet-stream') },
      }),
    )
    .post(
      '/export/files',
      async ({ body, request }) => filesResponse(deps, body, request),
      call('downloadWorkouts', 'Many runs as files in one ZIP, with runs.csv', {
        body: FilesRequest,
        statuses: [404, 503],
        says:
          'yyyy/<file> of each run; its original where the format cannot hold it, but none of a trimmed run. runs.csv has a ' +
          'row for each, with the reason.',
        responses: { 200: bytesResponse(200, 'application/zip') },
      }),
    )
}
