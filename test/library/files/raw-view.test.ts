// Raw data is read out of the original when it is asked for; a text of its own stays only where that gives something else.
import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { recordings } from '../../../src/db/schema.ts'
import { rawFilePath } from '../../../src/library/files/paths.ts'
import { type TestApp, testApp } from '../../app.ts'
import { contentOf, dataOf, entriesOf, exported, restored, textOf, zipOf } from '../../archive/archives.ts'
import { filesOf } from '../../archive/restore/restoring.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { watched } from '../../fixtures/worker.ts'
import { firstRecording } from '../recordings.ts'

const detail = (app: TestApp, id: string) => app.ok('GET', `/workouts/${id}`)
const dataFiles = (app: TestApp) => filesOf(app, 'files/raw').filter((name) => name.endsWith('.json.zst'))
const columns = ({ deps }: TestApp) =>
  deps.db.select({ hasRaw: recordings.hasRaw, rawView: recordings.rawView }).from(recordings).all()

/** A FIT, a packed GPX, and a row of Strava's table with a file and one without. */
async function library(app: TestApp): Promise<[string, string, string, string]> {
  const ids = [await app.run(fitRun()), await app.run(gzipSync(gpxRun({ startMs: START_MS + 1e8 })), 'b.gpx.gz')]
  const about = { 'Activity Type': 'Run', 'Activity Description': 'felt good', 'Elapsed Time': 600, Distance: 2 }
  const rows = [
    { ...about, 'Activity ID': 1, 'Activity Date': 'Nov 4, 2025, 7:00:00 AM', Filename: 'activities/1.fit' },
    { ...about, 'Activity ID': 2, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM' },
  ]
  const file = fitRun({ startMs: START_MS + 3 * 86_400_000 })
  const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/1.fit': file })
  expect((await app.upload('/workouts/import/bulk', [zip])).json.successful).toBe(2)
  const { items } = await app.ok('GET', '/workouts?sortOrder=asc')
  return [...ids, items[2].id, items[3].id] as [string, string, string, string]
}

test('an import keeps the original alone, and the row of the table', async () => {
  await using app = await testApp()
  await library(app)
  expect(dataFiles(app)).toEqual([])
  const view = { importedAtMs: app.clock.nowMs, anySport: false, ofOriginal: null, strava: null }
  const strava = expect.objectContaining({ activityDescription: 'felt good', source: 'strava_import' })
  expect(columns(app)).toEqual(
    [
      { ...view, ofOriginal: 'rawFitData' as const },
      { ...view, ofOriginal: 'rawGpxData' as const },
      { ...view, ofOriginal: 'rawFitData' as const, anySport: true, strava },
      null,
      { ...view, strava },
    ].map((rawView) => ({ hasRaw: false, rawView })),
  )
})

test('an original is read by the Worker where it is large unpacked, however well it is packed', async () => {
  await using app = await testApp()
  const jobs: string[] = []
  Object.assign(app.deps, { worker: watched(app.deps.worker, { before: (job) => jobs.push(job) }) })
  const large = gzipSync(gpxRun({ startMs: START_MS, seconds: 3600 }), { level: 9 })
  const small = gzipSync(gpxRun({ startMs: START_MS + 1e8, seconds: 600 }))
  expect(large.length).toBeLessThan(262_144)
  const ids = [await app.run(large, 'a.gpx.gz'), await app.run(small, 'b.gpx.gz')]
  for (const [k, id] of ids.entries()) {
    jobs.length = 0
    const { rawGpxData } = await detail(app, id)
    expect([rawGpxData.trackPoints.length > 100, jobs]).toEqual([true, k === 0 ? ['raw'] : []])
  }
})

test('the raw data of an original that is gone, or no longer what it was, is null; the row of the table stays', async () => {
  await using app = await testApp()
  const [, , id] = await library(app)
  const before = await detail(app, id)
  const path = rawFilePath(app.deps.config.dataDir, firstRecording(app.deps, id).id)
  for (const damage of [() => writeFileSync(path, fitRun().subarray(0, 40)), () => rmSync(path)]) {
    damage()
    expect(await detail(app, id)).toEqual({ ...before, rawFitData: null })
    expect(app.logged.splice(0)).toEqual([expect.stringContaining(`The raw data of the workout ${id} is damaged`)])
  }
  const entries = await entriesOf(app, await exported(app))
  expect(textOf(entries, 'README.txt')).toContain(`was damaged and is not included:\n${id}\n`)
  const row = { rawFitData: null, rawStravaData: { activityId: 1 } }
  expect(dataOf(entries, 'data/workouts.json')[2]).toMatchObject(row)
})

test('a restore keeps the text that an archive has of its own, as an edited one does of each run', async () => {
  await using source = await testApp()
  const ids = await library(source)
  await using same = await testApp()
  same.clock.nowMs += 1e8
  const zip = await exported(source)
  await restored(same, zip)
  expect([dataFiles(same), columns(same)]).toEqual([[], columns(source)])
  expect((await contentOf(same)).get('data/workouts.json')).toBe((await contentOf(source)).get('data/workouts.json')!)

  const entries = await entriesOf(source, zip)
  entries.delete(`workouts/${ids[0]}/raw/a.fit`)
  const rows = dataOf(entries, 'data/workouts.json')
  rows[1].rawGpxData.trackPoints[5].hr = 99
  await using app = await testApp()
  await restored(app, await zipOf(new Map([...entries, ['data/workouts.json', Buffer.from(JSON.stringify(rows))]])))
  expect(dataFiles(app)).toEqual(ids.map((id) => `${id}.json.zst`).sort())
  expect(columns(app)).toEqual(ids.map(() => ({ hasRaw: true, rawView: null })))
  expect((await detail(app, ids[0])).rawFitData).toEqual(rows[0].rawFitData)
  expect((await detail(app, ids[1])).rawGpxData).toEqual(rows[1].rawGpxData)
})
