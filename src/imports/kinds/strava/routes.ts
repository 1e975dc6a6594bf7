import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Turns } from '../../../base/turns.ts'
import { uploadLimit } from '../../../http/multipart.ts'
import { multipartBody } from '../../../http/openapi.ts'
import { choice } from '../../../http/schemas.ts'
import type { Deps } from '../../../library/deps.ts'
import { BulkSummary } from './schemas.ts'

/** Import of Strava exports. The code is loaded at the first request, as in archive/routes.ts. */
export function stravaRoutes(deps: Deps, turns: Turns) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] }).post(
    '/import/bulk',
    async ({ request }) => (await import('./upload.ts')).importStravaUpload(deps, turns, request),
    {
      ...uploadLimit(deps.config.maxUploadBytes),
      response: { 200: BulkSummary },
      detail: {
        summary: 'Import the runs of a Strava export',
        requestBody: multipartBody({
          files: 'file',
          description: 'One ZIP archive with activities.csv and its files, whatever the field is called',
          fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
          example: { file: 'export_12345678.zip', fields: { unitPreference: 'metric' } },
        }),
      },
    },
  )
}
