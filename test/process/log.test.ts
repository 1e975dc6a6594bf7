// The log of a real service, as an operator collects it.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { versionedDatabase } from '../db/versioned.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { photoAt } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { CREDENTIALS, command, json, oneFile, startServer } from './real-server.ts'

const OTHER_PASSWORD = 'several-other-words-in-a-row'

test('LOG_FORMAT=json: version, imports, restores, exports, failed logins and new passwords are a line each, without names', async () => {
  const dataDir = tempFolder()
  const env = { LOG_FORMAT: 'json', BUILD_VERSION: '1.2.3' }
  const server = await startServer({ dataDir, env })
  await server.login()
  const post = (path: string, body: unknown) => server.call(path, json('POST', body))
  const { key } = (await (await post('/auth/api-keys', { label: 'my-label' })).json()) as { key: string }
  await server.call('/workouts/import', oneFile('my-file.fit', fitRun()))
  await server.call('/workouts/import', oneFile('my-file.fit', new TextEncoder().encode('no run')))
  const archive = await (await server.call('/workouts/export', { method: 'POST' })).bytes()
  await server.call('/workouts/import/export', oneFile('my-archive.zip', archive))
  expect((await post('/auth/login', { ...CREDENTIALS, password: 'wrong' })).status).toBe(401)
  await post('/auth/change-password', { currentPassword: CREDENTIALS.password, newPassword: OTHER_PASSWORD })
  const reset = await command(['reset-password'], { DATA_DIR: dataDir, ...env }, '', `${CREDENTIALS.password}\n`)
  await server.end('SIGTERM')
  const lines = `${server.log()}${reset.err}`
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  const line = (level: string, message: unknown) => ({ time: expect.stringMatching(/^\d{4}-.*Z$/), level, message })
  const counts = (imported: number, skipped: number) =>
    `${imported} imported, ${skipped} duplicates, 0 updated, 0 errors`
  expect(lines).toEqual([
    line('warn', expect.stringMatching(/^Harrier 1\.2\.3 listens on http:/)),
    line('info', `Import of files: ${counts(1, 0)}`),
    line('info', 'Import of files: refused'),
    line('info', 'Exported the library'),
    line('info', `Restore of an archive: ${counts(0, 1)}`),
    line('warn', 'Failed login from 127.0.0.1'),
    line('info', 'The password was changed'),
    line('info', 'Stopping after SIGTERM'),
    line('info', 'The password was reset'),
  ])
  for (const hidden of [CREDENTIALS.username, 'my-', key, key.slice(0, 12)]) expect(server.log()).not.toContain(hidden)
})

test('a library of a program before 1.0 is refused in one sentence that names the way', async () => {
  const dataDir = tempFolder()
  versionedDatabase(join(dataDir, 'harrier.sqlite'), 45)
  const { exitCode, err } = await command([], { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir })
  const way = 'export the library with that one, and restore the archive with this one on an empty DATA_DIR'
  expect([exitCode, err]).toEqual([1, `Harrier cannot start: The database is of a Harrier before 1.0: ${way}\n`])
})

const HOME = { lat: 48.13751, lon: 11.57512 }

test('at the level debug the log has no name of a place and no coordinate', async () => {
  await using server = await startServer({ dataDir: tempFolder(), env: { LOG_LEVEL: 'debug' } })
  await server.login()
  const points = straightPoints({ n: 600, startMs: START_MS }).map((point) => ({
    ...point,
    lat: point.lat! - 47 + HOME.lat,
    lon: HOME.lon,
  }))
  const way = gpxFile({ points })
  const idOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { id: string }).id
  const id = await idOf(server.call('/workouts/import', oneFile('Mandelweg.gpx', way)))
  await server.call(`/workouts/${id}/media`, oneFile('Mandelweg.jpg', photoAt(HOME.lat, HOME.lon)))
  const place = await idOf(server.call('/places', json('POST', { ...HOME, name: 'Mandelweg', hideM: 300 })))
  await server.call(`/places/${place}`, json('PATCH', { isHome: true, name: 'Mandelweg 7' }))
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
  await server.call(`/places/${place}`, { method: 'DELETE' })
  await server.call('/workouts/import', oneFile('Mandelweg.gpx', way.subarray(0, 900)))
  await server.end('SIGTERM')
  // a time may look like a latitude
  const log = server.log().replaceAll(/^\S+Z /gm, '')
  expect(log).toContain('Import of files')
  for (const hidden of ['Mandelweg', 'Munich', '48.1', '11.57', '8718', '5685']) expect(log).not.toContain(hidden)
}, 60_000)
