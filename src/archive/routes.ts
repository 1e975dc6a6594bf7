import { Elysia } from 'elysia'
import { call } from '../http/call.ts'
import type { Heavy } from '../http/heavy.ts'
import { bytesResponse } from '../http/openapi.ts'
import type { Deps } from '../library/deps.ts'

/**
 * Export of the whole library. The code is loaded at the first request: it would be the largest part of an
 * idle process and is rarely used.
 */
export function archiveRoutes(deps: Deps, { heavy }: { readonly heavy: Heavy }) {
  return new Elysia({ prefix: '/workouts', tags: ['Export'] }).post(
    '/export',
    async ({ request }) => (await import('./export/export.ts')).exportResponse({ ...deps, heavy }, request),
    call('exportLibrary', 'The whole library as one archive', {
      parse: 'none',
      statuses: [503],
      says:
        'Runs, originals, photos, shoes, goals, races, places and settings, streamed from one snapshot; not the trash, ' +
        'receipts, keys and sessions. A failure after the first byte breaks the connection, so that the file is incomplete.',
      responses: { 200: bytesResponse(200, 'application/zip') },
    }),
  )
}
