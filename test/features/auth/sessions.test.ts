import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { NOW_MS, RUNNER, type TestApp, testApp } from '../../app.ts'

const DAY_MS = 86_400_000
const LOGIN = { username: RUNNER.username, password: RUNNER.password }
const NEW_PASSWORD = 'several-other-words-42'

async function login(app: TestApp, more: object = {}, headers: Record<string, string> = {}) {
  const answer = await app.call('POST', '/auth/login', { json: { ...LOGIN, ...more }, token: null, headers })
  const cookie = answer.headers.get('set-cookie') ?? ''
  return { ...answer, cookie, token: /^authToken=([^;]*)/.exec(cookie)?.[1] ?? '' }
}

/** In whatever order. */
const attributes = (cookie: string | null) => (cookie ?? '').split('; ').slice(1).toSorted()

const me = async (app: TestApp, headers: Record<string, string>) =>
  (await app.call('GET', '/auth/me', { token: null, headers })).status

describe('login', () => {
  test('answers who and until when, and sets the cookie', async () => {
    await using app = await testApp()
    const short = await login(app, { username: ' runner ' })
    const who = { userId: RUNNER.userId, username: 'runner' }
    expect([short.status, short.json]).toEqual([200, { ...who, expiresAt: '2025-11-27T13:05:11Z' }])
    expect(short.cookie).toStartWith(`authToken=${short.token}; `)
    expect(attributes(short.cookie)).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'])
    const long = await login(app, { rememberMe: true })
    expect(long.json.expiresAt).toBe('2025-12-20T13:05:11Z')
    expect(attributes(long.cookie)).toContain('Max-Age=2592000')
    expect(attributes((await login(app, { rememberMe: null })).cookie)).toContain('Max-Age=604800')
    const at = '2025-11-20T13:05:11Z'
    expect((await app.call('GET', '/auth/me')).json).toEqual({ ...who, createdAt: at, lastLoginAt: at })
  })

  test('a blank field is 400, wrong credentials are 401 with one text', async () => {
    await using app = await testApp()
    for (const blank of [{ username: ' ' }, { password: '  ' }]) expect((await login(app, blank)).status).toBe(400)
    const users = [{ username: 'nobody' }, { username: 'Runner' }]
    for (const wrong of [...users, { password: 'wrong' }, { password: `${RUNNER.password} ` }]) {
      const { status, json, cookie } = await login(app, wrong)
      expect([status, json, cookie]).toEqual([
        401,
        expect.objectContaining({ error: 'Invalid username or password' }),
        '',
      ])
    }
  })

  test('over http the cookie comes back, behind a trusted https proxy it is Secure', async () => {
    await using plain = await testApp()
    const http = await login(plain, {}, { 'x-forwarded-proto': 'https' })
    expect(http.cookie).not.toContain('Secure')
    expect(await me(plain, { cookie: `theme=dark; authToken=${http.token}` })).toBe(200)
    await using proxied = await testApp({ env: { TRUST_PROXY: 'true', COOKIE_DOMAIN: 'example.org' } })
    const https = await login(proxied, {}, { 'x-forwarded-proto': 'https' })
    const always = ['Domain=example.org', 'HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax']
    expect(attributes(https.cookie)).toEqual([...always, 'Secure'].toSorted())
    expect(attributes((await login(proxied, {}, { 'x-forwarded-proto': 'http' })).cookie)).toEqual(always)
    const out = await proxied.call('POST', '/auth/logout', { token: null, headers: { 'x-forwarded-proto': 'https' } })
    const expired = out.headers.get('set-cookie')
    expect(expired).toStartWith('authToken=; ')
    expect(attributes(expired)).toEqual(
      [...always.map((attribute) => attribute.replace('604800', '0')), 'Secure'].toSorted(),
    )
    expect([out.status, out.json]).toEqual([200, { message: 'Logged out successfully' }])
  })
})

describe('a session', () => {
  test('ends exactly when its time is over', async () => {
    await using app = await testApp()
    const authorization = `Bearer ${(await login(app)).token}`
    app.pass(7 * DAY_MS - 1000)
    expect(await me(app, { authorization })).toBe(200)
    app.pass(1000)
    expect(await me(app, { authorization })).toBe(401)
  })

  test('a stale cookie does not spoil a good header, nor a broken header a good cookie', async () => {
    await using app = await testApp()
    const { token } = await login(app)
    const cookie = `authToken=${token}`
    for (const [headers, status] of [
      [{ authorization: `bearer   ${token}`, cookie: 'authToken=stale' }, 200],
      [{ authorization: 'Bearer broken', cookie }, 200],
      [{ authorization: 'Basic cnVubmVyOng=', cookie }, 200],
      [{ authorization: 'Bearer tmp_unknown', cookie }, 200],
      [{ cookie: `authToken=stale; ${cookie}` }, 200],
      [{ authorization: 'Bearer broken', cookie: 'authToken=stale' }, 401],
      [{ authorization: token }, 401],
      [{ cookie: 'authToken=' }, 401],
    ] as const)
      expect([headers, await me(app, headers)]).toEqual([headers, status])
  })

  test('is refused when it was signed otherwise', async () => {
    await using app = await testApp()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { sub: RUNNER.userId, ver: 1, remember: false, exp: NOW_MS / 1000 + 1000 }
    const signed = (header: object, payload: object, secret: string) => {
      const text = `${part(header)}.${part(payload)}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const { jwtSecret } = app.deps
    const ask = (token: string) => me(app, { authorization: `Bearer ${token}` })
    const claiming = (more: object) => signed({ alg: 'HS256' }, { ...claims, ...more }, jwtSecret)
    expect(await ask(claiming({}))).toBe(200)
    const otherwise = signed({ alg: 'HS256' }, claims, 'another-secret-of-enough-characters')
    const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`
    const wrong = [{ exp: undefined }, { ver: '1' }, { sub: crypto.randomUUID() }].map(claiming)
    for (const token of [otherwise, unsigned, ...wrong]) expect(await ask(token), token).toBe(401)
  })
})

const WAYS: Readonly<Record<string, readonly [path: string, json: object, status: number]>> = {
  'changing the password': [
    '/auth/change-password',
    { currentPassword: RUNNER.password, newPassword: NEW_PASSWORD },
    200,
  ],
  'logging out other devices': ['/auth/logout-others', {}, 204],
}

describe.each(Object.keys(WAYS))('%s', (way) => {
  const [path, json, done] = WAYS[way]!

  test('ends all other sessions, keeps API keys, and hands out a fresh cookie for as long as before', async () => {
    await using app = await testApp()
    const { token } = await login(app, { rememberMe: true })
    const { json: key } = await app.call('POST', '/auth/api-keys', { token })
    const { status, headers } = await app.call('POST', path, { json, token })
    expect(status).toBe(done)
    const cookie = headers.get('set-cookie') ?? ''
    expect(attributes(cookie)).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
    const fresh = /^authToken=([^;]+)/.exec(cookie)?.[1] ?? ''
    const statuses = [token, app.token, fresh, key.key].map(
      async (credential) => (await app.call('GET', '/auth/me', { token: credential })).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 200, 200])
    const isChanged = path.endsWith('password')
    expect((await login(app)).status).toBe(isChanged ? 401 : 200)
    if (isChanged) expect((await login(app, { password: NEW_PASSWORD })).status).toBe(200)
  })
})
