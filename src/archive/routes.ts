import { Elysia } from 'elysia'
import type { Turns } from '../base/turns.ts'
import type { Heavy } from '../http/heavy.ts'
import { uploadLimit } from '../http/multipart.ts'
import { bytesResponse, multipartBody, responses } from '../http/openapi.ts'
import type { Deps } from '../library/deps.ts'
import { RestoreAnswer } from './restore/schemas.ts'

/**
 * Export and restore of the whole library. The code is loaded at the first request: it would be the largest part of an
 * idle process and is rarely used.
 */
export function archiveRoutes(deps: Deps, { turns, heavy }: { readonly turns: Turns; readonly heavy: Heavy }) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post(
      '/export',
      async ({ request }) => (await import('./export/response.ts')).exportResponse({ ...deps, heavy }, request),
      {
        parse: 'none',
        detail: {
          summary: 'The whole library as one archive',
          responses: { ...responses(503).responses, 200: bytesResponse(200, 'application/zip') },
        },
      },
    )
    .post(
      '/import/export',
      async ({ request }) => (await import('./restore/upload.ts')).restoreUpload(deps, turns, request),
      {
        ...uploadLimit(deps.config.maxArchiveBytes),
        response: { 200: RestoreAnswer },
        detail: {
          summary: 'Restore an archive of Harrier or Tempo',
          requestBody: multipartBody({
            files: 'file',
            description: 'One archive, whatever the field is called; duplicates are skipped',
            example: { file: 'harrier-export-20251120-130511.zip' },
          }),
        },
      },
    )
}
