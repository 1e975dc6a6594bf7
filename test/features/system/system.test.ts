import { expect, test } from 'bun:test'
import packaged from '../../../package.json' with { type: 'json' }
import { testApp } from '../../app.ts'
import { lose } from '../../library/as-stored.ts'

test('health touches nothing, readiness needs the database', async () => {
  await using app = await testApp()
  const stated = (path: string) => app.call('GET', path, { token: null })
  const healthy = { status: 200, json: { status: 'healthy' } }
  expect(await stated('/health')).toMatchObject(healthy)
  expect(await stated('/ready')).toMatchObject({ status: 200, json: { status: 'ready' } })
  lose(app.deps, 'user')
  const unavailable = { status: 'unavailable', error: 'The database does not respond' }
  expect(await stated('/ready')).toMatchObject({ status: 503, json: unavailable })
  expect(await stated('/health')).toMatchObject(healthy)
})

test('the version is that of the build, else that of the package, and unknown where nothing is known', async () => {
  // those of SPEC 9
  const others = { apiVersion: '2.6.0', archiveVersion: '1.0.0' }
  const [version, buildDate, gitCommit] = ['1.2.0', '2025-11-20T12:00:00Z', 'abc123']
  for (const [env, expected] of [
    [{}, { version: packaged.version, buildDate: 'unknown', gitCommit: 'unknown' }],
    [
      { BUILD_VERSION: version, BUILD_DATE: buildDate, GIT_COMMIT: gitCommit },
      { version, buildDate, gitCommit },
    ],
  ]) {
    await using app = await testApp({ env: env as Record<string, string> })
    expect((await app.call('GET', '/api/version', { token: null })).json).toEqual({ ...expected, ...others })
  }
})
