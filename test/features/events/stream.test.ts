import { describe, expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { eventStream } from '../../../src/features/events/routes.ts'
import { progressOf } from '../../../src/library/progress.ts'
import { RUNNER, type TestApp, testApp } from '../../app.ts'
import { removeRows, setRows } from '../../library/as-stored.ts'
import { listeningApp, type Reading, reading } from './listening.ts'

const SETTINGS: Event = { event: 'settings.updated', data: {} }
const MANY_CHANGED = { id: 0, event: 'workout.updated', data: { event: 'workout.updated', id: null } }
const DAY_MS = 86_400_000

/** A new API key of the runner. */
async function newKey(app: TestApp): Promise<{ id: string; key: string }> {
  return (await app.call('POST', '/auth/api-keys', { json: {} })).json
}

describe('GET /events', () => {
  test('answers the head at once, for cookie, session and API key, under /api and with a trailing slash', async () => {
    await using app = await testApp({ env: { CORS_ALLOWED_ORIGINS: 'https://run.example.org' } })
    const { open, listeners } = listeningApp(app)
    for (const headers of [{}, { authorization: 'Bearer tmp_nonsense' }] as Record<string, string>[])
      expect([(await open('/events', headers)).status, listeners()]).toEqual([401, 0])
    const { key } = await newKey(app)
    const calls: [path: string, headers: Record<string, string>][] = [
      ['/events', { cookie: `authToken=${app.token}` }],
      ['/api/events', { authorization: `Bearer ${app.token}` }],
      ['/api/events/', { authorization: `Bearer ${key}` }],
    ]
    for (const [path, headers] of calls) {
      const answer = await open(path, { ...headers, origin: 'https://run.example.org' })
      const names = ['content-type', 'cache-control', 'x-accel-buffering', 'access-control-allow-origin']
      const found = names.map((name) => answer.headers.get(name))
      expect([answer.status, ...found]).toEqual([
        ...[200, 'text/event-stream', 'no-store', 'no', 'https://run.example.org'],
      ])
      const stream = reading(answer)
      expect(await stream.next()).toStartWith(':')
      await stream.cancel()
    }
    expect(listeners()).toBe(0)
  })

  test('a message is an id, the name of the event and one line of JSON that repeats it; none is repeated', async () => {
    await using app = await testApp()
    const { open, deps } = listeningApp(app)
    const first = reading(await open())
    await first.next()
    const data = { kind: 'files' as const, processed: 1, total: 2, filename: 'a\nb\r\u2028"é".gpx' }
    deps.events.emit({ event: 'import.progress', data })
    const [id, event, line, ...more] = (await first.next())?.split('\n') ?? []
    expect([id, event, more]).toEqual(['id: 0', 'event: import.progress', []])
    expect(line).not.toContain('\r')
    expect(JSON.parse(line?.slice('data: '.length) ?? '')).toEqual({ event: 'import.progress', ...data })
    const second = reading(await open())
    deps.events.emit({ event: 'workout.updated', data: { id: null } })
    for (const stream of [first, second]) {
      expect(await stream.message()).toEqual(MANY_CHANGED)
      await stream.cancel()
    }
  })

  test('begins with how far each import under way is', async () => {
    await using app = await testApp()
    const { open, deps } = listeningApp(app)
    {
      using progress = progressOf(deps, { kind: 'bulk', total: 412 })
      progress('activities/1.fit')
      const late = reading(await open())
      const data = { event: 'import.progress', kind: 'bulk', processed: 1, total: 412, filename: 'activities/1.fit' }
      expect(await late.message()).toEqual({ id: 0, event: 'import.progress', data })
      await late.cancel()
    }
    const later = reading(await open())
    deps.events.emit(SETTINGS)
    expect(await later.message()).toEqual({ id: 0, event: 'settings.updated', data: { event: 'settings.updated' } })
    await later.cancel()
  })
})

describe('a stream', () => {
  test('ends when its API key is revoked, or its password changed; others continue', async () => {
    await using app = await testApp()
    const { open, deps, handle, listeners } = listeningApp(app)
    const [revoked, kept] = [await newKey(app), await newKey(app)]
    const [ending, machine, session] = (await Promise.all(
      [revoked.key, kept.key, app.token].map(async (token) =>
        reading(await open('/events', { authorization: `Bearer ${token}` })),
      ),
    )) as [Reading, Reading, Reading]
    const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: string) =>
      (await handle(new Request(`http://localhost${path}`, { method, headers, ...(body && { body }) }))).status
    expect(await call('DELETE', `/auth/api-keys/${revoked.id}`)).toBe(204)
    expect([await ending.message(), listeners()]).toEqual([null, 2])
    deps.events.emit(SETTINGS)
    for (const other of [machine, session]) expect(await other.message()).toMatchObject({ event: 'settings.updated' })
    const passwords = { currentPassword: RUNNER.password, newPassword: 'another-horse-battery-staple' }
    expect(await call('POST', '/auth/change-password', JSON.stringify(passwords))).toBe(200)
    expect(await session.message()).toBe(null)
    // unless an API key holds it
    deps.events.emit(SETTINGS)
    expect(await machine.message()).toMatchObject({ event: 'settings.updated' })
    await machine.cancel()
  })

  const endings: [name: string, end: (app: TestApp) => void][] = [
    ['its token expires', (app) => app.pass(7 * DAY_MS)],
    ['its user is gone', ({ deps }) => removeRows(deps, 'user')],
    ['its session was ended elsewhere', ({ deps }) => setRows(deps, 'user', { session_version: 9 })],
  ]
  test.each(endings)('ends in the next silence after %s', async (_name, end) => {
    await using app = await testApp()
    const { deps, listeners } = listeningApp(app)
    const request = new Request('http://localhost/events', { headers: { authorization: `Bearer ${app.token}` } })
    const stream = reading(eventStream(deps, request, { server: null, silenceMs: 10 }))
    for (let comment = 0; comment < 3; comment += 1) expect(await stream.next()).toStartWith(':')
    expect(listeners()).toBe(1)
    end(app)
    expect(await stream.message()).toBe(null)
    expect(listeners()).toBe(0)
  })

  test('ends in the next silence after its API key expires', async () => {
    await using app = await testApp()
    const { deps } = listeningApp(app)
    const { key } = await app.ok('POST', '/auth/api-keys', { scope: 'read', expiresAt: '2025-11-20T14:00:00Z' })
    const request = new Request('http://localhost/events', { headers: { authorization: `Bearer ${key}` } })
    const stream = reading(eventStream(deps, request, { server: null, silenceMs: 10 }))
    for (let comment = 0; comment < 3; comment += 1) expect(await stream.next()).toStartWith(':')
    app.clock.nowMs = Date.UTC(2025, 10, 20, 14)
    expect(await stream.message()).toBe(null)
  })

  test('whose client does not read is dropped, and affects neither the emitter nor other listeners', async () => {
    await using app = await testApp()
    const { open, deps, listeners } = listeningApp(app)
    const stuck = await open()
    const reader = reading(await open())
    const stated = 3_000
    for (let n = 0; n < stated; n += 1) {
      const filename = `${'x'.repeat(200)}${n}`
      deps.events.emit({ event: 'import.progress', data: { kind: 'files', processed: n, total: stated, filename } })
      expect(await reader.message()).toMatchObject({ data: { processed: n } })
    }
    expect(listeners()).toBe(1)
    await expect(stuck.text()).rejects.toThrow('too slowly')
    await reader.cancel()
    expect(listeners()).toBe(0)
  })

  test('ends when the process stops, and none begins afterwards', async () => {
    await using app = await testApp()
    const { open, deps, listeners } = listeningApp(app)
    const stream = reading(await open())
    deps.events.emit(SETTINGS)
    deps.events.close()
    expect(await stream.message()).toMatchObject({ event: 'settings.updated' })
    expect(await stream.message()).toBe(null)
    expect(await reading(await open()).message()).toBe(null)
    expect(listeners()).toBe(0)
  })
})
