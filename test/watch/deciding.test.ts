import { expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createWorks } from '../../src/app.ts'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { FORMAT_NAMES } from '../../src/formats/registry.ts'
import { testApp } from '../app.ts'
import { exported } from '../archive/archives.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitFile } from '../fixtures/fit.ts'
import { chainedFit } from '../fixtures/fit-writer.ts'
import { garminTakeout } from '../fixtures/garmin-takeout.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { setRows } from '../library/as-stored.ts'
import { watchedFolder } from './watched.ts'

const DAY_MS = 864e5
const runOf = (day: number) => fitRun({ startMs: START_MS - day * DAY_MS })
const COURSE = '<gpx><rte><rtept lat="47" lon="8"/><rtept lat="47.1" lon="8"/></rte></gpx>'

test('a run comes with its name, its original and where it came from', async () => {
  await using watched = await watchedFolder()
  const bytes = runOf(0)
  watched.put('2025/morning.fit', bytes)
  await watched.settle()
  const [file] = await watched.files()
  expect(file).toEqual({
    ...{ id: expect.any(String), folder: watched.folder, name: '2025/morning.fit', outcome: 'created', reason: null },
    ...{ sizeBytes: bytes.length, modifiedAt: expect.any(String), workoutIds: [expect.any(String)], isDeleted: false },
    ...{ receiptId: file.receiptId, lookedAt: '2025-11-20T13:05:21Z', failingSince: null, nextAt: null },
  })
  const [id] = file.workoutIds
  const sources = (await watched.app.call('GET', `/workouts/${id}/sources`)).json
  expect(sources.recordings).toMatchObject([{ origin: 'watch_folder', kind: 'file', filename: 'morning.fit' }])
  const original = await watched.app.handle(
    new Request(`http://localhost/workouts/${id}/file`, { headers: { authorization: `Bearer ${watched.app.token}` } }),
  )
  expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true)
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

  expect((await app.call('POST', `/watch-folder/files/${id}/import`)).json).toEqual({ error: 'File not found' })
  renameSync(join(folder, 'b.fit'), join(folder, 'a.fit'))
  const again = await app.call('POST', `/watch-folder/files/${id}/import`)
  const startedAt = '2025-11-01T07:00:00Z'
  expect([again.status, again.json]).toMatchObject([200, { action: 'created', startedAt, inTrash: true }])
  expect(again.headers.get('harrier-receipt')).toBe(again.json.receiptId)
  expect(await watched.runs()).toBe(1)
  const { items } = (await app.call('GET', '/watch-folder/files?outcome=created')).json
  expect(items).toMatchObject([{ name: 'a.fit', workoutIds: [again.json.id], isDeleted: false }])
})

test('files of runs that were merged, joined or separated name the runs that have their recordings', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  watched.put('a.fit', fitRun())
  watched.put('b.gpx', gpxRun({ startMs: START_MS + 5000 }))
  watched.put('c.fit', fitRun({ startMs: START_MS + DAY_MS / 8 }))
  await watched.settle()
  const named = async () => (await watched.files()).map(({ workoutIds, isDeleted }) => [workoutIds, isDeleted])
  const [[a], [b], [c]] = (await watched.files()).map(({ workoutIds }) => workoutIds)
  await app.ok('POST', `/workouts/${a}/merge`, { otherId: b })
  expect(await named()).toEqual([a, a, c].map((id) => [[id], false]))
  await app.ok('POST', `/workouts/${a}/unmerge`, {})
  const apart = await named()
  expect(apart.map(([ids]) => ids.length)).toEqual([1, 1, 1])
  expect(new Set(apart.map(([[id]]) => id)).size).toBe(3)
  const joined = await app.ok('POST', '/workouts/join', { ids: [a, c] })
  expect(await named()).toEqual([[[joined.id], false], apart[1]!, [[joined.id], false]])
})

test('a copy, another name and another time of known bytes are not imported a second time', async () => {
  await using watched = await watchedFolder()
  const { folder } = watched
  watched.put('a.fit', runOf(0))
  await watched.settle()
  const [{ workoutIds }] = await watched.files()
  watched.put('copy/of.fit', runOf(0))
  watched.put('packed.fit.gz', gzipSync(runOf(0)))
  utimesSync(join(folder, 'a.fit'), 1_700_000_000, 1_700_000_000)
  await watched.settle()
  const same = { outcome: 'skipped', reason: 'Same file as a.fit', workoutIds }
  expect(await watched.files()).toMatchObject([
    { name: 'a.fit', outcome: 'created', reason: null, workoutIds, modifiedAt: '2023-11-14T22:13:20Z' },
    { name: 'copy/of.fit', ...same },
    { name: 'packed.fit.gz', ...same },
  ])
  expect(await watched.runs()).toBe(1)
})

test('what was uploaded before is a duplicate, and a path with other bytes another run', async () => {
  await using watched = await watchedFolder()
  const id = await watched.app.run(runOf(0))
  watched.put('latest.fit', runOf(0))
  await watched.settle()
  expect(await watched.files()).toMatchObject([
    { outcome: 'skipped', reason: 'Same file as the run of 1 November 2025', workoutIds: [id] },
  ])
  watched.put('latest.fit', runOf(1))
  await watched.settle()
  expect(await watched.runs()).toBe(2)
  expect(await watched.files()).toMatchObject([{ name: 'latest.fit', outcome: 'created' }])
})

test('what holds no run is ignored and not read again, whatever it is', async () => {
  await using watched = await watchedFolder()
  watched.put('course.gpx', COURSE)
  watched.put('data.json', '{"a":1}')
  watched.put('money.csv', 'when,what\n1,2\n')
  watched.put('photos.zip', buildZip([{ name: 'a.jpg', data: 'x' }]))
  watched.put('ride.fit', fitFile({ startMs: START_MS, samples: [], session: { sport: 2 } }))
  await watched.settle()
  const outcome = 'ignored'
  const zip = 'This ZIP is not an export that Harrier can read, and has no workout files'
  expect(await watched.files()).toMatchObject([
    { name: 'course.gpx', outcome, reason: 'GPX has no track points with times' },
    { name: 'data.json', outcome, reason: `This file is not a ${FORMAT_NAMES} workout` },
    { name: 'money.csv', outcome, reason: expect.stringContaining('CSV') },
    { name: 'photos.zip', outcome, reason: zip },
    { name: 'ride.fit', outcome, reason: expect.stringContaining('sport') },
  ])
  expect(watched.app.logged).toEqual([])
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
  await watched.look()
  expect(await watched.files()).toMatchObject([{ outcome: 'created', reason: null, failingSince: null, nextAt: null }])
})

test('a file of several runs is one file, and names all of them', async () => {
  await using watched = await watchedFolder()
  watched.put('week.fit', chainedFit(runOf(0), runOf(1), runOf(2)))
  await watched.settle()
  const [file] = await watched.files()
  expect(file).toMatchObject({ outcome: 'created', reason: null })
  expect(file.workoutIds).toHaveLength(3)
  const again = await watched.app.call('POST', `/watch-folder/files/${file.id}/import`)
  expect(again.json).toMatchObject({ totalProcessed: 3, successful: 0, skipped: 3, errors: 0 })
})

test('an export of Strava and an archive of Harrier are read as if they were uploaded', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  const row = (place: number, name: string | null) => ({
    ...{ 'Activity ID': place, 'Activity Date': `Nov ${place + 3}, 2025, 7:00:00 AM`, 'Activity Type': 'Run' },
    ...{ 'Elapsed Time': 600, 'Distance#2': 1800, ...(name === null ? {} : { Filename: name }) },
  })
  const table = stravaCsv([row(0, 'activities/1.fit'), row(1, null), row(2, 'activities/lost.fit')])
  const zip = buildZip([
    { name: 'activities.csv', data: table },
    { name: 'activities/1.fit', data: runOf(-2) },
  ])
  watched.put('export_1.zip', zip)
  {
    await using other = await testApp()
    await other.upload('/workouts/import', [{ name: 'a.fit', bytes: runOf(20) }])
    watched.put('harrier-export.zip', await exported(other))
  }
  await watched.settle()
  const reason = '2 runs added, 1 could not be read: The file is missing from the ZIP archive'
  expect(await watched.files()).toMatchObject([
    { name: 'export_1.zip', outcome: 'error', reason },
    { name: 'harrier-export.zip', outcome: 'created', reason: '1 run added' },
  ])
  expect(await watched.runs()).toBe(3)
  const [{ id }] = await watched.files()
  const again = await app.call('POST', `/watch-folder/files/${id}/import`)
  expect(again.json).toMatchObject({ totalProcessed: 3, successful: 0, skipped: 2, errors: 1 })
  await watched.settle()
  expect(await watched.runs()).toBe(3)
})

test('an export of a service and a ZIP of workout files are read, and a run deleted here stays deleted', async () => {
  await using watched = await watchedFolder()
  const takeout = garminTakeout({ runs: 4 })
  watched.put('garmin.zip', buildZip(takeout.entries))
  watched.put('files.zip', buildZip([{ name: 'a/b.gpx', data: gpxRun() }]))
  await watched.settle()
  expect(await watched.files()).toMatchObject([
    { name: 'files.zip', outcome: 'created' },
    // one of its files is cut
    { name: 'garmin.zip', outcome: 'error', reason: expect.stringContaining('4 runs added, 1 could not be read') },
  ])
  expect(await watched.runs()).toBe(5)
  const { items } = await watched.app.ok('GET', '/receipts')
  expect(items.map(({ origin }: { origin: string }) => origin).toSorted()).toEqual(['garmin_takeout', 'zip'])
  const run = (await watched.app.ok('GET', '/workouts')).items.find(
    ({ source }: { source: string }) => source === 'gpx_import',
  )
  await watched.app.call('DELETE', `/workouts/${run.id}`)
  watched.put('again.zip', buildZip([{ name: 'b.gpx', data: gpxRun() }]))
  await watched.settle()
  expect(await watched.runs()).toBe(4)
})

test('the list is asked for in pages, and by outcome', async () => {
  await using watched = await watchedFolder({ env: { WATCH_SETTLE_S: '0' } })
  const { app } = watched
  watched.put('a.fit', runOf(0))
  watched.put('b.fit', 'no run')
  await watched.look(true)
  expect((await app.call('GET', '/watch-folder/files?outcome=error')).json).toMatchObject({
    ...{ items: [{ name: 'b.fit' }], totalCount: 1, page: 1, pageSize: 20, totalPages: 1 },
  })
  expect((await app.call('GET', '/watch-folder/files?page=3')).json).toEqual({ error: 'Page not found' })
})

test('once the database is found damaged, no further file is read', async () => {
  await using watched = await watchedFolder({ env: { WATCH_SETTLE_S: '0' } })
  const { deps } = watched.app
  for (let day = 0; day < 3; day += 1) watched.put(`${day}.fit`, runOf(day))
  deps.events.subscribe(({ event }) => {
    if (event === 'workout.created') deps.damage.isFound = true
  })
  await watched.look(true)
  expect(await watched.runs()).toBe(1)
})
