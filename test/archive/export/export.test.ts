import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { exportItems } from '../../../src/archive/export/export.ts'
import { openDb, openSnapshot } from '../../../src/db/open.ts'
import { zipStream } from '../../../src/zip/writer.ts'
import { type TestApp, testApp } from '../../app.ts'
import { jpeg, png } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { setRows } from '../../library/as-stored.ts'
import { checkpointed, ofVersion } from '../../library/database-file.ts'
import { spoiler } from '../../library/spoil.ts'
import { DATA_FORMAT, dataOf, entriesOf, exported, OWN_FORMAT, textOf } from '../archives.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const archived = async (from = app) => await entriesOf(from, await exported(from))
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
/** What the clock of a test app shows. */
const NOW = '2025-11-20T13:05:11Z'

test('of an empty library it has all files, the settings with their defaults, and the manifest', async () => {
  const { headers } = await app.call('POST', '/workouts/export', { headers: { 'content-type': 'application/json' } })
  expect(headers.get('content-disposition')).toBe('attachment; filename="harrier-export-20251120-130511.zip"')
  const entries = await archived()
  expect([...entries.keys()].toSorted()).toEqual([...Object.values(OWN_FORMAT), 'README.txt', 'manifest.json'].sort())
  for (const path of Object.values(OWN_FORMAT)) {
    if (path !== DATA_FORMAT.settings && path !== OWN_FORMAT.library) expect(textOf(entries, path)).toBe('[]\n')
  }
  expect(dataOf(entries, DATA_FORMAT.settings)).toEqual({
    ...{ id: UUID, calculationMethod: 0, age: 30, restingHeartRateBpm: null, maxHeartRateBpm: 190 },
    ...{ zone1MinBpm: 95, zone1MaxBpm: 114, zone2MinBpm: 114, zone2MaxBpm: 133, zone3MinBpm: 133 },
    ...{ zone3MaxBpm: 152, zone4MinBpm: 152, zone4MaxBpm: 171, zone5MinBpm: 171, zone5MaxBpm: 190 },
    ...{ unitPreference: 'metric', defaultShoeId: null, defaultShoe: null, zonesConfigured: false },
    ...{ createdAt: NOW, updatedAt: NOW },
  })
  expect(dataOf(entries, 'manifest.json')).toEqual({
    ...{ version: '1.0.0', harrierVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    ...{ exportDate: NOW, exportedBy: 'runner', dataFormat: DATA_FORMAT },
    sums: Object.fromEntries(Object.values(OWN_FORMAT).map((path) => [path, expect.stringMatching(/^[0-9a-f]{64}$/)])),
    tables: expect.any(Object),
    statistics: {
      ...{ workouts: 0, shoes: 0, mediaFiles: 0, totalSizeBytes: 0, settings: 1 },
      ...{ routes: 0, splits: 0, timeSeries: 0, bestEfforts: 0 },
    },
  })
})

test('the members of every row are exact, with integers where Tempo expects them', async () => {
  const file = fitRun({ seconds: 700, speedMps: 3.3 })
  const id = await app.run(file, '../x/my run.fit')
  const shoe = await app.ok('POST', '/shoes', { brand: 'B', model: 'M' })
  await app.upload(`/workouts/${id}/media`, [{ name: 'a.png', bytes: png() }])
  const entries = await archived()
  const times = { createdAt: NOW, updatedAt: NOW }
  expect(dataOf(entries, DATA_FORMAT.shoes)).toEqual([
    {
      ...{ id: shoe.id, brand: 'B', model: 'M', initialMileageM: null, retiredAt: null, retireAtM: null },
      ...{ ...times, workouts: [] },
    },
  ])
  const detail = await app.ok('GET', `/workouts/${id}`)
  const { hasRoute: _hasRoute, splitsCount: _splitsCount, splits, shoe: _shoe, route, ...stated } = detail
  const { updatedAt: _updatedAt, load: _load, loadSource: _loadSource, suggestedRunType: _suggested, ...more } = stated
  const { sources: _sources, fieldSources: _fields, corrections: _corrections, stated: _stated, ...scalars } = more
  const [workout] = dataOf(entries, DATA_FORMAT.workouts)
  expect(workout).toMatchObject({ ...scalars, avgPaceS: 303, rawFileName: 'my run.fit', rawFileType: 'fit' })
  // without training data there is no trace of it
  expect(workout.loadSource).toBeUndefined()
  expect(entries.get(`workouts/${id}/raw/my run.fit`)).toEqual(new Uint8Array(file))
  const [routeRow] = dataOf(entries, DATA_FORMAT.routes)
  expect(Object.keys(routeRow)).toEqual(['id', 'workoutId', 'routeGeoJson'])
  expect(routeRow.routeGeoJson.coordinates).toHaveLength(route.coordinates.length)
  expect(dataOf(entries, DATA_FORMAT.splits)[0]).toEqual({
    ...{ ...splits[0], id: UUID, workoutId: id, paceS: 303, exactPaceS: splits[0].paceS, workout: null },
  })
  const samples: Record<string, unknown>[] = dataOf(entries, DATA_FORMAT.timeSeries)
  // 10 s at 3.3 m/s, 85 steps of one foot
  expect(samples[10]).toEqual({
    ...{ id: UUID, workoutId: id, elapsedSeconds: 10, elapsedMs: 10_000, distanceM: 33, speedMps: 3.3 },
    ...{ heartRateBpm: 140, cadenceRpm: 85, powerWatts: null, gradePercent: null, elevationM: 400 },
    ...{ temperatureC: null, verticalSpeedMps: null, lon: expect.closeTo(8, 6), workout: null },
    lat: expect.closeTo(47.000296843, 6),
  })
  expect([String(samples[10]!.id)[14], new Set(samples.map((row) => row.id)).size]).toEqual(['8', 701])
  const [media] = dataOf(entries, DATA_FORMAT.mediaMetadata)
  expect(Object.keys(media)).toEqual([
    ...['id', 'workoutId', 'filename', 'mimeType', 'fileSizeBytes', 'caption', 'createdAt', 'workout'],
  ])
  expect(entries.get(`workouts/${id}/media/${media.id}/a.png`)).toEqual(png())
  expect(dataOf(entries, DATA_FORMAT.bestEfforts)[0]).toEqual({
    ...{ id: UUID, distance: '400m', distanceM: 400, timeS: 121, timeMs: 121_212, workoutId: id },
    ...{ workoutDate: detail.startedAt, calculatedAt: NOW, workout: null },
  })
  const { statistics } = dataOf(entries, 'manifest.json')
  expect(statistics).toMatchObject({ workouts: 1, shoes: 1, mediaFiles: 1, routes: 1, splits: 3, timeSeries: 701 })
  expect(statistics.totalSizeBytes).toBe(file.length + png().length)
  // the same data are the same archive but for the manifest
  app.clock.nowMs += 3_600_000
  const again = await archived()
  for (const [name, bytes] of entries) if (name !== 'manifest.json') expect(again.get(name)).toEqual(bytes)
})

test('files that are lost are left out and named in README.txt', async () => {
  const id = await app.run(fitRun())
  const photos = [100, 200].map((length) => ({ name: `${length}.jpg`, bytes: jpeg(length) }))
  const [lost, kept] = (await app.upload(`/workouts/${id}/media`, photos)).json
  rmSync(join(app.deps.config.dataDir, 'files', 'media', lost.id))
  await spoiler(app, id).loseOriginal()
  const entries = await archived()
  expect(dataOf(entries, DATA_FORMAT.mediaMetadata).map((row: { id: string }) => row.id)).toEqual([kept.id])
  expect(dataOf(entries, DATA_FORMAT.workouts)[0]).toMatchObject({ rawFileName: null, rawFileType: null })
  expect(dataOf(entries, 'manifest.json').statistics).toMatchObject({ mediaFiles: 1, totalSizeBytes: 200 })
  const readme = textOf(entries, 'README.txt')
  expect([lost.id, id, kept.id].map((name) => readme.includes(name))).toEqual([true, true, false])
})

test.each([
  ['..', 'file'],
  ['C:evil.fit', 'C:evil.fit'],
  ['a\\..\\b.fit', 'b.fit'],
  ['e\u0301.fit', 'é.fit'],
  [`${'x'.repeat(300)}.fit`, `${'x'.repeat(196)}.fit`],
])('an original %j, which no ZIP should have, is a plain name', async (name, entry) => {
  const id = await app.run(fitRun())
  setRows(app.deps, 'recording', { file_name: name })
  const entries = await archived()
  expect([...entries.keys()].filter((path) => path.includes('/raw/'))).toEqual([`workouts/${id}/raw/${entry}`])
  expect(dataOf(entries, DATA_FORMAT.workouts)[0].rawFileName).toBe(name)
})

test('a failure half-way breaks the stream, one before the first byte is a 500 without details', async () => {
  spoiler(app, await app.run(fitRun())).damageSamples()
  expect(await exported(app).catch((error: unknown) => (error instanceof Error ? 'broken' : error))).toBe('broken')
  ofVersion(app.deps, 1)
  const { status, json } = await app.call('POST', '/workouts/export')
  expect({ status, json }).toEqual({ status: 500, json: expect.objectContaining({ error: 'Internal server error' }) })
})

test('the snapshot is of one moment, and let go at the end or when the client stops reading', async () => {
  await using onDisk = await testApp({ db: openDb(join(app.deps.config.dataDir, 'library.sqlite')) })
  const runs = [0, 1, 2, 3].map((n) => fitRun({ startMs: START_MS + n * 1e7, seconds: 7000 }))
  const first = await onDisk.run(runs[0]!)
  await onDisk.run(runs[1]!)
  const headers = { authorization: `Bearer ${onDisk.token}` }
  const answer = await onDisk.handle(new Request('http://localhost/workouts/export', { method: 'POST', headers }))
  await onDisk.run(runs[2]!)
  await onDisk.ok('PATCH', `/workouts/${first}`, { name: 'changed' })
  const entries = await entriesOf(onDisk, new Uint8Array(await answer.arrayBuffer()))
  const rows: { name: string | null }[] = dataOf(entries, DATA_FORMAT.workouts)
  expect(rows.map(({ name }) => name)).toEqual([null, null])
  expect(dataOf(entries, 'manifest.json').statistics.workouts).toBe(2)
  expect(checkpointed(onDisk.deps)).toBe(true)
  await onDisk.run(runs[3]!)
  const options = { dataDir: onDisk.deps.config.dataDir, nowMs: 0, appVersion: '1' }
  for (const pieces of [1, 3, 9]) {
    const reader = zipStream(exportItems(openSnapshot(onDisk.deps.db), options)).getReader()
    for (let n = 0; n < pieces; n += 1) await reader.read()
    await reader.cancel()
    await onDisk.ok('PATCH', `/workouts/${first}`, { name: String(pieces) })
    expect(checkpointed(onDisk.deps)).toBe(true)
  }
})
