import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { exportItems } from '../../../src/archive/export/export.ts'
import { openDb, openSnapshot } from '../../../src/db/open.ts'
import { zipStream } from '../../../src/zip/writer.ts'
import { type TestApp, testApp } from '../../app.ts'
import { jpeg, png } from '../../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { DATA_FORMAT, dataOf, entriesOf, exported, OWN_FORMAT, textOf } from '../archives.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('POST /workouts/export', () => {
  test('is a ZIP download named after the moment in UTC, whatever content type the empty body has', async () => {
    const headers = { 'content-type': 'application/json' }
    const { status, headers: answered } = await app.call('POST', '/workouts/export', { headers })
    expect(status).toBe(200)
    expect(answered.get('content-type')).toBe('application/zip')
    // the clock of a test app is at 20 November 2025, 13:05:11
    expect(answered.get('content-disposition')).toBe('attachment; filename="harrier-export-20251120-130511.zip"')
  })

  test('of an empty library has all files, the settings with their defaults, and the manifest', async () => {
    const entries = await entriesOf(app, await exported(app))
    expect([...entries.keys()].sort()).toEqual([...Object.values(OWN_FORMAT), 'README.txt', 'manifest.json'].sort())
    expect([...entries.keys()].slice(-2)).toEqual(['manifest.json', 'README.txt'])
    for (const path of Object.values(OWN_FORMAT)) {
      if (path !== DATA_FORMAT.settings) expect(textOf(entries, path)).toBe('[]\n')
    }
    expect(dataOf(entries, DATA_FORMAT.settings)).toEqual({
      id: expect.stringMatching(UUID),
      calculationMethod: 0,
      age: 30,
      restingHeartRateBpm: null,
      maxHeartRateBpm: 190,
      ...{ zone1MinBpm: 95, zone1MaxBpm: 114, zone2MinBpm: 114, zone2MaxBpm: 133, zone3MinBpm: 133 },
      ...{ zone3MaxBpm: 152, zone4MinBpm: 152, zone4MaxBpm: 171, zone5MinBpm: 171, zone5MaxBpm: 190 },
      unitPreference: 'metric',
      defaultShoeId: null,
      createdAt: '2025-11-20T13:05:11Z',
      updatedAt: '2025-11-20T13:05:11Z',
      defaultShoe: null,
      zonesConfigured: false,
    })
    expect(dataOf(entries, 'manifest.json')).toEqual({
      version: '1.0.0',
      harrierVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
      exportDate: '2025-11-20T13:05:11Z',
      exportedBy: 'runner',
      statistics: {
        ...{ workouts: 0, shoes: 0, mediaFiles: 0, totalSizeBytes: 0, settings: 1 },
        ...{ routes: 0, splits: 0, timeSeries: 0, bestEfforts: 0, recordings: 0, repairs: 0 },
      },
      dataFormat: OWN_FORMAT,
    })
  })

  test('writes the fields of every row, with integers where Tempo expects them', async () => {
    const file = fitRun({ seconds: 700, speedMps: 3.3 })
    const { id } = (await app.upload('/workouts/import', [{ name: '../x/my run.fit', bytes: file }])).json
    const shoe = (await app.call('POST', '/shoes', { json: { brand: 'B', model: 'M' } })).json
    await app.upload(`/workouts/${id}/media`, [{ name: 'a.png', bytes: png() }])
    const entries = await entriesOf(app, await exported(app))
    expect(dataOf(entries, DATA_FORMAT.shoes)).toEqual([
      {
        id: shoe.id,
        brand: 'B',
        model: 'M',
        initialMileageM: null,
        createdAt: '2025-11-20T13:05:11Z',
        updatedAt: '2025-11-20T13:05:11Z',
        retiredAt: null,
        retireAtM: null,
        workouts: [],
      },
    ])
    const detail = (await app.call('GET', `/workouts/${id}`)).json
    const { hasRoute: _hasRoute, splitsCount: _splitsCount, splits, shoe: _shoe, route, ...stated } = detail
    const { load: _load, loadSource: _loadSource, suggestedRunType: _suggested, ...more } = stated
    const { sources: _sources, fieldSources: _fields, corrections: _corrections, stated: _stated, ...scalars } = more
    const [workout] = dataOf(entries, DATA_FORMAT.workouts)
    expect(workout).toMatchObject({
      ...scalars,
      avgPaceS: 303,
      rawFileName: 'my run.fit',
      rawFileType: 'fit',
      rawFileData: null,
      ...{ weather: null, shoe: null, route: null, splits: [], media: [], timeSeries: [] },
    })
    expect(entries.get(`workouts/${id}/raw/my run.fit`)).toEqual(new Uint8Array(file))
    const [routeRow] = dataOf(entries, DATA_FORMAT.routes)
    expect(Object.keys(routeRow)).toEqual(['id', 'workoutId', 'routeGeoJson'])
    expect(routeRow.id).toMatch(UUID)
    expect(routeRow.routeGeoJson.coordinates).toHaveLength(route.coordinates.length)
    const [split] = dataOf(entries, DATA_FORMAT.splits)
    expect(split).toEqual({
      ...splits[0],
      ...{ id: expect.stringMatching(UUID), workoutId: id, paceS: 303, exactPaceS: splits[0].paceS, workout: null },
    })
    const samples = dataOf(entries, DATA_FORMAT.timeSeries)
    expect(samples).toHaveLength(701)
    // 10 s at 3.3 m/s, 85 steps of one foot
    expect(samples[10]).toEqual({
      id: expect.stringMatching(UUID),
      workoutId: id,
      elapsedSeconds: 10,
      distanceM: 33,
      heartRateBpm: 140,
      cadenceRpm: 85,
      powerWatts: null,
      speedMps: 3.3,
      gradePercent: null,
      elevationM: 400,
      temperatureC: null,
      verticalSpeedMps: null,
      elapsedMs: 10_000,
      lat: expect.closeTo(47.000296843, 6),
      lon: expect.closeTo(8, 6),
      workout: null,
    })
    expect(samples[10].id[14]).toBe('8')
    expect(new Set(samples.map((row: { id: string }) => row.id)).size).toBe(701)
    const [media] = dataOf(entries, DATA_FORMAT.mediaMetadata)
    expect(Object.keys(media)).toEqual([
      ...['id', 'workoutId', 'filename', 'mimeType', 'fileSizeBytes', 'caption', 'createdAt', 'workout'],
    ])
    expect(entries.get(`workouts/${id}/media/${media.id}/a.png`)).toEqual(png())
    const efforts = dataOf(entries, DATA_FORMAT.bestEfforts)
    expect(efforts[0]).toEqual({
      id: expect.stringMatching(UUID),
      distance: '400m',
      distanceM: 400,
      timeS: 121,
      timeMs: 121_212,
      workoutId: id,
      workoutDate: detail.startedAt,
      calculatedAt: expect.any(String),
      workout: null,
    })
    const { statistics } = dataOf(entries, 'manifest.json')
    expect(statistics).toMatchObject({ workouts: 1, shoes: 1, mediaFiles: 1, routes: 1, splits: 3, timeSeries: 701 })
    expect(statistics.totalSizeBytes).toBe(file.length + png().length)
  })

  test('two exports of the same data are the same but for the manifest', async () => {
    await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
    const one = await entriesOf(app, await exported(app))
    app.clock.nowMs += 3_600_000
    const other = await entriesOf(app, await exported(app))
    for (const [name, bytes] of one) if (name !== 'manifest.json') expect(other.get(name)).toEqual(bytes)
  })

  test('nothing is embedded twice and no path of the server appears', async () => {
    for (const [n, bytes] of [fitRun(), gpxRun({ startMs: START_MS + 1e7 })].entries()) {
      await app.upload('/workouts/import', [{ name: `run-${n}`, bytes }])
    }
    const entries = await entriesOf(app, await exported(app))
    for (const [name, bytes] of entries) {
      if (name.startsWith('workouts/')) continue
      const text = new TextDecoder().decode(bytes)
      expect(text).not.toContain(app.deps.config.dataDir)
      expect(text).not.toContain('filePath')
    }
    for (const row of dataOf(entries, DATA_FORMAT.workouts)) {
      expect([row.rawFileData, row.route, row.splits, row.timeSeries, row.media]).toEqual([null, null, [], [], []])
    }
  })

  test('files that are lost are left out and named in README.txt', async () => {
    const { dataDir } = app.deps.config
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const [lost, kept] = (
      await app.upload(`/workouts/${id}/media`, [
        { name: 'a.jpg', bytes: jpeg(100) },
        { name: 'b.jpg', bytes: jpeg(200) },
      ])
    ).json
    rmSync(join(dataDir, 'files', 'media', lost.id))
    rmSync(join(dataDir, 'files', 'raw', id))
    const entries = await entriesOf(app, await exported(app))
    expect(dataOf(entries, DATA_FORMAT.mediaMetadata).map((row: { id: string }) => row.id)).toEqual([kept.id])
    expect(dataOf(entries, DATA_FORMAT.workouts)[0]).toMatchObject({ rawFileName: null, rawFileType: null })
    expect(dataOf(entries, 'manifest.json').statistics).toMatchObject({ mediaFiles: 1, totalSizeBytes: 200 })
    const readme = textOf(entries, 'README.txt')
    expect(readme).toContain(lost.id)
    expect(readme).toContain(id)
    expect(readme).not.toContain(kept.id)
  })

  test('neither the trash nor the receipts are in it, and README.txt says so', async () => {
    const file = { name: 'a.fit', bytes: fitRun() }
    const { id, receiptId } = (await app.upload('/workouts/import', [file])).json
    expect((await app.call('DELETE', `/workouts/${id}`)).status).toBe(204)
    const entries = await entriesOf(app, await exported(app))
    expect(textOf(entries, 'README.txt')).toContain('The trash and the history of changes are not included.')
    for (const name of entries.keys()) {
      expect([name, name.includes(id), textOf(entries, name).includes(id)]).toEqual([name, false, false])
      expect([name, textOf(entries, name).includes(receiptId)]).toEqual([name, false])
    }
  })

  test('names that no ZIP should have become plain ones', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    const names = ['..', 'C:evil.fit', 'a\\..\\b.fit', 'e\u0301.fit', `${'x'.repeat(300)}.fit`]
    const written: string[] = []
    for (const name of names) {
      app.deps.db.$client.run('UPDATE recording SET file_name = ? WHERE id = ?', [name, id])
      const entries = await entriesOf(app, await exported(app))
      written.push([...entries.keys()].find((entry) => entry.includes('/raw/')) ?? '')
      expect(dataOf(entries, DATA_FORMAT.workouts)[0].rawFileName).toBe(name)
    }
    const folder = `workouts/${id}/raw/`
    expect(written).toEqual([
      ...[`${folder}file`, `${folder}C:evil.fit`, `${folder}b.fit`, `${folder}é.fit`],
      `${folder}${'x'.repeat(196)}.fit`,
    ])
  })

  test('a failure before the first byte is a 500 without details', async () => {
    app.deps.db.$client.run('PRAGMA user_version = 1')
    const { status, json } = await app.call('POST', '/workouts/export')
    expect({ status, json }).toEqual({ status: 500, json: { error: 'Internal server error' } })
  })

  test('a failure half-way breaks the stream', async () => {
    const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
    app.deps.db.$client.run("UPDATE samples SET track = x'00' WHERE recording_id = ?", [id])
    expect(await exported(app).catch((error: unknown) => (error instanceof Error ? 'broken' : error))).toBe('broken')
  })

  test('releases the snapshot when the client stops reading', async () => {
    await using onDisk = await testApp({ db: openDb(join(app.deps.config.dataDir, 'library.sqlite')) })
    for (let n = 0; n < 4; n += 1) {
      const bytes = fitRun({ startMs: START_MS + n * 1e7, seconds: 7000 })
      await onDisk.upload('/workouts/import', [{ name: `${n}.fit`, bytes }])
    }
    const options = { dataDir: onDisk.deps.config.dataDir, nowMs: 0, appVersion: '1' }
    for (const pieces of [1, 3, 9]) {
      const stream = zipStream(exportItems(openSnapshot(onDisk.deps.db), options))
      const reader = stream.getReader()
      for (let n = 0; n < pieces; n += 1) await reader.read()
      await reader.cancel()
      onDisk.deps.db.$client.run('UPDATE workout SET name = ?', [String(pieces)])
      const [{ busy }] = onDisk.deps.db.$client.query('PRAGMA wal_checkpoint(TRUNCATE)').all() as [{ busy: number }]
      expect(busy).toBe(0)
    }
  })

  test('shows the state of one moment during concurrent writes', async () => {
    const path = join(app.deps.config.dataDir, 'library.sqlite')
    await using onDisk = await testApp({ db: openDb(path) })
    const first = (await onDisk.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json.id
    await onDisk.upload('/workouts/import', [{ name: 'b.fit', bytes: fitRun({ startMs: START_MS + 1e7 }) }])
    const request = new Request('http://localhost/workouts/export', {
      method: 'POST',
      headers: { authorization: `Bearer ${onDisk.token}` },
    })
    const answer = await onDisk.handle(request)
    await onDisk.upload('/workouts/import', [{ name: 'c.fit', bytes: fitRun({ startMs: START_MS + 2e7 }) }])
    onDisk.deps.db.$client.run("UPDATE workout SET name = 'changed' WHERE id = ?", [first])
    const entries = await entriesOf(onDisk, new Uint8Array(await answer.arrayBuffer()))
    const rows = dataOf(entries, DATA_FORMAT.workouts)
    expect(rows.map((row: { id: string; name: string | null }) => row.name)).toEqual([null, null])
    expect(dataOf(entries, 'manifest.json').statistics.workouts).toBe(2)
    // and the snapshot is let go: the whole log can be folded in
    const [{ busy }] = onDisk.deps.db.$client.query('PRAGMA wal_checkpoint(TRUNCATE)').all() as [{ busy: number }]
    expect(busy).toBe(0)
  })
})
