import { describe, expect, test } from 'bun:test'
import { RUNNER, testApp } from '../app.ts'
import { bytesOf } from '../library/as-stored.ts'

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

  test('take a label, none, or a blank one', async () => {
    await using app = await testApp()
    const label = async (json: unknown) => (await app.call('POST', '/auth/api-keys', { json })).json
    for (const json of [null, {}, { label: null }, { label: '  ' }]) expect((await label(json)).label).toBeNull()
    expect((await label({ label: ` ${'🏃'.repeat(200)} ` })).label).toBe('🏃'.repeat(200))
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
      expect([answer.status, answer.json]).toEqual([401, { error: 'This call needs a login, not an API key' }])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect((await app.call('POST', '/auth/api-keys', { token: json.key, body: '{broken', headers })).status).toBe(401)
    await app.call('DELETE', `/auth/api-keys/${json.id}`)
    const revoked = await app.call('POST', '/auth/api-keys', { token: json.key })
    expect([revoked.status, revoked.json]).toEqual([401, { error: 'Invalid or expired credentials' }])
    expect((await app.call('POST', '/auth/api-keys', { token: 'tmp_unknown', headers })).status).toBe(201)
  })

  test('are listed newest first and revoked softly, once and for all', async () => {
    await using app = await testApp()
    const { json: first } = await app.call('POST', '/auth/api-keys', { json: { label: 'first' } })
    app.clock.nowMs += 1500
    const { json: second } = await app.call('POST', '/auth/api-keys', { json: { label: 'second' } })
    app.clock.nowMs += 1000
    const path = `/auth/api-keys/${second.id.toUpperCase()}`
    const revoked = await app.call('DELETE', path, { token: second.key })
    expect([revoked.status, revoked.text]).toEqual([204, ''])
    expect((await app.call('GET', '/auth/me', { token: second.key })).status).toBe(401)
    app.clock.nowMs += 1000
    expect((await app.call('DELETE', path, { token: first.key })).status).toBe(204)
    const listed = ({ id, label, keyPrefix, createdAt }: Record<string, unknown>, revokedAt: string | null) => {
      return { id, label, keyPrefix, createdAt, revokedAt, scope: 'full', lastUpload: null }
    }
    expect([first.createdAt, second.createdAt]).toEqual(['2025-11-20T13:05:11Z', '2025-11-20T13:05:12.500Z'])
    expect((await app.call('GET', '/auth/api-keys', { token: first.key })).json).toEqual([
      listed(second, '2025-11-20T13:05:13.500Z'),
      listed(first, null),
    ])
  })
})
