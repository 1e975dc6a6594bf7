import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RestoreAnswer } from '../archive/restore/report.ts'
import type { Turns } from '../base/turns.ts'
import { call } from '../http/call.ts'
import { uploadLimit } from '../http/multipart.ts'
import { multipartBody } from '../http/openapi.ts'
import { choice, meaning, text } from '../http/schemas.ts'
import type { Deps } from '../library/deps.ts'
import { BulkSummary, TakeoutSummary } from './kinds/schemas.ts'
import { createHeld, FieldsOfFiles, UnitsOfSplits } from './receive.ts'

const sentFlag = (description: string) => meaning(description, choice('true', 'false'))

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
        says:
          'Takes the ZIP that Strava sends, recognised by activities.csv at its root or in one folder. 400 before anything is ' +
          'stored: no file, no ZIP, no such table, or one without the columns of file and type. Otherwise 200, also when rows ' +
          'fail. Rows of type Run are imported, in the languages of Strava; all others count in skippedOther. A row without ' +
          'file is imported from its columns, and is a duplicate where a run started in the same second. Runs that were ' +
          'deleted come back. One export is imported at a time; the call ends before the next row when the client ' +
          'disconnects, and a repeated one continues.',
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description: 'One ZIP archive with activities.csv and its files, whatever the field is called',
          fields: FieldsOfFiles,
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
          'Recognised by its content: exports of services (docs/ways.md C), a ZIP of workout files, a Strava export, or an ' +
          'archive of Harrier or Tempo. Words of the export (name, notes, type, RPE, shoe) fill those that a stored run lacks, ' +
          'which then counts in updated, but never those of the runner. 400: no file, an invalid field, nothing recognised, or ' +
          'nothing to import. 404: the uploadId is gone. The import continues when the client disconnects. At most 1,000 ' +
          'errors and warnings are listed; the receipt has all.',
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description:
            'One export of a service, recognised by its content whatever it is called; or the uploadId of a dry run',
          fields: Type.Object(
            {
              unitPreference: UnitsOfSplits,
              createShoes: sentFlag('true (default): shoes that runs wear are created'),
              includeDeleted: sentFlag('false (default): runs that the runner deleted are skipped'),
              dryRun: sentFlag('true: nothing is stored, the answer has preview and uploadId'),
              uploadId: text('Of a dry run, in place of the file'),
            },
            { title: 'ExportUpload' },
          ),
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
        says:
          'Ids are kept, runs that are stored already are skipped, settings replace the stored ones; repeated, it imports ' +
          'nothing but settings. 400 before anything is written: no file, no ZIP, manifest missing or of another version than ' +
          '1.0.0, a listed data file missing, an entry outside of the archive. A bad record is named in errors and stops no ' +
          'other; a data file that is not JSON ends the restore, which can be repeated.',
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description: 'One archive, whatever the field is called; duplicates are skipped',
          example: { file: 'harrier-export-20251120-130511.zip' },
        }),
      }),
    )
}
