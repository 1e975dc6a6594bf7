// Where runs start: groups, names, home, undo and archives.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { butUpdated } from '../../fixtures/updated.ts'
import { done, receiptOf, stored } from '../../library/ledger.ts'
import { each, said } from '../../rows.ts'

const DAY_MS = 86_400_000
const HOME = { lat: 48.1375, lon: 11.575 }
const PARK = { lat: 48.15, lon: 11.6 }

/** A run of 5 min to the east. @param day after the first */
async function runFrom(app: TestApp, { lat, lon }: typeof HOME, day: number): Promise<string> {
  const startMs = START_MS + day * DAY_MS
  const points = Array.from({ length: 301 }, (_, t) => ({ lat, lon: lon + t * 0.00004, timeMs: startMs + t * 1000 }))
  return await stored(app, `${day}.gpx`, gpxFile({ points }))
}

async function runs(app: TestApp, { home, park }: { readonly home: number; readonly park: number }) {
  for (let day = 0; day < home; day += 1) await runFrom(app, { lat: HOME.lat + day * 1e-5, lon: HOME.lon }, day)
  for (let day = 0; day < park; day += 1) await runFrom(app, PARK, 12 + day)
}

const list = async (app: TestApp) => (await done(app, 'GET /places')).places
const names = async (app: TestApp) => each(await list(app), 'name')

test('runs are grouped by where they start, and home is where most of the last year do', async () => {
  await using app = await testApp()
  await runs(app, { home: 10, park: 3 })
  const { places, filling } = await done(app, 'GET /places')
  expect(filling).toBe(0)
  const nothing = { id: null, name: null, suggested: 'Munich', country: 'DE', hideM: null, updatedAt: null }
  expect(places).toEqual([
    {
      ...{ ...nothing, lastUtcOffsetMinutes: 60, lat: 48.137545, lon: 11.575, runs: 10, isHome: true },
      ...{ firstAt: '2025-11-01T07:00:00Z', lastAt: '2025-11-10T07:00:00Z', distanceM: places[0].distanceM },
    },
    {
      ...{
        ...nothing,
        lastUtcOffsetMinutes: 60,
        suggested: 'Bogenhausen',
        lat: 48.15,
        lon: 11.6,
        runs: 3,
        isHome: false,
      },
      ...{ firstAt: '2025-11-13T07:00:00Z', lastAt: '2025-11-15T07:00:00Z', distanceM: places[1].distanceM },
    },
  ])
  // 300 steps of 0.00004 degrees at 48.137 N, 74,400 m a degree
  expect(places[0].distanceM).toBeCloseTo(10 * 0.012 * 74_400, -2)
})

test('a name is given, changed, taken away and given back, and with it how much is hidden', async () => {
  await using app = await testApp()
  await runs(app, { home: 3, park: 1 })
  const { status, headers, json } = await app.call('POST', '/places', { json: { ...PARK, name: '  Park ' } })
  const { id } = json
  expect([status, headers.get('harrier-receipt')]).toEqual([201, null])
  expect(json).toEqual({ ...PARK, id, name: 'Park', isHome: false, hideM: null, updatedAt: '2025-11-20T13:05:11Z' })
  expect(said(await list(app), 'id', 'name', 'runs')).toEqual([
    [null, null, 3],
    [id, 'Park', 1],
  ])
  expect(await done(app, `PATCH /places/${id}`, { hideM: 300 })).toMatchObject({ name: 'Park', hideM: 300 })
  const green = { name: 'Green', hideM: 300, ...PARK }
  expect(await done(app, `PATCH /places/${id}`, { name: 'Green' })).toMatchObject(green)
  const before = await list(app)
  const receipt = await receiptOf(app, `DELETE /places/${id}`)
  expect((await done(app, `GET /receipts/${receipt}`)).title).toBe('Deleted the place Green')
  expect(await names(app)).toEqual([null, null])
  app.pass(60_000)
  const undoing = await done(app, `POST /receipts/${receipt}/undo`, {})
  expect(butUpdated(await list(app))).toEqual(butUpdated(before))
  app.pass(60_000)
  await done(app, `POST /receipts/${undoing.receiptId}/undo`, {})
  expect(await names(app)).toEqual([null, null])
})

test('home is one at most: marking another takes it, and what comes back by undo does not take it again', async () => {
  await using app = await testApp()
  await runs(app, { home: 10, park: 1 })
  const expectHome = async (name: string) => {
    const homes = said(await list(app), 'isHome', 'name').filter(([isHome]) => isHome)
    expect(homes).toEqual([[true, name]])
  }
  const park = await done(app, 'POST /places', { ...PARK, name: 'Park', isHome: true })
  await expectHome('Park')
  const flat = await done(app, 'POST /places', { ...HOME, name: 'Flat', isHome: true })
  await expectHome('Flat')
  await done(app, `PATCH /places/${park.id}`, { isHome: true })
  const receipt = await receiptOf(app, `DELETE /places/${park.id}`)
  // unmarked, it is where most runs start
  await expectHome('Flat')
  await done(app, `PATCH /places/${flat.id}`, { isHome: true })
  app.pass(60_000)
  await done(app, `POST /receipts/${receipt}/undo`, {})
  await expectHome('Flat')
})

test('the list has the runs that start near a place, and so has the map', async () => {
  await using app = await testApp()
  await runs(app, { home: 3, park: 2 })
  const near = ({ lat, lon }: typeof HOME, metres: number) => `startLat=${lat}&startLon=${lon}&startM=${metres}`
  for (const [start, count] of [
    // 10 m are 0.00009 degrees to the north; the starts at home are 0.00001 apart
    [near(HOME, 10), 3],
    // 100 m to the east are 0.00134 degrees here
    [near({ ...PARK, lon: PARK.lon + 0.0013 }, 100), 2],
    [near({ ...PARK, lon: PARK.lon + 0.0014 }, 100), 0],
    [near(PARK, 5000), 5],
  ] as const)
    expect([start, (await done(app, `GET /workouts?${start}`)).totalCount]).toEqual([start, count])
  const passing = `GET /map/runs?lat=${HOME.lat}&lon=${HOME.lon + 0.0001}`
  const counts = [PARK, HOME].map(async (start) => (await done(app, `${passing}&${near(start, 50)}`)).count)
  expect(await Promise.all(counts)).toEqual([0, 3])
  // the latest first; 0.00002 degrees are 2.2 m
  const { count, runs: nearest } = await done(app, `${passing}&radiusM=25&maxResults=2`)
  expect([count, nearest.length, nearest[0].startedAt]).toEqual([3, 2, '2025-11-03T07:00:00Z'])
  expect(nearest[0].nearestM).toBeWithin(1.2, 3.2)
  expect((await app.call('GET', '/workouts?startLat=1&startLon=1')).status).toBe(400)
})
