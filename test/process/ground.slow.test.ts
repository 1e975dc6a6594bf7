// Ground, places and photos of the real service: what a killed process leaves, and what its log says of where someone runs.
import { expect, test } from 'bun:test'
import { refreshNewGround } from '../../src/library/new-ground.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxFile } from '../fixtures/gpx.ts'
import { photoAt } from '../fixtures/media.ts'
import { NEVER } from '../library/falsified.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, type RealServer, startServer } from './real-server.ts'

const START_MS = Date.UTC(2025, 9, 1, 7)
const DAY_MS = 86_400_000
const HOME = { lat: 48.13751, lon: 11.57512 }

/** Another way on every day, a point a second. */
function runOf(day: number): Uint8Array {
  const points = Array.from({ length: 600 }, (_, t) => ({
    lat: HOME.lat + 0.00002 * t * Math.sin(day),
    lon: HOME.lon + 0.00004 * t * Math.cos(day / 3),
    timeMs: START_MS + day * DAY_MS + t * 1000,
  }))
  return gpxFile({ points })
}

interface Run {
  readonly id: string
  readonly startedAt: string
  readonly durationS: number
}

type Get = (path: string) => Promise<unknown>

/** Where every run went, by its start; in another library runs have other ids. */
async function groundsOf(get: Get): Promise<unknown[]> {
  const { items } = (await get('/workouts?pageSize=100&sortOrder=asc&sortBy=startedAt')) as { items: readonly Run[] }
  const grounds: unknown[] = []
  for (const { id, startedAt, durationS } of items) {
    const { start: _, ...ground } = (await get(`/workouts/${id}/ground`)) as { start: unknown }
    grounds.push({ startedAt, durationS, ...ground })
  }
  return [grounds, await get('/map/squares')]
}

const getOf =
  (server: RealServer): Get =>
  async (path) =>
    await (await server.call(path)).json()

async function settled(server: RealServer): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await Bun.sleep(100)) {
    const { filling } = (await getOf(server)('/map/squares')) as { filling: number }
    if (filling === 0) return
  }
  throw new Error('Ground was not filled in')
}

/** What is there is imported into an empty library, in the order of its days. */
async function sameRuns(app: TestApp, server: RealServer): Promise<void> {
  const { items } = (await getOf(server)('/workouts?pageSize=100&sortOrder=asc')) as { items: readonly Run[] }
  for (const { startedAt, durationS } of items) {
    const whole = Math.round((Date.parse(startedAt) - START_MS) / DAY_MS - 0.002)
    const { json } = await app.upload('/workouts/import', [{ name: 'a.gpx', bytes: runOf(whole) }])
    const cut = 599 - durationS
    if (cut > 0) await app.call('POST', `/workouts/${json.id}/crop`, { json: { removeFromStartSeconds: cut } })
  }
  await refreshNewGround(app.deps, NEVER)
}

test('after kills in imports, crops and deletions ground is that of an empty library with the same runs', async () => {
  const dataDir = tempFolder()
  for (let round = 0; round < 4; round += 1) {
    const server = await startServer({ dataDir })
    await server.login()
    const form = new FormData()
    for (let day = 6 * round; day < 6 * round + 6; day += 1) {
      form.append('files', new File([runOf(day).slice()], `${day}.gpx`))
    }
    const { items } = (await getOf(server)('/workouts?pageSize=100')) as { items: readonly Run[] }
    const asked = [server.call('/workouts/import', { method: 'POST', body: form })]
    const [first, second] = items
    const body = JSON.stringify({ removeFromStartSeconds: 100 + 7 * round })
    const json = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    if (first !== undefined) asked.push(server.call(`/workouts/${first.id}/crop`, json))
    if (second !== undefined) asked.push(server.call(`/workouts/${second.id}`, { method: 'DELETE' }))
    const ended = Promise.allSettled(asked)
    // the first import is answered, so that there is something to change
    if (round === 0) await ended
    else await Bun.sleep(60 * round)
    await server.end('SIGKILL')
    await ended
  }
  const server = await startServer({ dataDir })
  await server.login()
  await settled(server)
  const found = await groundsOf(getOf(server))
  await using app = await testApp()
  await sameRuns(app, server)
  expect((found[0] as unknown[]).length).toBeGreaterThanOrEqual(4)
  expect(found).toEqual(await groundsOf(async (path) => (await app.call('GET', path)).json))
  await server.end('SIGTERM')
}, 180_000)

test('at the level debug the log has no name of a place and no coordinate', async () => {
  const dataDir = tempFolder()
  const server = await startServer({ dataDir, env: { LOG_LEVEL: 'debug' } })
  await server.login()
  const send = async (method: string, path: string, body: unknown) => {
    const init = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return (await (await server.call(path, init)).json()) as { id: string; error?: string }
  }
  const imported = await server.call('/workouts/import', oneFile('Mandelweg.gpx', runOf(1)))
  const { id } = (await imported.json()) as Run
  await server.call(`/workouts/${id}/media`, oneFile('Mandelweg.jpg', photoAt(HOME.lat, HOME.lon)))
  const place = await send('POST', '/places', { ...HOME, name: 'Mandelweg', hideM: 300 })
  await send('PATCH', `/places/${place.id}`, { isHome: true, name: 'Mandelweg 7' })
  const answered: number[] = []
  for (const path of [
    ...['/places', '/map/heat', '/map/heat/14/8718/5685', '/map/heat/99/1/1', '/map/squares', '/map/squares/8718/5685'],
    ...[`/map/runs?lat=${HOME.lat}&lon=${HOME.lon}`, `/map/runs?lat=${HOME.lat}`, '/map/tiles/14/8718/5685'],
    ...[`/map/hidden?lat=${HOME.lat}&lon=${HOME.lon}&hideM=300`, `/workouts/${id}/ground`, `/workouts/${id}/media`],
    ...['/map/photos?west=11&south=48&east=12&north=49', `/workouts/${id}/export?format=gpx&trim=true`],
    ...[`/workouts/${id}/export?format=gpx`, '/map/squares/in?x0=8718&y0=5685&x1=8719&y1=5686', '/map/new-ground'],
  ]) {
    answered.push((await server.call(path)).status)
  }
  expect(answered.filter((status) => status === 200).length).toBeGreaterThanOrEqual(12)
  await server.call(`/places/${place.id}`, { method: 'DELETE' })
  await server.call('/workouts/import', oneFile('Mandelweg.gpx', runOf(2).subarray(0, 900)))
  await server.end('SIGTERM')
  const log = server.log()
  expect(log).toContain('Import of files')
  for (const hidden of ['Mandelweg', 'Munich', '48.1', '11.57', '8718', '5685']) expect(log).not.toContain(hidden)
}, 60_000)
