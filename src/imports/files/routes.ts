import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createTurns } from '../../base/turns.ts'
import { ImportAnswer, ImportQuery } from '../../features/workouts/schemas.ts'
import { FORMAT_NAMES } from '../../formats/registry.ts'
import { uploadLimit } from '../../http/multipart.ts'
import { multipartBody } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { choice, ErrorBody } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { importBody, type NoteArrival } from './upload.ts'

/** Files of runs, one or many. */
export function fileRoutes(deps: Deps, noteArrival: NoteArrival) {
  const { config } = deps
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] }).post(
    '/import',
    ({ request, query: asked }) => importBody(deps, request, request, { noteArrival, turns, ...asked }),
    {
      ...uploadLimit(config.maxUploadBytes),
      ...query(ImportQuery),
      response: { 200: ImportAnswer, 404: ErrorBody, 409: ErrorBody },
      detail: {
        summary: `Import workout files: ${FORMAT_NAMES}, each also gzipped`,
        requestBody: multipartBody({
          files: 'file',
          description: 'Files in fields of any name; one run answers itself, several a summary',
          fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
          example: { file: 'morning.fit.gz', fields: { unitPreference: 'metric' } },
        }),
      },
    },
  )
}
