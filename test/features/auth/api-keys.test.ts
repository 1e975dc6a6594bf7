import { describe, expect, test } from 'bun:test'
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
})
