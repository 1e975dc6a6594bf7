// What others may see: hidden places, the ends of runs, and trimmed files of runs.
import { describe, expect, test } from 'bun:test'
import { hiddenCircle } from '../../../src/library/places.ts'
import { type TestApp, testApp } from '../../app.ts'
import { entriesOf, textOf } from '../../archive/archives.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { tcxFile } from '../../fixtures/tcx.ts'
import { done, stored } from '../../library/ledger.ts'

const HOME = { lat: 48.1375, lon: 11.575 }
const EAST_M = 74_200
const WAY_S = 1000

interface Run {
  readonly day?: number
  readonly seconds?: number
  readonly from?: typeof HOME
  readonly minute?: number
  readonly name?: string
}

/** From home to the east at 3 m/s, a point a second, uphill and with a pulse that rises. */
async function runEast(app: TestApp, { day = 0, seconds = WAY_S, from = HOME, minute = 0, name }: Run = {}) {
  const startMs = START_MS + day * 86_400_000 + minute * 60_000
  const points = Array.from({ length: seconds + 1 }, (_, t) => {
    const place = { lat: from.lat, lon: from.lon + (t * 3) / EAST_M, ele: 500 + t / 10 }
    return { ...place, timeMs: startMs + t * 1000, hr: 100 + Math.floor(t / 20) }
  })
  return await stored(app, `${day}.gpx`, gpxFile({ points, ...(name === undefined ? {} : { name }) }))
}

async function trimmedFile(app: TestApp, id: string, format = 'gpx') {
  const answer = await app.call('GET', `/workouts/${id}/export?format=${format}&trim=true`)
  const [, fileName = ''] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  return { status: answer.status, text: answer.text, fileName }
}

const positionsIn = (text: string) =>
  [...text.matchAll(/lat="([^"]+)" lon="([^"]+)"/g)].map(([, lat, lon]) => ({ lat: Number(lat), lon: Number(lon) }))
/** Metres, near home. */
const apart = (a: typeof HOME, b: typeof HOME) => Math.hypot((a.lat - b.lat) * 111_200, (a.lon - b.lon) * EAST_M)
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
    const text = 'An original file cannot be trimmed: choose FIT, GPX or TCX'
    const answer = { error: text, code: 'invalid_request', field: 'format' }
    expect([original.status, JSON.parse(original.text)]).toEqual([400, answer])
    expect((await zip(app, { format: 'original', filter: {}, trim: true })).status).toBe(400)
  })

  test('shows nothing in the circle of a hidden place, nor for a length of its own beyond, with clock and distance of its own', async () => {
    await using app = await testApp()
    const ids: string[] = []
    for (let day = 0; day < 5; day += 1) ids.push(await runEast(app, { day }))
    await done(app, 'POST /places', { ...HOME, name: 'Mandelweg', hideM: 300 })
    const [{ hidden }] = (await done(app, 'GET /places')).places
    const files = await Promise.all(ids.map((id) => trimmedFile(app, id)))
    const [first, ...others] = files.map(({ text }) => {
      const out = positionsIn(text)
      expect(Math.min(...out.map((spot) => apart(spot, hidden)))).toBeGreaterThan(300)
      expect(apart(out[0]!, hidden)).toBeLessThan(300 + 150 + 8)
      return eastOf(text)
    })
    // by the secret of each run
    expect(others.every((east) => east[0] === first![0])).toBe(false)
    expect(first!.at(-1)).toBeCloseTo(3 * WAY_S, -1)
    const startS = Math.round(first![0]! / 3)
    const [, at = ''] = /<metadata><time>([^<]+)/.exec(files[0]!.text) ?? []
    expect(Math.abs(Date.parse(at) - START_MS - startS * 1000)).toBeLessThan(1500)
    for (const { text } of files) expect(text).not.toContain('Mandelweg')
    const { text } = await trimmedFile(app, ids[0]!, 'tcx')
    const [, totalS, totalM] = /<TotalTimeSeconds>([^<]+)<.*?<DistanceMeters>([^<]+)</.exec(text)!
    expect(Number(totalS)).toBeCloseTo(WAY_S - startS, -1)
    expect(Math.abs(Number(totalM) - 3 * (WAY_S - startS))).toBeLessThan(20)
    expect(text).not.toContain(new Date(START_MS).toISOString().slice(0, 19))
    // asked again it is the same; the runner's own file is whole
    expect((await trimmedFile(app, ids[0]!)).text).toBe(files[0]!.text)
    const own = await app.call('GET', `/workouts/${ids[0]}/export?format=gpx`)
    expect(eastOf(own.text)[0]).toBe(0)
  })

  test('is named by the quarter of an hour in which it begins, and not by a name with figures', async () => {
    await using app = await testApp()
    const long = { seconds: 1800, minute: 7 }
    const early = await runEast(app, { ...long, name: 'Early run' })
    const timed = await runEast(app, { ...long, day: 1, name: 'Run at 08:07' })
    await done(app, 'POST /places', { ...HOME, name: 'Home', hideM: 1500 })
    const file = await trimmedFile(app, early)
    // it is left 154 s after 8:07 at the earliest, and 1220 s after at the latest
    const startMs = Date.parse(/<time>([^<]+)/.exec(file.text)![1]!) + 3_600_000
    const quarter = new Date(900_000 * Math.floor(startMs / 900_000)).toISOString().slice(11, 16).replace(':', '')
    expect(file.fileName).toBe(`2025-11-01-${quarter}-Early run.gpx`)
    expect(file.text).toContain('<name>Early run</name>')
    const other = await trimmedFile(app, timed)
    expect(other.fileName).toMatch(/^2025-11-02-08(00|15)-run\.gpx$/)
    expect(other.text).not.toContain('<name>')
    const own = await app.call('GET', `/workouts/${timed}/export?format=gpx`)
    expect(own.headers.get('content-disposition')).toContain('2025-11-02-0807-Run at 08-07.gpx')
  })

  test('has no laps of the device, which end at every kilometre from the hidden start', async () => {
    await using app = await testApp()
    const laps = [0, 1, 2].map((k) => {
      const startMs = START_MS + k * 300_000
      const points = Array.from({ length: 300 }, (_, t) => {
        const distanceM = 3 * (k * 300 + t)
        return { timeMs: startMs + t * 1000, lat: HOME.lat, lon: HOME.lon + distanceM / EAST_M, distanceM }
      })
      return { startMs, totalTimeS: 300, distanceM: 900, triggerMethod: 'Distance', tracks: [points] }
    })
    const file = tcxFile([{ laps }])
    const near = await stored(app, 'laps.tcx', file)
    const count = async () => (await trimmedFile(app, near, 'tcx')).text.split('<Lap ').length - 1
    const place = await done(app, 'POST /places', { lat: 47, lon: 11, name: 'Away', hideM: 300 })
    expect(await count()).toBe(3)
    await done(app, `PATCH /places/${place.id}`, HOME)
    expect(await count()).toBe(1)
  })

  test('in a ZIP: no original in its place, and a line with the numbers of what is left', async () => {
    await using app = await testApp()
    const id = await runEast(app, { minute: 7 })
    const stays = await runEast(app, { day: 1, seconds: 60 })
    await done(app, 'POST /places', { ...HOME, name: 'Home', hideM: 500 })
    const { entries, time } = await zip(app, { format: 'gpx', filter: {}, trim: true })
    // when the ZIP was made, and not when the run began
    const now = new Date(app.clock.nowMs)
    expect(time).toEqual([now.getUTCHours(), now.getUTCMinutes()])
    const [name, csv] = [...entries!.keys()]
    expect([entries!.size, csv]).toEqual([2, 'runs.csv'])
    expect(name).toMatch(/^2025\/2025-11-01-08(00|15)-run\.gpx$/)
    const text = textOf(entries!, name!)
    expect(text).toBe((await trimmedFile(app, id)).text)
    const [header, long, short] = textOf(entries!, 'runs.csv').split('\r\n')
    const of = (line: string) => Object.fromEntries(header!.split(',').map((column, k) => [column, line.split(',')[k]]))
    const east = eastOf(text)
    const [fromS, quarter] = [east[0]! / 3, name!.slice(16, 20)]
    const stated = of(long!)
    const minutes = `${quarter.slice(2)}:00`
    const starts = { started_at: `2025-11-01T07:${minutes}Z`, local_start: `2025-11-01T08:${minutes}` }
    expect(stated).toMatchObject({ ...starts, file: name! })
    for (const [column, expected, off] of [
      ['distance_m', 3 * WAY_S - east[0]!, 15],
      ['duration_s', WAY_S - fromS, 2],
      // 0.1 m of climb a second, and a pulse that rises by one in 20 s
      ['elev_gain_m', (WAY_S - fromS) / 10, 5],
      ['avg_hr', 100 + (WAY_S + fromS) / 40, 2],
    ] as const)
      expect([column, Math.abs(Number(stated[column]) - expected) < off]).toEqual([column, true])
    // a run that stays in the hidden place has no track at all
    expect((await trimmedFile(app, stays)).status).toBe(400)
    const bare = await trimmedFile(app, stays, 'tcx')
    expect([bare.status, /Position|Altitude/.test(bare.text)]).toEqual([200, false])
    expect(short).toContain(',2025-11-02T07:00:00Z,2025-11-02T08:00:00,,,,,,,,,,,')
    expect(short).toEndWith(',"This run has no route, which a GPX file needs; FIT and TCX do not"')
  })
})

test('the ends of every run are cut by at least as much as is set', async () => {
  await using app = await testApp()
  const id = await runEast(app)
  expect(await done(app, 'GET /settings/privacy')).toEqual({ trimEndsM: 0 })
  expect(await done(app, 'PUT /settings/privacy', { trimEndsM: 300 })).toEqual({ trimEndsM: 300 })
  const east = eastOf((await trimmedFile(app, id)).text)
  for (const cutM of [east[0]!, 3 * WAY_S - east.at(-1)!]) {
    expect(cutM).toBeGreaterThanOrEqual(300)
    // the far edge of a circle of 1.71 · 300 m that is displaced by 0.71 · 300 m, and half of 300 m beyond it
    expect(cutM).toBeLessThan(300 * (1.71 + 0.71 + 0.5) + 10)
  }
})

describe('the circle of a hidden place', () => {
  test('is another for another radius and another service, and the same after a restart; the place lies well inside', async () => {
    await using app = await testApp()
    const place = await done(app, 'POST /places', { ...HOME, name: 'Home' })
    const circle = async (of: TestApp) => (await done(of, 'GET /places')).places[0].hidden
    expect(await circle(app)).toBeUndefined()
    const shifts = []
    for (const hideM of [300, 600]) {
      await done(app, `PATCH /places/${place.id}`, { hideM })
      const hidden = await circle(app)
      expect(hidden.radiusM).toBe(hideM)
      const share = apart(hidden, HOME) / hideM
      expect(share).toBeGreaterThan(0.38)
      expect(share).toBeLessThan(0.71)
      shifts.push([(hidden.lat - HOME.lat) / hideM, (hidden.lon - HOME.lon) / hideM])
    }
    expect(shifts[1]).not.toEqual(shifts[0]!)
    // the same database, opened by another process with the same secret, and with another one
    const { deps } = app
    const again = hiddenCircle({ ...HOME, id: place.id, hideM: 600 }, deps)!
    expect(apart(again, await circle(app))).toBeLessThan(0.2)
    const elsewhere = hiddenCircle({ ...HOME, id: place.id, hideM: 600 }, { jwtSecret: 'another' })!
    expect(apart(elsewhere, again)).toBeGreaterThan(1)
    const moved = await done(app, `PATCH /places/${place.id}`, { lat: HOME.lat + 0.01 })
    expect(apart(await circle(app), moved)).toBeCloseTo(apart(again, HOME), 0)
  })

  test('is known with the runs that it would trim before it is hidden, and then is that', async () => {
    await using app = await testApp()
    const id = await runEast(app)
    await runEast(app, { day: 1, from: { lat: 48.2, lon: 11.575 } })
    const place = await done(app, 'POST /places', { ...HOME, name: 'Home' })
    const asked = `GET /map/hidden?lat=${HOME.lat}&lon=${HOME.lon}&hideM=300&placeId=${place.id}`
    const { hidden, ...found } = await done(app, asked)
    expect(found).toMatchObject({ count: 1, runs: [{ workoutId: id }] })
    await done(app, `PATCH /places/${place.id}`, { hideM: 300 })
    expect((await done(app, 'GET /places')).places).toMatchObject([{ id: place.id, hidden }, {}])
    expect((await done(app, `GET /workouts/${id}/ground`)).start.hidden).toEqual(hidden)
    expect((await app.call('GET', `${asked.slice(4)}x`)).status).toBe(400)
    expect((await done(app, `PATCH /places/${place.id}`, { hideM: null })).hideM).toBeNull()
    // without the id of a place it is not known; 1 km beyond the end nobody ran
    const at = (lon: number, hideM: number) => done(app, `GET /map/hidden?lat=${HOME.lat}&lon=${lon}&hideM=${hideM}`)
    expect(await at(HOME.lon, 300)).toMatchObject({ count: 1, runs: [{ workoutId: id }], hidden: null })
    const beyond = HOME.lon + 4000 / EAST_M
    expect([(await at(beyond, 900)).count, (await at(beyond, 1100)).count]).toEqual([0, 1])
  })
})
