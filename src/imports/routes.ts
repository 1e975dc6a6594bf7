import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RestoreAnswer } from '../archive/restore/report.ts'
import type { Turns } from '../base/turns.ts'
import { call } from '../http/call.ts'
import { uploadLimit } from '../http/multipart.ts'
import { multipartBody } from '../http/openapi.ts'
import { choice } from '../http/schemas.ts'
import type { Deps } from '../library/deps.ts'
import { createHeld } from './door.ts'
import { BulkSummary, TakeoutSummary } from './kinds/schemas.ts'

const flag = choice('true', 'false')

/** Imports of exports and archives. The code is loaded at the first request, as in archive/routes.ts. */
export function containerRoutes(deps: Deps, turns: Turns) {
  const held = createHeld(deps)
  return new Elysia({ prefix: '/workouts', tags: ['Import'] })
    .post(
      '/import/bulk',
      async ({ request }) => (await import('./containers.ts')).importBulk(deps, turns, request),
      call('importStravaExport', 'Import the runs of a Strava export', {
        ...uploadLimit(deps.config.maxUploadBytes),
        answer: BulkSummary,
        says: 'Takes the ZIP that Strava sends; activities other than runs are counted.',
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description: 'One ZIP archive with activities.csv and its files, whatever the field is called',
          fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
          example: { file: 'export_12345678.zip', fields: { unitPreference: 'metric' } },
        }),
      }),
    )
    .post(
      '/import/archive',
      async ({ request }) => (await import('./containers.ts')).importArchive(deps, turns, held, request),
      call('importExport', 'Import the runs of any export', {
        ...uploadLimit(deps.config.maxArchiveBytes),
        answer: TakeoutSummary,
        statuses: [404],
        says:
          "Recognised by its content. With dryRun nothing is stored; the answer's uploadId imports the same " +
          'file later.',
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description:
            'One export of a service, recognised by its content whatever it is called; or the uploadId of a dry run',
          fields: Type.Object({
            unitPreference: choice('metric', 'imperial'),
            createShoes: flag,
            includeDeleted: flag,
            dryRun: flag,
            uploadId: Type.String(),
          }),
          example: { file: 'garmin.zip', fields: { dryRun: 'true' } },
        }),
      }),
    )
    .post(
      '/import/export',
      async ({ request }) => (await import('./containers.ts')).importExport(deps, turns, request),
      call('restoreArchive', 'Restore an archive of Harrier or Tempo', {
        ...uploadLimit(deps.config.maxArchiveBytes),
        answer: RestoreAnswer,
        says: "Runs that are stored already are skipped. The archive's settings replace yours.",
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description: 'One archive, whatever the field is called; duplicates are skipped',
          example: { file: 'harrier-export-20251120-130511.zip' },
        }),
      }),
    )
}
