import { describe, expect, test } from 'bun:test'
import { RUNNER, type TestApp, testApp } from '../app.ts'

// What a browser says of a request: Fetch Metadata (W3C) on https and localhost, Origin (RFC 6454) on every write.

const HOST = 'pi.example:5001'
const REFUSAL = { error: expect.stringContaining('CORS_ALLOWED_ORIGINS') }
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
  test.each(FOREIGN)('writes nothing with the cookie: %p', async (sent) => {
    await using app = await testApp()
    const headers = { ...cookieOf(app), ...sent }
    const writes = [
      app.call('POST', '/shoes', { token: null, json: shoe, headers }),
      app.call('POST', '/api/shoes/', { token: null, body: JSON.stringify(shoe), headers }),
      app.call('PUT', '/settings/unit-preference', { token: null, json: { unitPreference: 'imperial' }, headers }),
      app.call('POST', '/auth/api-keys', { token: null, json: {}, headers }),
      app.call('POST', '/workouts/import', { token: null, body: new FormData(), headers }),
      app.call('DELETE', `/workouts/${crypto.randomUUID()}`, { token: null, headers }),
      app.call('POST', '/nothing', { token: null, headers }),
    ]
    for (const { status, json } of await Promise.all(writes)) expect([status, json]).toEqual([403, REFUSAL])
    expect(await shoesOf(app)).toBe(0)
    expect((await app.call('GET', '/settings/unit-preference')).json.unitPreference).toBe('metric')
    // reading is what the browser itself keeps from it
    expect((await app.call('GET', '/shoes', { token: null, headers })).status).toBe(200)
  })

  test.each(FOREIGN)('neither claims a fresh instance nor logs in or out: %p', async (sent) => {
    await using app = await testApp({ fresh: true })
    const headers = { host: HOST, ...sent }
    const json = { username: 'runner', password: RUNNER.password }
    for (const path of ['/auth/register', '/auth/login', '/auth/logout']) {
      const answer = await app.call('POST', path, { token: null, json, headers })
      expect([path, answer.status, answer.json]).toEqual([path, 403, REFUSAL])
      expect(answer.headers.has('set-cookie')).toBe(false)
    }
    const { json: open } = await app.call('GET', '/auth/registration-available', { token: null, headers })
    expect(open).toEqual({ registrationAvailable: true })
  })

  test('is a stranger without a valid credential', async () => {
    await using app = await testApp()
    const headers = { host: HOST, origin: 'https://evil.example', cookie: 'authToken=x' }
    const { status } = await app.call('POST', '/shoes', { token: null, json: shoe, headers })
    expect(status).toBe(401)
  })

  test('that holds a key or token of its own uses that, not the cookie', async () => {
    await using app = await testApp()
    const headers = { ...cookieOf(app), origin: 'https://evil.example' }
    expect((await app.call('POST', '/shoes', { json: shoe, headers })).status).toBe(200)
    const broken = await app.call('POST', '/shoes', { token: 'tmp_wrong', json: shoe, headers })
    expect([broken.status, await shoesOf(app)]).toEqual([403, 1])
  })
})

describe('our own page, and what is not a page,', () => {
  test.each(OWN)('write with the cookie, log in and out: %p', async (sent) => {
    await using app = await testApp()
    const headers = { ...cookieOf(app), ...sent }
    expect((await app.call('POST', '/shoes', { token: null, json: shoe, headers })).status).toBe(200)
    const json = { username: RUNNER.username, password: RUNNER.password }
    const host = { host: HOST, ...sent }
    expect((await app.call('POST', '/auth/login', { token: null, json, headers: host })).status).toBe(200)
    expect((await app.call('POST', '/auth/logout', { token: null, headers: host })).status).toBe(200)
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
    const write = async (env: Readonly<Record<string, string>>, sent: Readonly<Record<string, string>>) => {
      await using app = await testApp({ env })
      const headers = { ...cookieOf(app), host: '127.0.0.1:5001', origin: 'https://run.example.org', ...sent }
      return (await app.call('POST', '/shoes', { token: null, json: shoe, headers })).status
    }
    const trusted = { TRUST_PROXY: 'true' }
    const forwarded = { 'x-forwarded-host': 'run.example.org', 'x-forwarded-proto': 'https' }
    expect(await write(trusted, forwarded)).toBe(200)
    expect(await write(trusted, { ...forwarded, 'x-forwarded-host': 'elsewhere, run.example.org' })).toBe(200)
    expect(await write(trusted, { ...forwarded, 'x-forwarded-host': 'run.example.org, elsewhere' })).toBe(403)
    expect(await write(trusted, { host: 'run.example.org', 'x-forwarded-proto': 'https' })).toBe(200)
    // http and https are two origins, once it is known which of them was used
    expect(await write(trusted, { ...forwarded, 'x-forwarded-proto': 'http' })).toBe(403)
    expect(await write({}, forwarded)).toBe(403)
    expect(await write({}, { host: 'run.example.org' })).toBe(200)
  })
})
