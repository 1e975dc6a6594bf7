import { Type } from '@sinclair/typebox'
import { count } from 'drizzle-orm'
import { Elysia } from 'elysia'
import packaged from '../../../package.json' with { type: 'json' }
import { DAMAGED, damageIn } from '../../db/disk-full.ts'
import { users } from '../../db/schema-account.ts'
import type { Deps } from '../../library/deps.ts'
import { metricsText, type Requests, type Running } from './metrics.ts'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const Health = Type.Object({ status: Type.Literal('healthy') })
const Ready = Type.Object({ status: Type.Literal('ready') })
const Unavailable = Type.Object(
  { status: Type.Literal('unavailable'), error: Type.String() },
  { examples: [{ status: 'unavailable', error: 'The database does not respond' }] },
)
const Version = Type.Object({ version: Type.String(), buildDate: Type.String(), gitCommit: Type.String() })

/** Calls for monitoring the process; all but the metrics need no credentials. */
export function systemRoutes(deps: Deps, requests: Requests, running: () => Running) {
  const { db, damage, config, log } = deps
  return new Elysia({ tags: ['System'] })
    .get(
      '/metrics',
      () => new Response(metricsText(deps, requests, running()), { headers: { 'Content-Type': METRICS_TYPE } }),
      {
        detail: {
          summary: 'Figures of the service for Prometheus',
          responses: { 200: { description: 'Success', content: { 'text/plain': { schema: { type: 'string' } } } } },
        },
      },
    )
    .get('/health', () => ({ status: 'healthy' as const }), {
      response: { 200: Health },
      detail: { summary: 'Whether the process answers; has no effects' },
    })
    .get(
      '/ready',
      ({ status }) => {
        if (damage.isFound) return status(503, { status: 'unavailable' as const, error: DAMAGED })
        try {
          db.select({ n: count() }).from(users).get()
          return status(200, { status: 'ready' as const })
        } catch (error) {
          log.error('The database does not respond', error)
          const why = damageIn(error, damage) ?? 'The database does not respond'
          return status(503, { status: 'unavailable' as const, error: why })
        }
      },
      { response: { 200: Ready, 503: Unavailable }, detail: { summary: 'Whether the database answers' } },
    )
    .get(
      '/version',
      () => ({
        version: config.buildVersion ?? packaged.version ?? 'unknown',
        buildDate: config.buildDate ?? 'unknown',
        gitCommit: config.gitCommit ?? 'unknown',
      }),
      { response: { 200: Version }, detail: { summary: 'Application version, build date and git commit' } },
    )
}
