import { describe, expect, spyOn, test } from 'bun:test'
import { RUNNER, type TestApp, testApp } from '../../app.ts'
import { rowsOf } from '../../library/as-stored.ts'

const MINUTE_MS = 60_000
const PROXY = { TRUST_PROXY: 'true' }

const fail = async (app: TestApp, times: number, addressOf?: (attempt: number) => string) => {
  for (let attempt = 0; attempt < times; attempt += 1)
    expect((await login(app, 'runner', 'wrong', addressOf?.(attempt))).status).toBe(401)
}
const login = (app: TestApp, username: string, password: string, address = '192.0.2.1, 198.51.100.7') =>
  app.call('POST', '/auth/login', {
    json: { username, password },
    token: null,
    headers: { 'x-forwarded-for': address },
  })

describe('failed logins', () => {
  test('the eleventh is 429, with the right password as well, until the oldest is 15 minutes old', async () => {
    await using app = await testApp({ env: PROXY })
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await login(app, 'runner', 'wrong')).status).toBe(401)
      app.clock.nowMs += MINUTE_MS
    }
    const blocked = await login(app, ' runner ', RUNNER.password)
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '300'])
    expect(blocked.json.error).toContain('300 seconds')
    expect(app.logged.filter((line) => line.includes('blocked'))).toHaveLength(1)
    expect((await app.call('GET', '/auth/me')).status).toBe(200)
    expect((await login(app, 'runner', RUNNER.password, '198.51.100.8')).status).toBe(200)
    expect((await login(app, 'nobody', 'wrong')).status).toBe(401)
    app.clock.nowMs += 5 * MINUTE_MS - 1
    expect((await login(app, 'runner', 'wrong')).status).toBe(429)
    app.clock.nowMs += 1
    expect((await login(app, 'runner', 'wrong')).status).toBe(401)
    expect((await login(app, 'runner', RUNNER.password)).status).toBe(429)
  })

  test('an unknown user costs the same hash as a known one, so that the time says nothing', async () => {
    await using app = await testApp({ env: PROXY })
    const verified = spyOn(Bun.password, 'verify')
    try {
      for (const username of ['runner', 'nobody']) {
        expect((await login(app, username, 'wrong-password-of-some-length')).status).toBe(401)
      }
      const costs = verified.mock.calls.map(
        ([password, hash, kind]) => `${password} ${String(hash).slice(0, 30)} ${kind}`,
      )
      const cost = 'wrong-password-of-some-length $argon2id$v=19$m=19456,t=2,p=1 argon2id'
      expect(costs).toEqual([cost, cost])
    } finally {
      verified.mockRestore()
    }
  })

  test('a success starts the count again, a blank field is not a failure; they are stored without address and name', async () => {
    await using app = await testApp({ env: PROXY })
    for (let round = 0; round < 2; round += 1) {
      await fail(app, 9)
      const rows = JSON.stringify(rowsOf(app.deps, 'login_failure'))
      expect(rows).toContain('pair_hash')
      expect(rows).not.toMatch(/runner|198\.51/)
      for (let attempt = 0; attempt < 3; attempt += 1) expect((await login(app, 'runner', ' ')).status).toBe(400)
      expect((await login(app, 'runner', RUNNER.password)).status).toBe(200)
    }
  })

  test('of a password change count as well, and with those of the login', async () => {
    await using app = await testApp({ env: PROXY })
    const change = (currentPassword: string, newPassword = 'another-fine-battery-staple') =>
      app.call('POST', '/auth/change-password', {
        json: { currentPassword, newPassword },
        headers: { 'x-forwarded-for': '198.51.100.7' },
      })
    // what is refused before the password is looked at is not a guess
    for (let attempt = 0; attempt < 12; attempt += 1) expect((await change('wrong', 'short')).status).toBe(400)
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const { status, json } = await change('wrong')
      expect([status, json]).toEqual([400, expect.objectContaining({ error: 'currentPassword is wrong' })])
    }
    await fail(app, 4)
    const blocked = await change(RUNNER.password)
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await login(app, 'runner', RUNNER.password)).status).toBe(429)
    expect((await login(app, 'runner', RUNNER.password, '198.51.100.8')).status).toBe(200)
    app.clock.nowMs += 15 * MINUTE_MS
    expect((await change(RUNNER.password)).status).toBe(200)
  })

  test('parallel guesses at the current password do not pass the limit together', async () => {
    await using app = await testApp()
    const json = { currentPassword: 'wrong', newPassword: 'another-fine-battery-staple' }
    const guesses = Array.from({ length: 14 }, () => app.call('POST', '/auth/change-password', { json }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(10).fill(400), ...Array(4).fill(429)])
  })

  test('an address that only the client claims does not count', async () => {
    for (const [env, proxy] of [
      [{}, ''],
      [PROXY, ', 198.51.100.7'],
    ] as const) {
      await using app = await testApp({ env })
      await fail(app, 10, (attempt) => `192.0.2.${attempt}${proxy}`)
      expect((await login(app, 'runner', 'wrong', `203.0.113.9${proxy}`)).status).toBe(429)
    }
  })
})
