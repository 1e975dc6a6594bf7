import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { uploadLimit } from '../http/multipart.ts'
import { bytesResponse, multipartBody } from '../http/openapi.ts'
import { choice } from '../http/schemas.ts'
import { RestoreAnswer } from './restore-schemas.ts'
import { BulkSummary } from './strava-schemas.ts'
import { createTurns } from './turns.ts'

/**
 * Whole libraries: exports of Strava, own archives out and in. What does the work is loaded when it is first asked for: it
 * would be the largest part of a process at rest, and most days nobody asks.
 */
export function archiveRoutes(deps: Deps) {
  const turns = createTurns()
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post(
      '/import/bulk',
      async ({ request }) => (await import('./strava-upload.ts')).importStravaUpload(deps, turns, request),
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
    .post('/export', async () => (await import('./export-response.ts')).exportResponse(deps), {
      parse: 'none',
      detail: {
        summary: 'The whole library as one archive',
        responses: { 200: bytesResponse(200, 'application/zip') },
      },
    })
    .post(
      '/import/export',
      async ({ request }) => (await import('./restore-upload.ts')).restoreUpload(deps, turns, request),
      {
        ...uploadLimit(deps.config.maxArchiveBytes),
        response: { 200: RestoreAnswer },
        detail: {
          summary: 'Restore an archive of Harrier or Tempo',
          requestBody: multipartBody({
            files: 'file',
            description: 'One archive, whatever the field is called; what is there already is skipped',
            example: { file: 'harrier-export-20251120-130511.zip' },
          }),
        },
      },
    )
}
