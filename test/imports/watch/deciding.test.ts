import { expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createWorks } from '../../../src/app.ts'
import { ENGINE_VERSION } from '../../../src/engine/analyze.ts'
import { FORMAT_NAMES } from '../../../src/formats/registry.ts'
import { testApp } from '../../app.ts'
import { exported } from '../../archive/archives.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { garminTakeout } from '../../fixtures/garmin-takeout.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'
import { setRows } from '../../library/as-stored.ts'
import { watchedFolder } from './watched.ts'

const DAY_MS = 864e5
const runOf = (day: number) => fitRun({ startMs: START_MS - day * DAY_MS })
const COURSE = '<gpx><rte><rtept lat="47" lon="8"/><rtept lat="47.1" lon="8"/></rte></gpx>'

test('a run comes with its name, its original and where it came from; files are listed by outcome, in pages', async () => {
  await using watched = await watchedFolder()
  const { app, folder } = watched
  const bytes = runOf(0)
  watched.put('2025/morning.fit', bytes)
  watched.put('b.fit', 'no run')
  await watched.settle()
  const [file] = await watched.files()
  expect(file).toEqual({
    ...{ id: expect.any(String), folder, name: '2025/morning.fit', outcome: 'created', reason: null },
    ...{ sizeBytes: bytes.length, modifiedAt: expect.any(String), workoutIds: [expect.any(String)], isDeleted: false },
    ...{ receiptId: file.receiptId, lookedAt: '2025-11-20T13:05:21Z', failingSince: null, nextAt: null },
  })
  const [id] = file.workoutIds
  const { recordings } = await app.ok('GET', `/workouts/${id}/sources`)
  expect(recordings).toMatchObject([{ origin: 'watch_folder', kind: 'file', filename: 'morning.fit' }])
  const headers = { authorization: `Bearer ${app.token}` }
  const original = await app.handle(new Request(`http://localhost/workouts/${id}/file`, { headers }))
  expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true)
  expect(await app.ok('GET', '/watch-folder/files?outcome=error')).toMatchObject({
    ...{ items: [{ name: 'b.fit' }], totalCount: 1, page: 1, pageSize: 20, totalPages: 1 },
  })
  expect((await app.call('GET', '/watch-folder/files?page=3')).json).toEqual(
    expect.objectContaining({ error: 'Page not found' }),
  )
})

test('a broken file is one error, reported once, that stops no other; fixed it is imported, removed it is forgotten', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  watched.put('a.fit', runOf(0))
  watched.put('b.fit', 'no run')
  watched.put('c.fit', runOf(1))
  await watched.settle()
  const reason = `This file is not a ${FORMAT_NAMES} workout`
  expect(await watched.files()).toMatchObject([
    { outcome: 'created' },
    { name: 'b.fit', outcome: 'error', reason, workoutIds: [] },
    { outcome: 'created' },
  ])
  const { lastErrorAt } = await watched.status()
  expect(lastErrorAt).toBe('2025-11-20T13:05:21Z')
  const rounds = () => app.logged.filter((line) => line.includes('could not be read')).length
  expect(rounds()).toBe(1)
  for (let looks = 0; looks < 3; looks += 1) await watched.settle()
  const now = new Date()
  utimesSync(join(watched.folder, 'b.fit'), now, now)
  await watched.settle()
  expect([rounds(), (await watched.status()).lastErrorAt]).toEqual([1, lastErrorAt])

  watched.put('b.fit', runOf(2))
  await watched.settle()
  expect(await watched.files()).toMatchObject([{}, { name: 'b.fit', outcome: 'created', reason: null }, {}])
  expect(await watched.status()).toMatchObject({ lastErrorAt: null, counts: { created: 3, errors: 0 } })

  watched.put('d.fit', 'no run')
  await watched.settle()
  expect(await watched.status()).toMatchObject({ counts: { created: 3, errors: 1 } })
  rmSync(join(watched.folder, 'd.fit'))
  await watched.look(true)
  expect(await watched.status()).toMatchObject({ lastErrorAt: null, counts: { created: 3, errors: 0 } })
})

test('a deleted run does not come back, not with a restart either; "Import again" brings it', async () => {
  await using watched = await watchedFolder()
  const { app, folder } = watched
  watched.put('a.fit', runOf(0))
  await watched.settle()
  const [{ id, workoutIds }] = await watched.files()
  expect((await app.call('DELETE', `/workouts/${workoutIds[0]}`)).status).toBe(204)
  await watched.settle()
  const touched = new Date()
  utimesSync(join(folder, 'a.fit'), touched, touched)
  await watched.settle()
  renameSync(join(folder, 'a.fit'), join(folder, 'b.fit'))
  await watched.settle()
  const restarted = createWorks(app.deps).watch
  restarted.start()
  await restarted.rest()
  app.pass(10_000)
  await restarted.look(true)
  await restarted.rest()
  await restarted.stop()
  expect(await watched.runs()).toBe(0)
  expect(await watched.files()).toMatchObject([{ name: 'a.fit', workoutIds: [], isDeleted: true }, { name: 'b.fit' }])

  expect((await app.call('POST', `/watch-folder/files/${id}/import`)).json).toEqual(
    expect.objectContaining({ error: 'File not found' }),
  )
  renameSync(join(folder, 'b.fit'), join(folder, 'a.fit'))
  const again = await app.call('POST', `/watch-folder/files/${id}/import`)
  const startedAt = '2025-11-01T07:00:00Z'
  expect([again.status, again.json]).toMatchObject([200, { action: 'created', startedAt, inTrash: true }])
  expect(again.headers.get('harrier-receipt')).toBe(again.json.receiptId)
  expect(await watched.runs()).toBe(1)
  const { items } = (await app.call('GET', '/watch-folder/files?outcome=created')).json
  expect(items).toMatchObject([{ name: 'a.fit', workoutIds: [again.json.id], isDeleted: false }])
})

test('known bytes are not imported a second time, whatever their name, time or way; other bytes at a path are', async () => {
  await using watched = await watchedFolder()
  const { app, folder } = watched
  const id = await app.run(runOf(5))
  watched.put('a.fit', runOf(0))
  await watched.settle()
  const [{ workoutIds }] = await watched.files()
  watched.put('copy/of.fit', runOf(0))
  watched.put('latest.fit', runOf(5))
  watched.put('packed.fit.gz', gzipSync(runOf(0)))
  utimesSync(join(folder, 'a.fit'), 1_700_000_000, 1_700_000_000)
  await watched.settle()
  const same = { outcome: 'skipped', reason: 'Same file as a.fit', workoutIds }
  expect(await watched.files()).toMatchObject([
    { name: 'a.fit', outcome: 'created', reason: null, workoutIds, modifiedAt: '2023-11-14T22:13:20Z' },
    { name: 'copy/of.fit', ...same },
    { name: 'latest.fit', outcome: 'skipped', reason: 'Same file as the run of 27 October 2025', workoutIds: [id] },
    { name: 'packed.fit.gz', ...same },
  ])
  watched.put('latest.fit', runOf(1))
  await watched.settle()
  expect(await watched.runs()).toBe(3)
  expect((await watched.files())[2]).toMatchObject({ name: 'latest.fit', outcome: 'created' })
})

test('a newer version reads what an older one could not', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  watched.put('a.fit', runOf(0))
  watched.put('course.gpx', COURSE)
  await watched.look(true)
  const decided = { outcome: 'error', reason: 'The file is damaged', next_at: null, engine_version: null }
  setRows(app.deps, 'watch_file', decided)
  setRows(app.deps, 'watch_file', { engine_version: ENGINE_VERSION - 1 }, { name: 'a.fit' })
  app.watch.start()
  await app.watch.rest()
  expect(await watched.files()).toMatchObject([{ name: 'a.fit', outcome: 'created' }, { outcome: 'error' }])
})

test('what cannot be read for now is tried again later and later', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  const tmp = join(app.deps.config.dataDir, 'tmp')
  watched.put('a.fit', runOf(0))
  await watched.look(true)
  rmSync(tmp, { recursive: true })
  app.pass(10_000)
  const since = '2025-11-20T13:05:21Z'
  for (const minutes of [1, 5, 30, 120, 1440, 1440]) {
    await watched.look()
    const nextAt = new Date(app.clock.nowMs + minutes * 60_000).toISOString().replace('.000', '')
    expect(await watched.files()).toMatchObject([
      { name: 'a.fit', outcome: 'waiting', reason: expect.any(String), failingSince: since, nextAt },
    ])
    // sooner it is left alone
    app.pass(minutes * 60_000 - 1)
    await watched.look(true)
    expect(await watched.files()).toMatchObject([{ nextAt }])
    app.pass(1)
  }
  mkdirSync(tmp)
  // changed meanwhile it settles first, although a quick look does not see that
  watched.put('a.fit', runOf(1))
  await watched.look()
  expect(await watched.files()).toMatchObject([{ outcome: 'waiting' }])
  app.pass(10_000)
  await watched.look()
  expect(await watched.files()).toMatchObject([{ outcome: 'created', reason: null, failingSince: null, nextAt: null }])
})

test('exports and archives are read as if they were uploaded, and a run deleted here stays deleted', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  const row = (place: number, name: string | null) => ({
    ...{ 'Activity ID': place, 'Activity Date': `Nov ${place + 3}, 2025, 7:00:00 AM`, 'Activity Type': 'Run' },
    ...{ 'Elapsed Time': 600, 'Distance#2': 1800, ...(name === null ? {} : { Filename: name }) },
  })
  const table = stravaCsv([row(0, 'activities/1.fit'), row(1, null), row(2, 'activities/lost.fit')])
  const zip = zipUpload({ 'activities.csv': table, 'activities/1.fit': runOf(-2) })
  {
    await using other = await testApp()
    await other.run(runOf(20))
    watched.put('harrier-export.zip', await exported(other))
  }
  watched.put('export_1.zip', zip.bytes)
  watched.put('files.zip', buildZip([{ name: 'a/b.gpx', data: gpxRun() }]))
  watched.put('garmin.zip', buildZip(garminTakeout({ runs: 4 }).entries))
  await watched.settle()
  const reason = '2 runs added, 1 could not be read: The file is missing from the ZIP archive'
  expect(await watched.files()).toMatchObject([
    { name: 'export_1.zip', outcome: 'error', reason },
    { name: 'files.zip', outcome: 'created' },
    // one of its files is cut
    { name: 'garmin.zip', outcome: 'error', reason: expect.stringContaining('4 runs added, 1 could not be read') },
    { name: 'harrier-export.zip', outcome: 'created', reason: '1 run added' },
  ])
  expect(await watched.runs()).toBe(8)
  const origins = (await app.ok('GET', '/receipts')).items.map(({ origin }: { origin: string }) => origin)
  expect(origins.toSorted()).toEqual(['archive', 'garmin_takeout', 'strava_archive', 'zip'])
  const again = await app.call('POST', `/watch-folder/files/${(await watched.files())[0].id}/import`)
  expect(again.json).toMatchObject({ totalProcessed: 3, successful: 0, skipped: 2, errors: 1 })
  type Run = Readonly<Record<'id' | 'source', string>>
  const run = (await app.ok('GET', '/workouts')).items.find(({ source }: Run) => source === 'gpx_import')
  await app.call('DELETE', `/workouts/${run.id}`)
  watched.put('again.zip', buildZip([{ name: 'b.gpx', data: gpxRun() }]))
  await watched.settle()
  expect(await watched.runs()).toBe(7)
})
