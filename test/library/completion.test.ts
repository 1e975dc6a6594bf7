// A workout without original gets the first file of the same run that arrives: both are one step, whoever else is at work.
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isJoined, runHead } from '../../src/library/documents/run.ts'
import { rawDataPath, rawFilePath } from '../../src/library/files/paths.ts'
import { primaryId, recordingsOf } from '../../src/library/recordings.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { rowsOf, setRows } from './as-stored.ts'
import { forgetOriginals, storeRawData } from './recordings.ts'

/** One run in three files, distinguished by their heart rate. */
const FILES = [141, 142, 143].map((hr) => ({ name: `${hr}.gpx`, bytes: gpxRun({ hr }) }))
/** Enough for the steps of parallel imports to fall between one another in many ways. */
const ROUNDS = 12

const sent = async (app: TestApp, file: { name: string; bytes: Uint8Array }) =>
  (await app.upload('/workouts/import', [file])).json

/** The run of the files, stored without original, as an archive without one leaves it. */
async function withoutOriginal(app: TestApp, { keepsData = false } = {}): Promise<string> {
  const id = await app.run(gpxRun({ name: 'first' }), 'first.gpx')
  const { config } = app.deps
  await storeRawData(app.deps)
  forgetOriginals(app.deps)
  rmSync(rawFilePath(config.dataDir, id))
  if (keepsData) return id
  setRows(app.deps, 'recording', { has_raw: 0 })
  rmSync(rawDataPath(config.dataDir, id))
  return id
}

const temporary = ({ deps }: TestApp) => readdirSync(join(deps.config.dataDir, 'tmp'))
const namesOf = ({ deps }: TestApp) => readdirSync(join(deps.config.dataDir, 'files/raw')).sort()

test('of several files at once one completes the workout, and file, name, hash and raw data are of that one', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await using app = await testApp()
    const id = await withoutOriginal(app)
    const answers = await Promise.all(FILES.map((file) => sent(app, file)))
    expect(answers.map(({ action }) => action).sort()).toEqual(['skipped', 'skipped', 'updated'])
    expect(answers.map((answer) => answer.id)).toEqual([id, id, id])
    const winner = FILES[answers.findIndex(({ action }) => action === 'updated')]!
    const added = recordingsOf(app.deps.db, id)[1]!
    const sha256 = new Bun.CryptoHasher('sha256').update(winner.bytes).digest('hex')
    expect([added.fileName, added.fileSha256]).toEqual([winner.name, sha256])
    expect(readFileSync(rawFilePath(app.deps.config.dataDir, added.id)).equals(winner.bytes)).toBe(true)
    const { rawGpxData } = await app.ok('GET', `/workouts/${id}`)
    expect(`${rawGpxData.trackPoints[0].hr}.gpx`).toBe(winner.name)
    expect([temporary(app), namesOf(app)]).toEqual([[], [added.id]])
  }
})

test('a completion that cannot be committed changes neither rows nor files', async () => {
  await using app = await testApp()
  const id = await withoutOriginal(app, { keepsData: true })
  const { db, config } = app.deps
  const rows = () => [rowsOf(app.deps, 'workout'), rowsOf(app.deps, 'recording'), namesOf(app)]
  const before = [rows(), readFileSync(rawDataPath(config.dataDir, id))]
  // found out by COMMIT only, as a full disk is
  db.$client.run('CREATE TABLE late (id TEXT REFERENCES workout (id) DEFERRABLE INITIALLY DEFERRED)')
  db.$client.run("CREATE TRIGGER too_late AFTER UPDATE ON workout BEGIN INSERT INTO late VALUES ('nobody'); END")
  const refused = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  expect([refused.status, refused.json]).toEqual([500, expect.objectContaining({ error: 'Internal server error' })])
  expect([rows(), readFileSync(rawDataPath(config.dataDir, id))]).toEqual(before)
  expect([existsSync(rawFilePath(config.dataDir, id)), temporary(app)]).toEqual([false, []])

  db.$client.run('DROP TRIGGER too_late')
  expect(await sent(app, { name: 'a.fit', bytes: fitRun() })).toMatchObject({ id, action: 'updated' })
  expect(readFileSync(rawFilePath(config.dataDir, recordingsOf(db, id)[1]!.id)).equals(fitRun())).toBe(true)
})

test('a file fills words that are missing, but not those that the runner set or cleared', async () => {
  const named = { name: 'a.gpx', bytes: gpxRun({ name: 'of the file', hr: 150 }) }
  for (const isCleared of [false, true]) {
    await using app = await testApp()
    const id = await withoutOriginal(app)
    const { words } = recordingsOf(app.deps.db, id)[0]!
    if (isCleared) await app.ok('PATCH', `/workouts/${id}`, { name: null })
    else setRows(app.deps, 'recording', { words: JSON.stringify({ ...words, name: null }) })
    expect(await sent(app, named)).toMatchObject({ id, action: 'updated' })
    expect((await app.ok('GET', `/workouts/${id}`)).name).toBe(isCleared ? null : 'of the file')
  }
})

test.each([
  ['mend', { fromElapsedS: 20, toElapsedS: 40, channel: 'elevation', fill: 'interpolate' }],
  ['crop', { removeFromEndSeconds: 0.25 }],
])('a file that completes a run leaves its samples while there is a %s of them', async (path, repair) => {
  await using app = await testApp()
  const id = await withoutOriginal(app)
  const first = recordingsOf(app.deps.db, id)[0]!.id
  const counting = () => {
    const { track } = runHead(app.deps.db, id)!.body
    return isJoined(track) ? null : primaryId(app.deps.db, track)
  }
  await app.ok('POST', `/workouts/${id}/${path}`, repair)
  // it has more channels
  expect(await sent(app, { name: 'a.fit', bytes: fitRun() })).toMatchObject({ id, action: 'updated' })
  expect(counting()).toBe(first)
  await app.ok('POST', `/workouts/${id}/revert`)
  expect(counting()).not.toBe(first)
})

test('a completed workout mixes neither two weathers nor the samples of two recordings: those with more channels count', async () => {
  await using app = await testApp()
  const id = await app.run(indoorRun(START_MS))
  forgetOriginals(app.deps)
  setRows(app.deps, 'recording', { weather: '{"humidity":80}' })
  const samples = Array.from({ length: 601 }, (_, t) => ({
    ...{ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3, hr: 140 },
  }))
  const weather = { condition: 0, temperatureC: 20, humidity: 50 }
  const file = { name: 'b.fit', bytes: fitFile({ startMs: START_MS, samples, weather }) }
  expect(await sent(app, file)).toMatchObject({ id, action: 'updated' })
  const run = await app.ok('GET', `/workouts/${id}`)
  expect(run).toMatchObject({ hasRoute: true, weather: { humidity: 80, temperature: null } })
  expect(run.route.coordinates).toHaveLength(601)
  expect(rowsOf(app.deps, 'workout')).toMatchObject([{ weather_temperature_c: null }])
})
