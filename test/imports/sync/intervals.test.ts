import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTurns } from '../../../src/base/turns.ts'
import type { Limits } from '../../../src/imports/sync/client.ts'
import { createSync } from '../../../src/imports/sync/sync.ts'
import { type TestApp, testApp } from '../../app.ts'
import { done } from '../../features/repair/repairing.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { bytesOf } from '../../library/as-stored.ts'

const KEY = 'a-personal-key-9rfk'
const DAY_MS = 86_400_000

/** intervals.icu as far as it is asked, answering what a test says. */
interface Canned {
  runs: Record<string, unknown>[]
  files: Record<string, () => Response | Promise<Response>>
  list: () => Response | null
  asked: string[]
}

let canned: Canned
let server: ReturnType<typeof Bun.serve>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search, searchParams } = new URL(request.url)
      canned.asked.push(`${pathname}${search}`)
      if (request.headers.get('authorization') !== `Basic ${btoa(`API_KEY:${KEY}`)}`)
        return new Response('', { status: 401 })
      if (pathname === '/api/athlete/0') return Response.json({ id: 'i12345', name: 'Anna' })
      if (pathname === '/api/athlete/0/activities') {
        const [oldest, newest] = [searchParams.get('oldest')!, searchParams.get('newest')!]
        const within = canned.runs.filter(({ start_date_local: start }) => {
          const day = String(start).slice(0, 10)
          return day >= oldest && day <= newest
        })
        return canned.list() ?? Response.json(within)
      }
      return (await canned.files[pathname.replace('/api/activity/', '')]?.()) ?? new Response('', { status: 404 })
    },
  })
})
afterAll(() => server.stop(true))
beforeEach(() => {
  canned = { runs: [], files: {}, list: () => null, asked: [] }
})

const run = (id: string, day: number, more = {}) => ({
  ...{ id, type: 'Run', source: 'GARMIN_CONNECT', name: `Run ${id}`, description: 'by the lake', distance: 1800 },
  start_date_local: new Date(START_MS + day * DAY_MS).toISOString().slice(0, 19),
  ...{ perceived_exertion: 6, ...more },
})
/** A name that no look-up finds (RFC 6761, 6.4). */
const NOWHERE = 'http://intervals.invalid/api'
const bytes = (data: Uint8Array) => () => new Response(data.slice())
const day = (k: number) => START_MS + k * DAY_MS

async function connected(since: string | null = '2025-10-01'): Promise<TestApp> {
  const app = await testApp({ env: { INTERVALS_BASE_URL: `http://127.0.0.1:${server.port}/api` } })
  const answer = await app.call('PUT', '/settings/sync/intervals-icu', {
    json: { apiKey: KEY, since, everyMinutes: 30 },
  })
  expect([answer.status, answer.json.intervalsIcu]).toMatchObject([
    200,
    { connected: true, athlete: 'i12345', name: 'Anna', keyEnding: '9rfk', since, state: 'ok', lastRunAt: null },
  ])
  return app
}

/** A round without the pauses between requests. */
const round = async (app: TestApp, limits: Limits = { spacingMs: 0 }) => {
  const sync = createSync(app.deps, createTurns({ atOnce: 1 }), limits)
  return await sync.run({ ...app.deps, by: { actor: 'sync', isAutomatic: true, left: () => {} } })
}

describe('sync with intervals.icu', () => {
  test('a round imports what is new under one receipt, nothing twice, and nothing that was deleted', async () => {
    canned.runs = [run('i3', 2), run('i2', 1, { type: 'Ride' }), run('i1', 0), run('i4', 3, { source: 'STRAVA' })]
    canned.files = { 'i1/file': bytes(fitRun({ startMs: day(0) })), 'i3/file': bytes(gpxRun({ startMs: day(2) })) }
    await using app = await connected()
    const made = await round(app)
    expect(made).toMatchObject({ created: 2, skipped: 0, errors: 0, stravaOnly: 1, message: null })
    const { items } = await done(app, 'GET', '/workouts')
    expect(items.map(({ name, rpe }: { name: string; rpe: number }) => [name, rpe])).toEqual([
      ['Run i3', 6],
      ['Run i1', 6],
    ])
    expect((await done(app, 'GET', `/workouts/${items[0].id}`)).notes).toBe('by the lake')
    const { recordings } = await done(app, 'GET', `/workouts/${items[0].id}/sources`)
    expect(recordings[0].origin).toBe('intervals_icu')
    const { intervalsIcu } = await done(app, 'GET', '/settings/sync')
    expect(intervalsIcu).toMatchObject({ state: 'ok', stravaOnly: 1, lastReceiptId: made.receiptId })
    canned.asked = []
    expect(await round(app)).toMatchObject({ created: 0, skipped: 2, receiptId: null })
    // from 14 days before the newest run on, and no file again
    expect(canned.asked).toEqual([expect.stringContaining('oldest=2025-10-21&')])
    // nor what was deleted here
    await app.call('DELETE', `/workouts/${items[0].id}`)
    expect(await round(app)).toMatchObject({ created: 0, skipped: 2 })
    await done(app, 'POST', `/trash/${items[0].id}/restore`, {})
    await done(app, 'POST', `/receipts/${made.receiptId}/undo`, {})
    expect((await done(app, 'GET', '/workouts')).totalCount).toBe(0)
  })

  test('a file that is missing is looked for as FIT, else it is an error of that run alone', async () => {
    canned.runs = [run('i3', 2), run('i2', 1), run('i1', 0)]
    canned.files = {
      'i1/fit-file': bytes(fitRun({ startMs: day(0) })),
      'i3/file': () => new Response('', { status: 422 }),
    }
    await using app = await connected()
    const made = await round(app)
    expect(made).toMatchObject({ created: 1, errors: 1, stravaOnly: 1, message: null })
    const left = await done(app, 'GET', `/receipts/${made.receiptId}`)
    expect(
      left.items.items.map(({ outcome, reason }: { outcome: string; reason: string | null }) => [outcome, reason]),
    ).toContainEqual([...['error', 'intervals.icu has no file of it']])
  })

  test('a run that has no file is made of its totals, once', async () => {
    const start = new Date(day(0)).toISOString().slice(0, 19)
    const local = new Date(day(0) + 3_600_000).toISOString().slice(0, 19)
    const totals = {
      distance: 5012.5,
      elapsed_time: 1700,
      moving_time: 1650,
      average_heartrate: 151,
      max_heartrate: 172,
    }
    canned.runs = [
      run('i2', 1, { distance: 0, elapsed_time: 900 }),
      run('i1', 0, { start_date: `${start}Z`, start_date_local: local, total_elevation_gain: 41, ...totals }),
    ]
    await using app = await connected()
    const made = await round(app)
    expect(made).toMatchObject({ created: 1, errors: 1, message: null })
    const [{ id }] = (await done(app, 'GET', '/workouts')).items
    expect(await done(app, 'GET', `/workouts/${id}`)).toMatchObject({
      ...{ source: 'json_import', startedAt: `${start}Z`, utcOffsetMinutes: 60, name: 'Run i1', notes: 'by the lake' },
      ...{ rpe: 6, distanceM: 5012.5, durationS: 1700, movingTimeS: 1650, avgHeartRateBpm: 151, maxHeartRateBpm: 172 },
      elevGainM: 41,
    })
    const sync = createSync(app.deps, createTurns({ atOnce: 1 }), { spacingMs: 0 })
    const by = { ...app.deps, by: { actor: 'sync', isAutomatic: true, left: () => {} } } as const
    expect(await sync.run(by)).toMatchObject({ created: 0, updated: 0, skipped: 1, errors: 1 })
    expect(await sync.run(by)).toMatchObject({ skipped: 1, errors: 0, receiptId: null })
    await done(app, 'POST', `/receipts/${made.receiptId}/undo`, {})
    expect((await done(app, 'GET', '/workouts')).totalCount).toBe(0)
  })

  test('a body that hangs ends the round, and one above the limit is an error of that run alone', async () => {
    canned.runs = [run('i2', 1), run('i1', 0)]
    const endless = (afterMs: number) =>
      new ReadableStream({ pull: (to) => Bun.sleep(afterMs).then(() => to.enqueue(new Uint8Array(4096))) })
    canned.files = { 'i1/file': () => new Response(endless(0)), 'i2/file': bytes(fitRun({ startMs: day(1) })) }
    await using app = await connected()
    const limited = { spacingMs: 0, timeoutMs: 20_000, mostFileBytes: 65_536 }
    expect(await round(app, limited)).toMatchObject({ created: 1, errors: 1, message: null })
    canned.files['i1/file'] = () => new Response(endless(40))
    expect(await round(app, { spacingMs: 0, timeoutMs: 300 })).toMatchObject({
      ...{ created: 0, skipped: 0, errors: 0, message: 'intervals.icu did not answer' },
    })
    expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  })

  test('a limit and a broken answer end the round, which goes on later', async () => {
    canned.runs = [run('i2', 1), run('i1', 0)]
    const whole = fitRun({ startMs: day(1) })
    const busy = () => new Response('', { status: 429, headers: { 'retry-after': '120' } })
    canned.files = { 'i1/file': bytes(fitRun({ startMs: day(0) })), 'i2/file': busy }
    await using app = await connected()
    expect(await round(app)).toMatchObject({ created: 1, message: 'intervals.icu answered 429', retryAfterMs: 120_000 })
    expect((await done(app, 'GET', '/settings/sync')).intervalsIcu).toMatchObject({ state: 'waiting' })
    canned.list = () => new Response('<html>')
    expect(await round(app)).toMatchObject({ message: 'The answer of intervals.icu could not be read' })
    canned.list = () => null
    canned.files['i2/file'] = bytes(whole)
    expect(await round(app)).toMatchObject({ created: 1, skipped: 1, message: null })
  })

  test('a key that is no longer accepted stops it, and is nowhere to be read', async () => {
    canned.runs = [run('i1', 0)]
    canned.files = { 'i1/file': () => new Response('', { status: 401 }) }
    await using app = await connected()
    expect(await round(app)).toMatchObject({ message: 'intervals.icu does not accept the key' })
    const state = (await app.call('GET', '/settings/sync')).text
    expect(state).toContain('"state":"refused"')
    const exported = await app.call('POST', '/workouts/export')
    const stored = bytesOf(app.deps)
    for (const text of [state, exported.text, stored.toString('latin1'), JSON.stringify(app.logged)]) {
      expect(text.includes(KEY)).toBe(false)
    }
    expect((await app.call('DELETE', '/settings/sync/intervals-icu')).status).toBe(204)
    expect(await done(app, 'GET', '/settings/sync')).toEqual({ intervalsIcu: { connected: false } })
  })

  test('an unexpected error is a failed round, after which all older runs still come', async () => {
    const days = [0, -100, -200, -300, -400, -500]
    canned.runs = days.map((at, k) => run(`i${k}`, at))
    canned.files = Object.fromEntries(days.map((at, k) => [`i${k}/file`, bytes(fitRun({ startMs: day(at) }))]))
    await using app = await connected(null)
    const tmp = join(app.deps.config.dataDir, 'tmp')
    const third = canned.files['i3/file']!
    canned.files['i3/file'] = () => {
      rmSync(tmp, { recursive: true })
      return third()
    }
    const message = 'An unexpected error, which is in the log'
    expect(await round(app)).toMatchObject({ created: 3, message })
    expect((await done(app, 'GET', '/settings/sync')).intervalsIcu).toMatchObject({ state: 'waiting', message })
    expect((await app.call('GET', '/metrics')).text).toContain('\nharrier_sync_failed 1\n')
    mkdirSync(tmp)
    canned.files['i3/file'] = third
    expect(await round(app)).toMatchObject({ created: 3, skipped: 3, message: null })
    expect((await done(app, 'GET', '/settings/sync')).intervalsIcu).toMatchObject({ state: 'ok', message: null })
  })

  test('a wrong key, or nothing that answers, is refused', async () => {
    await using app = await testApp({ env: { INTERVALS_BASE_URL: `http://127.0.0.1:${server.port}/api` } })
    const put = async (of: TestApp, apiKey: string) => {
      const { status, json } = await of.call('PUT', '/settings/sync/intervals-icu', { json: { apiKey } })
      return [status, json.error]
    }
    for (const key of ['another', 'clé 🔑'])
      expect(await put(app, key)).toEqual([400, 'intervals.icu does not accept the key'])
    await using unknown = await testApp({ env: { INTERVALS_BASE_URL: NOWHERE } })
    expect(await put(unknown, KEY)).toEqual([400, 'intervals.icu did not answer'])
    expect((await app.call('POST', '/settings/sync/intervals-icu/run')).status).toBe(400)
  })
})
