import { Elysia } from 'elysia'
import type { Heavy } from '../../http/heavy.ts'
import { json } from '../../http/json.ts'
import { bytesResponse, responses } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { pathIds } from '../../http/standard.ts'
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
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .get(
      '/:id/export',
      async ({ params, query: asked, request }) => runFileResponse(deps, { ...params, ...asked }, request),
      {
        params: pathIds({ id: 'Workout' }),
        ...query(RunFileParameters),
        detail: {
          summary: 'One run as FIT, GPX, TCX or as its original file',
          description:
            'Of the run as it is now, repairs included; an original is as it was uploaded. A GPX file needs a route.',
          responses: {
            ...responses(416, 503).responses,
            200: bytesResponse(200, ...FILE_TYPES),
            206: bytesResponse(206, 'application/octet-stream'),
          },
        },
      },
    )
    .post('/export/files', async ({ body, request }) => filesResponse(deps, body, request), {
      ...json(FilesRequest),
      detail: {
        summary: 'Many runs as files in one ZIP, with runs.csv',
        description: 'yyyy/<file> of each run, its original where the format cannot hold it: runs.csv has the reason.',
        responses: { ...responses(404, 503).responses, 200: bytesResponse(200, 'application/zip') },
      },
    })
}
