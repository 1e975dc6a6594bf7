import { type Static, Type } from '@sinclair/typebox'
import { count } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { API_VERSION, APPLICATION_VERSION, FORMAT_VERSION } from '../../base/versions.ts'
import { DAMAGED, damageIn } from '../../db/disk-full.ts'
import { users } from '../../db/schema-account.ts'
import { call } from '../../http/call.ts'
import { ErrorBody, meaning, text } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { metricsText, type Requests, type Running } from './metrics.ts'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const Health = Type.Object({ status: meaning('Always healthy', Type.Literal('healthy')) })
const Ready = Type.Object({ status: meaning('Always ready', Type.Literal('ready')) })
const SILENT = 'The database does not respond'
const Unavailable = Type.Object({
  status: meaning('Always unavailable', Type.Literal('unavailable')),
  error: text('Why, for people'),
  code: meaning('database_damaged or not_ready', ErrorBody.properties.code),
})
const Version = Type.Object(
  {
    version: text('Version of the application, of the build (BUILD_VERSION) or the package; each release moves it'),
    apiVersion: text('Version of the API, that of its specification; additions of Harrier do not move it'),
    archiveVersion: text('Version of the archive format, as in manifests; an archive of another one is refused'),
    buildDate: text('When it was built (BUILD_DATE); unknown: not stated'),
    gitCommit: text('Commit that it was built from (GIT_COMMIT); unknown: not stated'),
  },
  { title: 'Versions' },
)

/** Calls for monitoring the process; all but the metrics need no credentials. */
export function systemRoutes(deps: Deps, requests: Requests, running: () => Running) {
  const { db, damage, config, log } = deps
  return new Elysia({ tags: ['System'] })
    .get(
      '/metrics',
      () => new Response(metricsText(deps, requests, running()), { headers: { 'Content-Type': METRICS_TYPE } }),
      call('getMetrics', 'Figures of the service for Prometheus', {
        says:
          'Prometheus text 0.0.4, for a key of scope read or full or for `METRICS_TOKEN` as Bearer. Requests ' +
          'are counted by route pattern; no ids, no names.',
        responses: { 200: { description: 'Success', content: { 'text/plain': { schema: { type: 'string' } } } } },
      }),
    )
    .get(
      '/health',
      () => ({ status: 'healthy' as const }),
      call('getHealth', 'Whether the process answers; has no effects', {
        answer: Health,
        says: 'For the check of a container or monitor: it needs no credential and reads no file.',
      }),
    )
    .get(
      '/ready',
      ({ status }) => {
        if (damage.isFound) return status(503, unavailable(DAMAGED))
        try {
          db.select({ n: count() }).from(users).get()
          return status(200, { status: 'ready' as const })
        } catch (error) {
          log.error('The database does not respond', error)
          return status(503, unavailable(damageIn(error, damage)))
        }
      },
      call('getReady', 'Whether the database answers', {
        answer: Ready,
        answers: { 503: Unavailable },
        says:
          '503 while the database does not answer or is damaged. A process of its own looks for damage ten seconds after the ' +
          'start. Once it is found, every call that writes is 503 too, with one fixed sentence; reading, login and exports work, ' +
          'jobs and the watch folder pause.',
      }),
    )
    .get(
      '/version',
      () => ({
        version: config.buildVersion ?? APPLICATION_VERSION,
        apiVersion: API_VERSION,
        archiveVersion: FORMAT_VERSION,
        buildDate: config.buildDate ?? 'unknown',
        gitCommit: config.gitCommit ?? 'unknown',
      }),
      call('getVersion', 'Versions of application, API and archive format, build date and git commit', {
        answer: Version,
        says: 'Says which build is running, and what programs and archives it works with.',
      }),
    )
}

/** @param damaged the sentence of a damaged database; null: it does not answer */
function unavailable(damaged: string | null): Static<typeof Unavailable> {
  const code = damaged === null ? 'not_ready' : 'database_damaged'
  return { status: 'unavailable', error: damaged ?? SILENT, code }
}
