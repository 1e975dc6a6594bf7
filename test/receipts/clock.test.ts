// A clock that leaps, as of a device without a battery for it: nothing is deleted for an age that may be wrong.
import { afterAll, expect, spyOn, test } from 'bun:test'
import { cleanUp } from '../../src/jobs.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

let uptimeMs = 0
const uptime = spyOn(performance, 'now').mockImplementation(() => uptimeMs)
afterAll(() => uptime.mockRestore())

const trashed = async (app: TestApp) => (await app.ok('GET', '/trash')).totalCount

/** An app with a run in the trash, whose clean-up has just looked at the clock. */
async function withTrash(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650', ...env } })
  await app.ok('DELETE', `/workouts/${await app.run(fitRun())}`)
  await cleanUp(app.deps)
  return app
}

async function pass(app: TestApp, ms: number): Promise<number> {
  uptimeMs += ms
  app.clock.nowMs += ms
  await cleanUp(app.deps)
  return await trashed(app)
}

test('the trash outlives a clock that is ahead for a while, and goes after a day of uptime when it stays ahead', async () => {
  await using app = await withTrash()
  app.clock.nowMs += YEAR_MS
  expect(await pass(app, 0)).toBe(1)
  app.clock.nowMs -= YEAR_MS
  expect(await pass(app, 12 * HOUR_MS)).toBe(1)
  app.clock.nowMs += YEAR_MS
  for (const hours of [0, 12, 11.9]) expect(await pass(app, hours * HOUR_MS)).toBe(1)
  expect(await pass(app, 0.2 * HOUR_MS)).toBe(0)
})

test('a clock that returns is believed at once', async () => {
  await using app = await withTrash()
  app.clock.nowMs += YEAR_MS
  expect(await pass(app, 0)).toBe(1)
  app.clock.nowMs -= YEAR_MS
  for (let day = 0; day < 16; day += 1) await pass(app, 47 * HOUR_MS)
  expect(await trashed(app)).toBe(0)
})

test('while the clock is ahead, what exceeds UNDO_MAX_BYTES goes all the same', async () => {
  await using app = await withTrash({ UNDO_MAX_BYTES: '2000' })
  app.clock.nowMs += YEAR_MS
  expect(await pass(app, 0)).toBe(1)
  for (let day = 1; day < 6; day += 1) {
    await app.ok('DELETE', `/workouts/${await app.run(fitRun({ startMs: START_MS - day * 24 * HOUR_MS }))}`)
  }
  expect(await pass(app, 0)).toBeLessThan(6)
})
