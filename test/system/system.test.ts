import { describe, expect, test } from 'bun:test'
import packaged from '../../package.json' with { type: 'json' }
import { testApp } from '../app.ts'
import { lose } from '../library/as-stored.ts'

describe('what monitors the process', () => {
  test('health touches nothing, readiness needs the database', async () => {
    await using app = await testApp()
    const call = async (path: string) => {
      const { status, json } = await app.call('GET', path, { token: null })
      return [status, json]
    }
    expect(await call('/health')).toEqual([200, { status: 'healthy' }])
    expect(await call('/ready')).toEqual([200, { status: 'ready' }])
    lose(app.deps, 'user')
    expect(await call('/ready')).toEqual([503, { status: 'unavailable', error: 'The database does not respond' }])
    expect(await call('/health')).toEqual([200, { status: 'healthy' }])
  })

  test('the version is that of the build, else that of the package, and unknown where nothing is known', async () => {
    await using plain = await testApp()
    expect((await plain.call('GET', '/version')).json).toEqual({
      version: packaged.version,
      buildDate: 'unknown',
      gitCommit: 'unknown',
    })
    const env = { BUILD_VERSION: '1.2.0', BUILD_DATE: '2025-11-20T12:00:00Z', GIT_COMMIT: 'abc123' }
    await using built = await testApp({ env })
    expect((await built.call('GET', '/api/version', { token: null })).json).toEqual({
      version: '1.2.0',
      buildDate: '2025-11-20T12:00:00Z',
      gitCommit: 'abc123',
    })
  })
})
