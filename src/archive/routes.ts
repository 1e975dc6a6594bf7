import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { uploadLimit } from '../http/multipart.ts'
import { multipartBody } from '../http/openapi.ts'
import { choice } from '../http/schemas.ts'
import { BulkSummary } from './strava-schemas.ts'
import { importStravaUpload } from './strava-upload.ts'
import { createTurns } from './turns.ts'

/** Whole libraries: exports of Strava. */
export function archiveRoutes(deps: Deps) {
  const turns = createTurns()
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] }).post(
    '/import/bulk',
    ({ request }) => importStravaUpload(deps, turns, request),
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
