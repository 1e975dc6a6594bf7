import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packaged from '../../../package.json' with { type: 'json' }
import { createApp } from '../../../src/app.ts'
import { tileStore } from '../../../src/features/map/store.ts'
import { type TestApp, testApp } from '../../app.ts'
import { png } from '../../fixtures/media.ts'
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

const set = (tiles: boolean) => app.ok('PUT', '/settings/map', { tiles })
const get = (path = TILE) => app.call('GET', path)
const asked = () => server.asked.map(({ path }) => path)
const headers = () => ({ authorization: `Bearer ${app.token}` })

/** What a tile is answered by the app started again, with another tile server where one is given. */
async function statusAfterRestart(tilesUrl = server.template): Promise<number> {
  const restarted = createApp({ ...app.deps, config: { ...app.deps.config, tilesUrl } })
  return (await restarted.handle(new Request(`http://localhost${TILE}`, { headers: headers() }))).status
}

async function bytesOf(path = TILE): Promise<Uint8Array> {
  const answer = await app.handle(new Request(`http://localhost${path}`, { headers: headers() }))
  return new Uint8Array(await answer.arrayBuffer())
}

test('tiles are off until they are turned on, without a request to the tile server', async () => {
  const off = { status: 404, json: { error: 'Map tiles are turned off' } }
  expect(await get()).toMatchObject(off)
  expect(await set(true)).toEqual({ tiles: true })
  await get()
  expect(await set(false)).toEqual(await app.ok('GET', '/settings/map'))
  expect(await get()).toMatchObject(off)
  expect(asked()).toEqual(['/base/14/8529/5975.png'])
})

describe('a tile', () => {
  beforeEach(() => set(true))

  test('that does not exist is not asked for', async () => {
    for (const [tile, name] of [
      ['20/0/0', 'z'],
      ['2/4/0', 'x'],
      ['2/0/4', 'y'],
      ['2/0/..%2f..%2fx', 'y'],
      ['2/0/9999999999', 'y'],
    ]) {
      const error = expect.stringMatching(new RegExp(`^No tile: ${name} must be an integer from 0 to \\d+$`))
      expect(await get(`/map/tiles/${tile}`)).toMatchObject({ status: 404, json: { error } })
    }
    expect(asked()).toEqual([])
  })

  test('comes as the tile server sent it, requested with the name of the program, and browsers keep it', async () => {
    server.answer = () => pictureOf(png(7))
    const answer = await get()
    expect(answer.status).toBe(200)
    const kept = ['content-type', 'cache-control', 'x-content-type-options'].map((name) => answer.headers.get(name))
    expect(kept).toEqual(['image/png', `private, max-age=${7 * 86_400}`, 'nosniff'])
    expect(await bytesOf()).toEqual(png(7))
    const sent = ['user-agent', 'cookie', 'authorization'].map((name) => server.asked[0]?.headers.get(name))
    expect(sent).toEqual([`Harrier/${packaged.version} (self-hosted running tracker)`, null, null])
  })

  test('is asked for once in a week, after a restart as well; then on condition, and unchanged counts as new', async () => {
    await get()
    app.clock.nowMs += 7 * DAY_MS - 1
    const cacheControl = async () => (await get()).headers.get('cache-control')
    expect(await cacheControl()).toBe('private, max-age=60')
    expect(await statusAfterRestart()).toBe(200)
    expect(server.asked).toHaveLength(1)
    app.clock.nowMs += 1
    server.answer = () => new Response(null, { status: 304 })
    expect(await cacheControl()).toBe(`private, max-age=${7 * 86_400}`)
    // the clock of tests is at this time
    expect(server.asked[1]?.headers.get('if-modified-since')).toBe('Thu, 20 Nov 2025 13:05:11 GMT')
    expect(await bytesOf()).toEqual(png())
    expect(server.asked).toHaveLength(2)
  })

  test('that is old is better than none when the server fails, and is got again when it can be', async () => {
    await get()
    app.clock.nowMs += 8 * DAY_MS
    server.answer = () => new Response('busy', { status: 503 })
    expect(await bytesOf()).toEqual(png())
    app.clock.nowMs += 60_000
    server.answer = () => pictureOf(png(9))
    expect(await bytesOf()).toEqual(png(9))
  })

  test('that some ask for at the same time is asked for once, and never more than two are at a time', async () => {
    server.answer = async () => {
      await Bun.sleep(10)
      return pictureOf(png())
    }
    for (const [paths, requests] of [
      [[TILE, TILE, TILE], 1],
      [Array.from({ length: 12 }, (_, x) => `/map/tiles/5/${x}/3`), 13],
    ] as const) {
      const answers = await Promise.all(paths.map(get))
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(server.asked).toHaveLength(requests)
    }
    expect(server.mostOpen()).toBe(2)
  })
})

describe('a tile server that', () => {
  beforeEach(() => set(true))

  const failed = { status: 502, text: '{"error":"The tile server does not respond","code":"upstream_failed"}' }
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const page = new TextEncoder().encode('<h1>Log in</h1>')
  test.each<[what: string, answer: () => Response]>([
    ['fails', () => new Response('oops', { status: 500 })],
    ['answers with a page', () => pictureOf(page, 'text/html')],
    ['calls a page a picture', () => pictureOf(page)],
    ['sends a drawing that may have scripts', () => pictureOf(svg, 'image/svg+xml')],
    ['sends more than a megabyte', () => pictureOf(Uint8Array.from([...png(), ...new Uint8Array(1_048_576)]))],
    ['says unchanged of what was never got', () => new Response(null, { status: 304 })],
  ])('%s is a 502, nothing is kept, and no request is sent for a while', async (_what, answer) => {
    server.answer = answer
    expect(await get()).toMatchObject(failed)
    expect((await get('/map/tiles/14/0/0')).status).toBe(502)
    expect(server.asked).toHaveLength(1)
    expect(existsSync(join(app.deps.config.dataDir, 'tiles'))).toBe(false)
    app.clock.nowMs += 15_000
    server.answer = () => pictureOf(png())
    expect((await get()).status).toBe(200)
  })

  test.each([301, 302, 307, 308])('redirects with %d is a 502, and the redirect is not followed', async (status) => {
    using other = fakeTileServer()
    const location = other.template.replace('{z}/{x}/{y}', '1/1/1')
    server.answer = () => new Response(null, { status, headers: { location } })
    expect((await get()).status).toBe(502)
    expect([server.asked.length, other.asked.length]).toEqual([1, 0])
  })

  test('has no such tile is a 404 and is asked for others; one that cannot be reached is a 502 without its address', async () => {
    server.answer = (path) => (path.includes('/14/') ? new Response(null, { status: 404 }) : pictureOf(png()))
    expect(await get()).toMatchObject({ status: 404, json: { error: 'The tile server has no such tile' } })
    expect((await get('/map/tiles/3/1/1')).status).toBe(200)
    server[Symbol.dispose]()
    expect(await get('/map/tiles/3/1/2')).toMatchObject(failed)
    expect(app.logged.join()).not.toContain('127.0.0.1')
  })
})

test('the tiles that were got longest ago make room, and those touched since stay', async () => {
  const store = tileStore(app.deps.config, 1000)
  const tile = (x: number) => ({ z: 9, x, y: 0 })
  for (let x = 0; x < 9; x += 1) await store.save(tile(x), new Uint8Array(100).fill(x + 1), 1_000_000 + x * 1000)
  await store.touch(tile(0), 2_000_000)
  // 1,100 bytes, of which nine tenths of 1,000 stay
  await store.save(tile(9), new Uint8Array(200).fill(1), 3_000_000)
  const kept = await Promise.all(Array.from({ length: 10 }, async (_, x) => (await store.find(tile(x))) !== null))
  expect(kept).toEqual([true, false, false, true, true, true, true, true, true, true])
})

test('tiles of another server that was asked before are removed, and a tile cut short by a crash is got again', async () => {
  await set(true)
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
