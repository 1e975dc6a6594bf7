import { describe, expect, test } from 'bun:test'
import { changesSoFar } from '../../../src/db/kept.ts'
import { DAY_MS } from '../../../src/engine/units.ts'
import { RUNNER, testApp } from '../../app.ts'
import { bytesOf } from '../../library/as-stored.ts'

describe('API keys', () => {
  test('are shown once, stored as a hash, and serve as bearer token only', async () => {
    await using app = await testApp()
    const { status, json } = await app.call('POST', '/auth/api-keys', { json: { Label: '  cli ' } })
    expect(status).toBe(201)
    expect(json).toEqual({
      ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), key: expect.stringMatching(/^tmp_[A-Za-z0-9_-]{43}$/) },
      ...{ label: 'cli', keyPrefix: json.key.slice(0, 16), scope: 'full', createdAt: '2025-11-20T13:05:11Z' },
      expiresAt: null,
    })
    expect(bytesOf(app.deps).includes(json.key)).toBe(false)
    const me = async (headers: Record<string, string>) => await app.call('GET', '/auth/me', { token: null, headers })
    expect((await me({ authorization: `BEARER ${json.key}` })).json.username).toBe('runner')
    expect((await me({ cookie: `authToken=${json.key}` })).status).toBe(401)
    expect((await me({ authorization: `Bearer ${json.key}x` })).status).toBe(401)
    expect((await app.call('GET', '/auth/api-keys')).text).not.toContain(json.key)
  })

  test('cannot make keys, change the password or log out devices, whatever the cookie holds', async () => {
    await using app = await testApp()
    const { json } = await app.call('POST', '/auth/api-keys')
    const headers = { cookie: `authToken=${app.token}` }
    const passwords = { currentPassword: RUNNER.password, newPassword: 'several-other-words-42' }
    for (const [path, body] of [
      ['/auth/api-keys', {}],
      ['/auth/logout-others', {}],
      ['/api/auth/change-password/', passwords],
    ] as const) {
      const answer = await app.call('POST', path, { json: body, token: json.key, headers })
      expect([answer.status, answer.json]).toEqual([
        401,
        expect.objectContaining({ error: 'This call needs a login, not an API key' }),
      ])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect((await app.call('POST', '/auth/api-keys', { token: json.key, body: '{broken', headers })).status).toBe(401)
    await app.call('DELETE', `/auth/api-keys/${json.id}`)
    const revoked = await app.call('POST', '/auth/api-keys', { token: json.key })
    expect([revoked.status, revoked.json]).toEqual([
      401,
      expect.objectContaining({ error: 'Invalid or expired credentials' }),
    ])
    expect((await app.call('POST', '/auth/api-keys', { token: 'tmp_unknown', headers })).status).toBe(201)
  })

  test('that expire are refused from that moment on, like revoked ones, and stay listed', async () => {
    await using app = await testApp()
    const make = (expiresAt: unknown, scope = 'full') =>
      app.call('POST', '/auth/api-keys', { json: { scope, expiresAt } })
    const { status, json } = await make('2025-11-20T14:05:12+01:00')
    expect([status, json.expiresAt]).toEqual([201, '2025-11-20T13:05:12Z'])
    const upload = (await make('2025-11-20T13:05:12Z', 'upload')).json.key
    const ways = () =>
      Promise.all([
        app.call('GET', '/shoes', { token: json.key }),
        app.call('GET', '/shoes', { token: null, headers: { authorization: `Basic ${btoa(`any:${json.key}`)}` } }),
        app.call('PUT', `/in/${upload}`, { token: null, body: 'no run' }),
      ])
    app.pass(999)
    expect((await ways()).map((answer) => answer.status)).toEqual([200, 200, 400])
    app.pass(1)
    const late = await ways()
    const refusal = { error: 'Invalid or expired credentials', code: 'invalid_credentials' }
    expect(late.map((answer) => [answer.status, answer.json])).toEqual(late.map(() => [401, refusal]))
    const listed = (await app.ok('GET', '/auth/api-keys')) as { expiresAt: string; revokedAt: null }[]
    expect(listed.map(({ expiresAt, revokedAt }) => [expiresAt, revokedAt])).toEqual(
      listed.map(() => ['2025-11-20T13:05:12Z', null]),
    )
    for (const past of ['2025-11-20T13:05:12Z', '2020-01-01T00:00:00Z']) {
      const refused = await make(past)
      expect([refused.status, refused.json]).toEqual([
        400,
        {
          error: `expiresAt must be in the future, not ${past}`,
          ...{ code: 'invalid_request', field: 'expiresAt' },
        },
      ])
    }
    expect((await make('tomorrow')).json.field).toBe('expiresAt')
    expect((await make(null)).json.expiresAt).toBeNull()
  })

  test('show the day of their last use, which is written once a day and after the answer', async () => {
    await using app = await testApp()
    const { id, key } = await app.ok('POST', '/auth/api-keys')
    const written = () => changesSoFar(app.deps.db)
    const shown = async () => (await app.ok('GET', '/auth/api-keys'))[0].lastUsedAt
    const use = () => app.call('GET', '/shoes', { token: key })
    const before = written()
    await Promise.all([use(), use()])
    expect([await shown(), written() - before]).toEqual([null, 0])
    app.pass(0)
    expect([await shown(), written() - before]).toEqual(['2025-11-20', 1])
    // until 23:59:59.999 of that day in UTC, then on the next
    app.clock.nowMs = Date.UTC(2025, 10, 21) - 1
    await use()
    app.pass(0)
    expect([await shown(), written() - before]).toEqual(['2025-11-20', 1])
    app.clock.nowMs += 1
    await use()
    app.pass(0)
    expect([await shown(), written() - before]).toEqual(['2025-11-21', 2])
    // outside of its scope it is used too; a damaged database is only read, and a revoked key is not used
    app.clock.nowMs += DAY_MS
    expect((await app.call('POST', '/auth/api-keys', { token: key })).status).toBe(401)
    app.pass(0)
    expect(await shown()).toBe('2025-11-22')
    app.clock.nowMs += DAY_MS
    app.deps.damage.isFound = true
    expect((await use()).status).toBe(200)
    app.pass(0)
    expect(await shown()).toBe('2025-11-22')
    app.deps.damage.isFound = false
    await app.call('DELETE', `/auth/api-keys/${id}`)
    expect((await use()).status).toBe(401)
    app.pass(0)
    expect(await shown()).toBe('2025-11-22')
  })
})
