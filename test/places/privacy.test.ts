// What others may see: hidden places, the ends of runs, and trimmed files of runs.
import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { entriesOf, exported, restored, textOf } from '../archive/archives.ts'
import { gpxFile } from '../fixtures/gpx.ts'
import { START_MS } from '../fixtures/runs.ts'
import { done, receiptOf, stored } from '../library/ledger.ts'

const HOME = { lat: 48.1375, lon: 11.575 }
const EAST_M = 74_200
const WAY_S = 1000

/** From home to the east at 3 m/s, a point a second. */
async function runEast(app: TestApp, { day = 0, seconds = WAY_S, from = HOME } = {}): Promise<string> {
  const startMs = START_MS + day * 86_400_000
  const points = Array.from({ length: seconds + 1 }, (_, t) => {
    return { lat: from.lat, lon: from.lon + (t * 3) / EAST_M, timeMs: startMs + t * 1000, ele: 500 }
  })
  return await stored(app, `${day}.gpx`, gpxFile({ points }))
}

async function trimmedFile(app: TestApp, id: string, format = 'gpx') {
  const answer = await app.call('GET', `/workouts/${id}/export?format=${format}&trim=true`)
  return { status: answer.status, text: answer.text }
}

const eastOf = (text: string) =>
  [...text.matchAll(/lon="([^"]+)"/g)].map(([, lon]) => Math.round((Number(lon) - HOME.lon) * EAST_M))

async function zip(app: TestApp, json: object) {
  const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(json) }
  const response = await app.handle(new Request('http://localhost/workouts/export/files', init))
  if (response.status !== 200) return { status: response.status, entries: null }
  const bytes = new Uint8Array(await response.arrayBuffer())
  // the first entry's local header: minutes of its time, which has no seconds of its own
  const time = new DataView(bytes.buffer).getUint16(10, true)
  return { status: 200, entries: await entriesOf(app, bytes), time: [time >> 11, (time >> 5) & 63] }
}

describe('a trimmed file', () => {
  test('is refused where nothing is hidden, and for an original', async () => {
    await using app = await testApp()
    const id = await runEast(app)
    expect((await trimmedFile(app, id)).status).toBe(400)
    expect((await zip(app, { format: 'gpx', filter: {}, trim: true })).status).toBe(400)
    await done(app, 'PUT /settings/privacy', { trimEndsM: 100 })
    expect((await trimmedFile(app, id)).status).toBe(200)
    const original = await trimmedFile(app, id, 'original')
    expect([original.status, original.text]).toEqual([
      400,
      '{"error":"An original file cannot be trimmed: choose FIT, GPX or TCX"}',
    ])
    expect((await zip(app, { format: 'original', filter: {}, trim: true })).status).toBe(400)
  })

  test('begins beyond a hidden place, at the same distance for all runs, and with clock and distance of its own', async () => {
    await using app = await testApp()
    const ids = [await runEast(app), await runEast(app, { day: 1 })]
    await done(app, 'POST /places', { ...HOME, name: 'Mandelweg', hideM: 300 })
    const files = await Promise.all(ids.map((id) => trimmedFile(app, id)))
    const [first, second] = files.map(({ text }) => eastOf(text))
    expect(first![0]).toBeGreaterThan(300)
    expect(first![0]).toBeLessThan(300 + 200 + 3 + 3)
    expect(second![0]).toBe(first![0]!)
    expect(first!.at(-1)).toBeCloseTo(3 * WAY_S, -1)
    const startS = Math.round(first![0]! / 3)
    const at = new Date(START_MS + startS * 1000).toISOString().slice(0, 16)
    expect(files[0]!.text).toContain(`<metadata><time>${at}`)
    for (const { text } of files) expect(text).not.toContain('Mandelweg')
    const { text } = await trimmedFile(app, ids[0]!, 'tcx')
    const [, totalS, totalM] = /<TotalTimeSeconds>([^<]+)<.*?<DistanceMeters>([^<]+)</.exec(text)!
    expect(Number(totalS)).toBeCloseTo(WAY_S - startS, -1)
    expect(Math.abs(Number(totalM) - 3 * (WAY_S - startS))).toBeLessThan(20)
    expect(text).not.toContain(new Date(START_MS).toISOString().slice(0, 19))
    // the runner's own file is whole
    const own = await app.call('GET', `/workouts/${ids[0]}/export?format=gpx`)
    expect(eastOf(own.text)[0]).toBe(0)
  })

  test('of a run that stays in a hidden place has no track', async () => {
    await using app = await testApp()
    const id = await runEast(app, { seconds: 60 })
    await done(app, 'POST /places', { ...HOME, name: 'Home', hideM: 500 })
    expect((await trimmedFile(app, id)).status).toBe(400)
    const { status, text } = await trimmedFile(app, id, 'tcx')
    expect([status, text.includes('Position'), text.includes('Altitude')]).toEqual([200, false, false])
  })

  test('in a ZIP: no original in its place, and rounded totals', async () => {
    await using app = await testApp()
    await runEast(app)
    await runEast(app, { day: 1, seconds: 60 })
    await done(app, 'POST /places', { ...HOME, name: 'Home', hideM: 500 })
    const { entries, time } = await zip(app, { format: 'gpx', filter: {}, trim: true })
    // when the ZIP was made, and not when the run began
    const now = new Date(app.clock.nowMs)
    expect(time).toEqual([now.getUTCHours(), now.getUTCMinutes()])
    expect([...entries!.keys()]).toEqual(['2025/2025-11-01-0800-run.gpx', 'runs.csv'])
    expect(eastOf(textOf(entries!, '2025/2025-11-01-0800-run.gpx'))[0]).toBeGreaterThan(500)
    const [, long, short] = textOf(entries!, 'runs.csv').split('\r\n')
    expect(long).toMatch(/,2025-11-01T07:00:00Z,2025-11-01T08:00:00,,,3000,1020,1020,/)
    expect(short).toEndWith(',"This run has no route, which a GPX file needs; FIT and TCX do not"')
  })
})

test('the ends of every run are cut by as much as is set, and no more is refused', async () => {
  await using app = await testApp()
  const id = await runEast(app)
  expect(await done(app, 'GET /settings/privacy')).toEqual({ trimEndsM: 0 })
  expect(await done(app, 'PUT /settings/privacy', { trimEndsM: 600 })).toEqual({ trimEndsM: 600 })
  const east = eastOf((await trimmedFile(app, id)).text)
  expect(Math.abs(east[0]! - 600)).toBeLessThan(4)
  expect(Math.abs(east.at(-1)! - 2400)).toBeLessThan(4)
  for (const trimEndsM of [-1, 1601, null, '600']) {
    expect((await app.call('PUT', '/settings/privacy', { json: { trimEndsM } })).status).toBe(400)
  }
})

test('a place is hidden and shown again, with bounds; deleting and undo keep how much is hidden', async () => {
  await using app = await testApp()
  const place = await done(app, 'POST /places', { ...HOME, name: 'Home' })
  expect(place.hideM).toBeNull()
  for (const hideM of [99, 2001, '300']) {
    expect((await app.call('PATCH', `/places/${place.id}`, { json: { hideM } })).status).toBe(400)
  }
  expect((await done(app, `PATCH /places/${place.id}`, { hideM: 300 })).hideM).toBe(300)
  expect((await done(app, `PATCH /places/${place.id}`, { name: 'Flat' })).hideM).toBe(300)
  const receipt = await receiptOf(app, `DELETE /places/${place.id}`)
  app.pass(60_000)
  await done(app, `POST /receipts/${receipt}/undo`, {})
  expect((await done(app, 'GET /places')).places).toMatchObject([{ name: 'Flat', hideM: 300 }])
  expect((await done(app, `PATCH /places/${place.id}`, { hideM: null })).hideM).toBeNull()
})

test('the runs that a hidden place would trim are known before it is hidden', async () => {
  await using app = await testApp()
  const id = await runEast(app)
  await runEast(app, { day: 1, from: { lat: 48.2, lon: 11.575 } })
  const at = (lon: number, hideM: number) => `GET /map/hidden?lat=${HOME.lat}&lon=${lon}&hideM=${hideM}`
  expect(await done(app, at(HOME.lon, 300))).toMatchObject({ count: 1, runs: [{ workoutId: id }] })
  // 1 km beyond the end
  const beyond = HOME.lon + 4000 / EAST_M
  expect((await done(app, at(beyond, 900))).count).toBe(0)
  expect((await done(app, at(beyond, 1100))).count).toBe(1)
})

test('an archive carries what is hidden', async () => {
  await using app = await testApp()
  await done(app, 'POST /places', { ...HOME, name: 'Home', hideM: 300 })
  await done(app, 'PUT /settings/privacy', { trimEndsM: 200 })
  await using other = await testApp()
  expect((await restored(other, await exported(app))).json).toMatchObject({ success: true, errors: [] })
  expect(await done(other, 'GET /settings/privacy')).toEqual({ trimEndsM: 200 })
  expect((await done(other, 'GET /places')).places).toMatchObject([{ name: 'Home', hideM: 300 }])
})
