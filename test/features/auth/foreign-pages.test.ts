import { describe, expect, test } from 'bun:test'
import { type CallOptions, RUNNER, type TestApp, testApp } from '../../app.ts'

// What a browser says of a request: Fetch Metadata (W3C) on https and localhost, Origin (RFC 6454) on every write.

const HOST = 'pi.example:5001'
const REFUSAL = { code: 'foreign_origin', error: expect.stringContaining('CORS_ALLOWED_ORIGINS') }
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'Cross-Site', origin: `http://${HOST}` },
  { origin: 'https://evil.example' },
  { origin: 'http://pi.example:3000' },
  { origin: 'http://pi.example' },
  { origin: `http://x@${HOST}` },
  { origin: `http://${HOST}.evil.example` },
  { origin: 'null' },
  { origin: '' },
  { origin: 'file://' },
  { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
]
const OWN: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { origin: `http://${HOST}` },
  { origin: `https://${HOST}` },
  { origin: 'https://PI.example:5001' },
  { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' },
  // a proxy that puts its own name into Host: the browser knows better
  { origin: 'https://run.example.org', 'sec-fetch-site': 'same-origin' },
]

const cookieOf = (app: TestApp) => ({ cookie: `authToken=${app.token}`, host: HOST })
const shoe = { brand: 'Hoka', model: 'Clifton 9' }
const shoesOf = async (app: TestApp) => (await app.call('GET', '/shoes')).json.length

describe('a page of another origin, in the browser of the runner,', () => {
  test('writes nothing with the cookie', async () => {
    await using app = await testApp()
    for (const sent of FOREIGN) {
      const headers = { ...cookieOf(app), ...sent }
      const call = (method: string, path: string, more: CallOptions = {}) =>
        app.call(method, path, { token: null, headers, ...more })
      const writes = [
        call('POST', '/shoes', { json: shoe }),
        call('POST', '/api/shoes/', { body: JSON.stringify(shoe) }),
        call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } }),
        call('POST', '/auth/api-keys', { json: {} }),
        call('POST', '/workouts/import', { body: new FormData() }),
        call('DELETE', `/workouts/${crypto.randomUUID()}`),
        call('POST', '/nothing'),
      ]
      for (const { status, json } of await Promise.all(writes))
        expect([sent, status, json]).toEqual([sent, 403, REFUSAL])
      // reading is what the browser itself keeps from it
      expect((await call('GET', '/shoes')).status).toBe(200)
    }
    expect(await shoesOf(app)).toBe(0)
    expect((await app.ok('GET', '/settings/unit-preference')).unitPreference).toBe('metric')
  })

  test('neither claims a fresh instance nor logs in or out', async () => {
    await using app = await testApp({ fresh: true })
    const json = { username: 'runner', password: RUNNER.password }
    for (const sent of FOREIGN) {
      for (const path of ['/auth/register', '/auth/login', '/auth/logout']) {
        const answer = await app.call('POST', path, { token: null, json, headers: { host: HOST, ...sent } })
        expect([sent, path, answer.status, answer.json]).toEqual([sent, path, 403, REFUSAL])
        expect(answer.headers.has('set-cookie')).toBe(false)
      }
    }
    expect(await app.ok('GET', '/auth/registration-available')).toEqual({ registrationAvailable: true })
  })
})

describe('our own page, and what is not a page,', () => {
  test('write with the cookie, log in and out', async () => {
    await using app = await testApp()
    const json = { username: RUNNER.username, password: RUNNER.password }
    for (const sent of OWN) {
      const headers = { ...cookieOf(app), ...sent }
      const host = { host: HOST, ...sent }
      const statuses = [
        (await app.call('POST', '/shoes', { token: null, json: shoe, headers })).status,
        (await app.call('POST', '/auth/login', { token: null, json, headers: host })).status,
        (await app.call('POST', '/auth/logout', { token: null, headers: host })).status,
      ]
      expect([sent, statuses]).toEqual([sent, [200, 200, 200]])
    }
  })

  test('and one that CORS_ALLOWED_ORIGINS names, which may read the answer', async () => {
    const origin = 'http://localhost:3000'
    await using app = await testApp({ env: { CORS_ALLOWED_ORIGINS: origin } })
    const headers = { ...cookieOf(app), origin, 'sec-fetch-site': 'same-site' }
    const added = await app.call('POST', '/shoes', { token: null, json: shoe, headers })
    expect([added.status, added.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    const other = { ...headers, origin: 'http://localhost:3001' }
    const refused = await app.call('POST', '/shoes', { token: null, json: shoe, headers: other })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  test('behind a proxy that is trusted, by the address that the browser used', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    const forwarded = { 'x-forwarded-host': 'run.example.org', ...https }
    for (const [TRUST_PROXY, sent, status] of [
      ['true', forwarded, 200],
      ['true', { ...forwarded, 'x-forwarded-host': 'elsewhere, run.example.org' }, 200],
      ['true', { ...forwarded, 'x-forwarded-host': 'run.example.org, elsewhere' }, 403],
      ['true', { host: 'run.example.org', ...https }, 200],
      // http and https are two origins, once it is known which of them was used
      ['true', { ...forwarded, 'x-forwarded-proto': 'http' }, 403],
      ['false', forwarded, 403],
      ['false', { host: 'run.example.org' }, 200],
    ] as const) {
      await using app = await testApp({ env: { TRUST_PROXY } })
      const headers = { ...cookieOf(app), host: '127.0.0.1:5001', origin: 'https://run.example.org', ...sent }
      const answer = await app.call('POST', '/shoes', { token: null, json: shoe, headers })
      expect([TRUST_PROXY, sent, answer.status]).toEqual([TRUST_PROXY, sent, status])
    }
  })
})
