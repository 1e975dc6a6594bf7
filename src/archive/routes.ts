import { Elysia } from 'elysia'
import type { Heavy } from '../http/heavy.ts'
import { bytesResponse, responses } from '../http/openapi.ts'
import type { Deps } from '../library/deps.ts'

/**
 * Export of the whole library. The code is loaded at the first request: it would be the largest part of an
 * idle process and is rarely used.
 */
export function archiveRoutes(deps: Deps, { heavy }: { readonly heavy: Heavy }) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] }).post(
    '/export',
    async ({ request }) => (await import('./export/export.ts')).exportResponse({ ...deps, heavy }, request),
    {
      parse: 'none',
      detail: {
        summary: 'The whole library as one archive',
        responses: { ...responses(503).responses, 200: bytesResponse(200, 'application/zip') },
      },
    },
  )
}
