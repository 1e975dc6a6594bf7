import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packaged from '../../package.json' with { type: 'json' }
import { createApp } from '../../src/app.ts'
import { type Answer, type TestApp, testApp } from '../app.ts'
import { png } from '../fixtures/media.ts'
import { type FakeTileServer, fakeTileServer, pictureOf } from './tile-server.ts'

const DAY_MS = 86_400_000
const TILE = '/map/tiles/14/8529/5975'

let server: FakeTileServer
let app: TestApp
beforeEach(async () => {
  server = fakeTileServer()
  app = await testApp({ env: { MAP_TILES_URL: server.template, JWT_EXPIRATION_DAYS: '30' } })
})
afterEach(async () => {
  await app.close()
  server[Symbol.dispose]()
})

const turnOn = () => app.call('PUT', '/settings/map', { json: { tiles: true } })
const get = (path = TILE) => app.call('GET', path)
const asked = () => server.asked.map(({ path }) => path)

/** What a tile is answered by the app started again, with another tile server where one is given. */
async function statusAfterRestart(tilesUrl = server.template): Promise<number> {
  const restarted = createApp({ ...app.deps, config: { ...app.deps.config, tilesUrl } })
  const headers = { authorization: `Bearer ${app.token}` }
  return (await restarted.handle(new Request(`http://localhost${TILE}`, { headers }))).status
}

async function bytesOf(path = TILE): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${app.token}` }
  return new Uint8Array(await (await app.handle(new Request(`http://localhost${path}`, { headers }))).arrayBuffer())
}

describe('the setting', () => {
  test('is off until it is stored, is kept, is sent to other windows and leaves the other settings alone', async () => {
    expect((await app.call('GET', '/settings/map')).json).toEqual({ tiles: false })
    const stated: string[] = []
    app.deps.events.subscribe(({ event }) => stated.push(event))
    const stored = await turnOn()
    expect([stored.status, stored.json]).toEqual([200, { tiles: true }])
    expect(stated).toEqual(['settings.updated'])
    expect((await app.call('GET', '/settings/map')).json).toEqual({ tiles: true })
    await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
    expect((await app.call('PUT', '/settings/map', { json: { tiles: false } })).json).toEqual({ tiles: false })
    expect((await app.call('GET', '/settings/unit-preference')).json).toEqual({ unitPreference: 'imperial' })
  })
})

describe('a tile', () => {
  test('is refused, without a request to the tile server, while tiles are turned off', async () => {
    const { status, json } = await get()
    expect([status, json]).toEqual([404, { error: 'Map tiles are turned off' }])
    await turnOn()
    await get()
    await app.call('PUT', '/settings/map', { json: { tiles: false } })
    expect((await get()).status).toBe(404)
    expect(asked()).toEqual(['/base/14/8529/5975.png'])
  })

  test.each([
    ['/map/tiles/20/0/0', 'z'],
    ['/map/tiles/2/4/0', 'x'],
    ['/map/tiles/2/0/4', 'y'],
    ['/map/tiles/2/0/..%2f..%2fx', 'y'],
    ['/map/tiles/2/0/9999999999', 'y'],
  ])('%s does not exist: %s is wrong', async (path, name) => {
    await turnOn()
    const { status, json } = await get(path)
    const error = expect.stringMatching(new RegExp(`^No tile: ${name} must be an integer from 0 to \\d+$`))
    expect([status, json]).toEqual([404, { error }])
    expect(asked()).toEqual([])
  })

  test('comes as the tile server sent it, requested with the name of the program, and browsers keep it', async () => {
    await turnOn()
    server.answer = () => pictureOf(png(7))
    const answer = await get()
    expect(answer.status).toBe(200)
    const kept = ['content-type', 'cache-control', 'x-content-type-options'].map((name) => answer.headers.get(name))
    expect(kept).toEqual(['image/png', `private, max-age=${7 * 86_400}`, 'nosniff'])
    expect(await bytesOf()).toEqual(png(7))
    const sent = ['user-agent', 'cookie', 'authorization'].map((name) => server.asked[0]?.headers.get(name))
    expect(sent).toEqual([`Harrier/${packaged.version} (self-hosted running tracker)`, null, null])
  })

  test('is asked for once in a week, after a restart as well', async () => {
    await turnOn()
    await get()
    app.clock.nowMs += 7 * DAY_MS - 1000
    const again = await get()
    expect([again.status, again.headers.get('cache-control')]).toEqual([200, 'private, max-age=60'])
    expect(await statusAfterRestart()).toBe(200)
    expect(server.asked).toHaveLength(1)
  })

  test('that is a week old is asked for on condition, and unchanged counts as new', async () => {
    await turnOn()
    await get()
    app.clock.nowMs += 7 * DAY_MS
    server.answer = () => new Response(null, { status: 304 })
    expect((await get()).headers.get('cache-control')).toBe(`private, max-age=${7 * 86_400}`)
    // the clock of tests is at this time
    expect(server.asked[1]?.headers.get('if-modified-since')).toBe('Thu, 20 Nov 2025 13:05:11 GMT')
    expect(await bytesOf()).toEqual(png())
    expect(server.asked).toHaveLength(2)
  })

  test('that is old is better than none when the server fails, and is got again when it can be', async () => {
    await turnOn()
    await get()
    app.clock.nowMs += 8 * DAY_MS
    server.answer = () => new Response('busy', { status: 503 })
    expect(await bytesOf()).toEqual(png())
    app.clock.nowMs += 60_000
    server.answer = () => pictureOf(png(9))
    expect(await bytesOf()).toEqual(png(9))
  })

  test('that two ask for at the same time is asked for once', async () => {
    await turnOn()
    server.answer = async () => {
      await Bun.sleep(30)
      return pictureOf(png())
    }
    const answers = await Promise.all([get(), get(), get()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(server.asked).toHaveLength(1)
  })

  test('is never one of more than two that are asked for at a time', async () => {
    await turnOn()
    server.answer = async () => {
      await Bun.sleep(10)
      return pictureOf(png())
    }
    const all = await Promise.all(Array.from({ length: 12 }, (_, x) => get(`/map/tiles/5/${x}/3`)))
    expect(all.every(({ status }) => status === 200)).toBe(true)
    expect([server.asked.length, server.mostOpen()]).toEqual([12, 2])
  })

  test('that no request waits for any more is not fetched', async () => {
    await turnOn()
    const gate = Promise.withResolvers<void>()
    server.answer = async () => {
      await gate.promise
      return pictureOf(png())
    }
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${app.token}` }
    const ask = (x: number, signal?: AbortSignal) =>
      app.handle(new Request(`http://localhost/map/tiles/5/${x}/0`, { headers, ...(signal ? { signal } : {}) }))
    const kept = [ask(0), ask(1)]
    while (server.asked.length < 2) await Bun.sleep(1)
    const left = [2, 3, 4].map((x) => ask(x, leaving.signal))
    const stayed = ask(3)
    await Bun.sleep(30)
    leaving.abort()
    gate.resolve()
    await Promise.all([...kept, ...left])
    expect((await stayed).status).toBe(200)
    expect(asked().toSorted()).toEqual(['/base/5/0/0.png', '/base/5/1/0.png', '/base/5/3/0.png'])
  })
})

describe('a tile server that', () => {
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const failures: readonly (readonly [what: string, answer: () => Response])[] = [
    ['fails', () => new Response('oops', { status: 500 })],
    ['refuses', () => new Response('who are you', { status: 403 })],
    ['answers with a page', () => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } })],
    ['calls a page a picture', () => pictureOf(new TextEncoder().encode('<h1>Log in</h1>'))],
    ['sends a drawing that may have scripts', () => pictureOf(svg, 'image/svg+xml')],
    ['sends more than a megabyte', () => pictureOf(Uint8Array.from([...png(), ...new Uint8Array(1_048_576)]))],
    ['says unchanged of what was never got', () => new Response(null, { status: 304 })],
    ['sends nothing', () => pictureOf(new Uint8Array(0))],
  ]
  test.each(failures)('%s is a 502, nothing is kept, and no request is sent for a while', async (_what, answer) => {
    await turnOn()
    server.answer = answer
    const first: Answer = await get()
    expect([first.status, first.json]).toEqual([502, { error: 'The tile server does not respond' }])
    expect((await get('/map/tiles/14/0/0')).status).toBe(502)
    expect(server.asked).toHaveLength(1)
    expect(existsSync(join(app.deps.config.dataDir, 'tiles'))).toBe(false)
    app.clock.nowMs += 15_000
    server.answer = () => pictureOf(png())
    expect((await get()).status).toBe(200)
  })

  test.each([301, 302, 307, 308])('redirects with %d is a 502, and the redirect is not followed', async (status) => {
    await turnOn()
    using other = fakeTileServer()
    const location = other.template.replace('{z}/{x}/{y}', '1/1/1')
    server.answer = () => new Response(null, { status, headers: { location } })
    expect((await get()).status).toBe(502)
    expect([server.asked.length, other.asked.length]).toEqual([1, 0])
  })

  test('has no such tile is a 404 and is asked for others', async () => {
    await turnOn()
    server.answer = (path) => (path.includes('/14/') ? new Response(null, { status: 404 }) : pictureOf(png()))
    const { status, json } = await get()
    expect([status, json]).toEqual([404, { error: 'The tile server has no such tile' }])
    expect((await get('/map/tiles/3/1/1')).status).toBe(200)
  })

  test('cannot be reached is a 502 without its address', async () => {
    await turnOn()
    server[Symbol.dispose]()
    const { status, text } = await get()
    expect([status, text]).toEqual([502, '{"error":"The tile server does not respond"}'])
    expect(app.logged.join()).not.toContain('127.0.0.1')
  })
})

test('tiles of another server that was asked before are removed, and a tile cut short by a crash is got again', async () => {
  await turnOn()
  await get()
  const home = join(app.deps.config.dataDir, 'tiles')
  const [folder = ''] = readdirSync(home)
  writeFileSync(join(home, folder, '14-8529-5975'), '')
  expect(await bytesOf()).toEqual(png())
  expect(server.asked).toHaveLength(2)

  using other = fakeTileServer()
  expect(await statusAfterRestart(other.template)).toBe(200)
  expect(other.asked).toHaveLength(1)
  expect(readdirSync(home)).not.toContain(folder)
})
