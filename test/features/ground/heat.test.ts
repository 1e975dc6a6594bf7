// The heat map as it is asked for: filters, changes, tags, and the runs that pass a place.
import { describe, expect, test } from 'bun:test'
import { codeOf } from '../../../src/engine/ground/heat.ts'
import { type TestApp, testApp } from '../../app.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { done, stored } from '../../library/ledger.ts'

const DAY_MS = 86_400_000
/** Holds all runs of these tests: 48.13 to 48.145 N, 11.56 to 11.579 E. */
const TILE = '/map/heat/14/8718/5685'

interface Route {
  readonly lat: number
  readonly lon: number
  readonly day: number
  readonly seconds?: number
}

/** To the east at 2.98 m/s. */
async function eastward(app: TestApp, { lat, lon, day, seconds = 300 }: Route): Promise<string> {
  const startMs = START_MS + day * DAY_MS
  const points = Array.from({ length: seconds + 1 }, (_, t) => {
    return { lat, lon: lon + t * 0.00004, timeMs: startMs + t * 1000 }
  })
  return await stored(app, `${day}.gpx`, gpxFile({ points }))
}

async function asked(app: TestApp, path: string, headers: Readonly<Record<string, string>> = {}) {
  const sent = { headers: { authorization: `Bearer ${app.token}`, ...headers } }
  const answer = await app.handle(new Request(`http://localhost${path}`, sent))
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

async function tile(app: TestApp, query = '', path = TILE): Promise<Uint8Array | null> {
  const { status, bytes } = await asked(app, `${path}${query}`)
  if (status === 204) return null
  expect([status, bytes.length]).toEqual([200, 65_536])
  return bytes
}

const most = (codes: Uint8Array | null) => (codes === null ? 0 : Math.max(...codes))
const HERE = { lat: 48.137, lon: 11.562 }

describe('a tile', () => {
  test('counts the runs, is gzipped where that is accepted, and is no content where nobody ran', async () => {
    await using app = await testApp()
    expect(await tile(app)).toBeNull()
    for (const day of [0, 1, 2]) await eastward(app, { ...HERE, day })
    expect(most(await tile(app))).toBe(codeOf(3))
    expect(await tile(app, '', '/map/heat/14/8700/5685')).toBeNull()
    const packed = await asked(app, TILE, { 'accept-encoding': 'gzip, br' })
    const headers = ['content-encoding', 'cache-control'].map((name) => packed.headers.get(name))
    expect(headers).toEqual(['gzip', 'private, no-cache'])
    expect(Buffer.compare(Bun.gunzipSync(packed.bytes), (await tile(app))!)).toBe(0)
    for (const z of [6, 10, 13, 15]) {
      const [x, y] = [8718, 5685].map((index) => Math.floor(index * 2 ** (z - 14)))
      expect([z, most(await tile(app, '', `/map/heat/${z}/${x}/${y! + (z === 15 ? 1 : 0)}`))]).toEqual([z, codeOf(3)])
    }
    for (const path of ['5/0/0', '16/0/0', '14/16384/0', '14/x/0'])
      expect([path, (await asked(app, `/map/heat/${path}`)).status]).toEqual([path, 404])
  })

  test('changes with a type, a shoe, a run that is left out or deleted, and has a tag that holds as long', async () => {
    await using app = await testApp()
    const id = await eastward(app, { ...HERE, day: 0 })
    await eastward(app, { ...HERE, day: 1 })
    const shoe = await done(app, 'POST /shoes', { brand: 'A', model: 'B' })
    const seen = async () =>
      await Promise.all(['', '?runType=Race', `?shoeId=${shoe.id}`].map(async (query) => most(await tile(app, query))))
    const edit = (json: object) => done(app, `PATCH /workouts/${id}`, json)
    expect(await seen()).toEqual([2, 0, 0].map(codeOf))
    let last = ''
    for (const [change, counts] of [
      [() => edit({ runType: 'Race' }), [2, 1, 0]],
      [() => edit({ shoeId: shoe.id }), [2, 1, 1]],
      [() => edit({ leftOut: true }), [1, 0, 0]],
      [() => edit({ leftOut: false }), [2, 1, 1]],
      [() => done(app, `DELETE /workouts/${id}`), [1, 0, 0]],
    ] as const) {
      await change()
      expect(await seen()).toEqual(counts.map(codeOf))
      const tag = (await asked(app, TILE)).headers.get('etag')!
      expect(tag).not.toBe(last)
      last = tag
      const same = await asked(app, TILE, { 'if-none-match': `"other", ${tag}` })
      expect([same.status, same.bytes.length, same.headers.get('etag')]).toEqual([304, 0, tag])
    }
  })
})

test('the summary says how many runs, where, and where home is', async () => {
  await using app = await testApp()
  expect(await done(app, 'GET /map/heat')).toEqual({
    runs: 0,
    distanceM: 0,
    bounds: null,
    around: null,
    home: null,
    filling: 0,
  })
  await eastward(app, { ...HERE, day: 0 })
  await done(app, 'POST /places', { name: 'Home', ...HERE, isHome: true })
  const { bounds, ...summary } = await done(app, 'GET /map/heat')
  expect(summary).toMatchObject({ runs: 1, around: bounds, home: HERE, filling: 0 })
  // one 100 km to the north is among the bounds of all, and not around home
  await eastward(app, { ...HERE, lat: HERE.lat + 0.9, day: 1 })
  const both = await done(app, 'GET /map/heat')
  expect(both).toMatchObject({
    runs: 2,
    around: bounds,
    bounds: { ...bounds, north: expect.closeTo(HERE.lat + 0.9, 3) },
  })
  // 300 steps to the east; the path that bounds are of has a sample every 20 m, 10 m from either end
  for (const [name, degrees] of Object.entries({ west: 11.562, east: 11.574, south: 48.137, north: 48.137 }))
    expect([name, Math.abs(bounds[name] - degrees) < 2e-4]).toEqual([name, true])
})
