import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { OpenArchive } from '../../../src/archive/format/data-rows.ts'
import { readManifest } from '../../../src/archive/format/manifest.ts'
import { restoreArchive } from '../../../src/archive/restore/restore.ts'
import type { Event } from '../../../src/events/emitter.ts'
import { startJobs } from '../../../src/jobs.ts'
import { openZip } from '../../../src/zip/reader.ts'
import { testApp } from '../../app.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitRun, gpxRun } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'
import {
  archiveOf,
  bytesOf,
  contentOf,
  DATA_FORMAT,
  dataOf,
  entriesOf,
  exported,
  restored,
  zipOf,
} from '../archives.ts'
import { counts, filesOf, library, manifest, rowCounts, shoe, workout } from './restoring.ts'
import * as tempo from './tempo-archive.ts'

/** An archive of a library of two runs, one with a photo, and what that library is. */
async function made() {
  await using source = await testApp()
  const ids = await library(source)
  return { ids, zip: await exported(source), rows: rowCounts(source), content: await contentOf(source) }
}

test('over a library that changed since no row is doubled or put back', async () => {
  await using app = await testApp()
  const [cropped, recut] = await library(app)
  const zip = await exported(app)
  await app.ok('POST', `/workouts/${cropped}/crop`, { removeFromStartSeconds: 300 })
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  await app.ok('POST', `/workouts/${recut}/recalculate-splits`)
  const details = async () => [await app.ok('GET', `/workouts/${cropped}`), await app.ok('GET', `/workouts/${recut}`)]
  const before = [rowCounts(app), await details()]
  const { json } = await restored(app, zip)
  expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(json.statistics).toEqual({
    ...{ settings: counts(1), shoes: counts(0), workouts: counts(0, 2), routes: counts(0, 2), splits: counts(0, 8) },
    ...{ timeSeries: counts(0, 2402), media: counts(0, 1), bestEfforts: counts(0, 5), rawFiles: counts(0, 2) },
  })
  expect([rowCounts(app), await details()]).toEqual(before)
})

test('what was interrupted half-way ends complete', async () => {
  const { zip, content } = await made()
  await using target = await testApp()
  const entries = await entriesOf(target, zip)
  const cut = new Map(entries).set(DATA_FORMAT.workouts, entries.get(DATA_FORMAT.workouts)!.slice(0, -200))
  const first = await restored(target, await zipOf(cut))
  expect(first.json).toMatchObject({ success: false, errors: ['data/workouts.json is not valid JSON'] })
  expect((await restored(target, zip)).json).toMatchObject({ success: true, errors: [] })
  expect(await contentOf(target)).toEqual(content)
})

test('a workout whose rows fail leaves neither rows nor files, and comes with the next restore', async () => {
  const { zip, rows } = await made()
  await using target = await testApp()
  const admit = refuse(target.deps, ['INSERT', 'media'])
  const first = await restored(target, zip)
  expect(first.json.statistics.workouts).toEqual(counts(1, 0, 1))
  expect(first.json.errors).toEqual([expect.stringMatching(/^Workouts that could not be stored: [0-9a-f-]{36}$/)])
  expect([filesOf(target, 'files/media'), filesOf(target, 'files/raw').length]).toEqual([[], 1])
  admit()
  expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  expect(rowCounts(target)).toEqual(rows)
})

test('a run that is here under another id is skipped, and a deleted one comes back', async () => {
  await using source = await testApp()
  const [first] = await library(source)
  const zip = await exported(source)
  await using target = await testApp()
  await target.run(fitRun({ seconds: 1200 }), 'x.fit')
  expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  await source.ok('DELETE', `/workouts/${first}`)
  expect((await restored(source, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  await source.ok('GET', `/workouts/${first}`)
})

test('what could not be restored is counted: every group adds up to the rows of the archive', async () => {
  await using app = await testApp()
  const { id, route, splits, heartRates } = tempo
  const bare = (n: number, more: object = {}) => tempo.workout(n, { shoeId: null, rawFileName: null, ...more })
  const raw = (n: number, name: string) => `workouts/${id(n)}/raw/${name}.gpx`
  const files = {
    'data/workouts.json': [bare(1, { StartedAt: 'never' }), bare(2), { name: 'no id' }],
    'data/routes.json': [route(id(1)), route(id(2)), route(id(3))],
    'data/splits.json': [...splits(id(1)), ...splits(id(2)), ...splits(id(2)).slice(0, 1), ...splits(id(3))],
    'data/time-series.json': [...heartRates(id(1), 60), ...heartRates(id(2), 60), { workoutId: id(1) }],
    'data/media-metadata.json': [{ id: id(800), workoutId: id(1), filename: 'a.jpg' }],
    ...{ [raw(1, 'a')]: tempo.gpx, [raw(2, 'b')]: 'b', [raw(2, 'c')]: 'c', [raw(9, 'd')]: 'd' },
  }
  const expectSums = async () => {
    const statistics: Record<string, Record<string, number>> = (await restored(app, await archiveOf(files))).json
      .statistics
    const sums = Object.entries(statistics).map(([group, { imported, skipped, errors }]) => {
      return [group, imported! + skipped! + errors!]
    })
    expect(Object.fromEntries(sums)).toEqual({
      ...{ settings: 1, shoes: 0, workouts: 3, routes: 3, splits: 13, timeSeries: 43, media: 1, bestEfforts: 0 },
      rawFiles: 4,
    })
  }
  const admit = refuse(app.deps, ['INSERT', 'workout_split'])
  await expectSums()
  admit()
  await expectSums()
  // and once more, now that one is there
  await expectSums()
})

test('what an older engine computed is derived again at once', async () => {
  await using first = await testApp()
  const id = await first.run(gpxRun({ seconds: 1200 }), 'a.gpx')
  const right = await first.ok('GET', `/workouts/${id}?includeRaw=false`)
  const entries = await entriesOf(first, await exported(first))
  const [row] = dataOf(entries, DATA_FORMAT.workouts)
  const old = { ...row, elevGainM: 777, recording: { ...row.recording, engineVersion: 0 } }
  entries.set(DATA_FORMAT.workouts, bytesOf([old]))
  await using second = await testApp()
  const jobs = startJobs(second.deps, 0)
  const shown = () => second.ok('GET', `/workouts/${id}?includeRaw=false`)
  expect((await restored(second, await zipOf(entries))).json).toMatchObject({ success: true, errors: [] })
  for (let turns = 0; (await shown()).elevGainM === 777 && turns < 6000; turns += 1) await Bun.sleep(5)
  await jobs.stop()
  expect(await shown()).toEqual(right)
})

describe('at one time', () => {
  test('one archive is restored', async () => {
    await using app = await testApp()
    const zip = await archiveOf({ 'data/workouts.json': [workout(1)], 'data/shoes.json': [shoe(1, 'A', 'B')] })
    const answers = await Promise.all([restored(app, zip), restored(app, zip), restored(app, zip)])
    expect(answers.map(({ json }) => json.statistics.workouts.imported).sort()).toEqual([0, 0, 1])
    expect(rowCounts(app)).toMatchObject({ shoe: 1, workout: 1 })
  })

  test('a run that is restored and imported is stored once', async () => {
    await using app = await testApp()
    const path = join(app.deps.config.dataDir, 'a.zip')
    await Bun.write(path, (await made()).zip)
    const zip = await openZip(path, { maxUnpackedBytes: 2 ** 40 })
    const archive: OpenArchive = { zip, manifest: await readManifest(zip) }
    const file = { name: '0.fit', bytes: fitRun({ seconds: 1200 }) }
    const [summary, ...imports] = await Promise.all([
      restoreArchive({ ...app.deps, by: { actor: 'browser', left: () => {} } }, archive),
      app.upload('/workouts/import', [file]),
      app.upload('/workouts/import', [file]),
    ])
    await zip.close()
    expect(summary.errors).toEqual([])
    expect(imports.map(({ status }) => status)).toEqual([200, 200])
    expect(rowCounts(app)).toMatchObject({ workout: 2, recording: 2, samples: 2 })
    expect(filesOf(app, 'files/raw')).toHaveLength(2)
  })
})

test('events report the progress and the end, but not each workout', async () => {
  await using app = await testApp()
  const stated: Event[] = []
  app.deps.events.subscribe(butReceipts((event) => stated.push(event)))
  const zip = await archiveOf({
    'manifest.json': manifest({ statistics: { workouts: 2 } }),
    'data/workouts.json': [workout(1), workout(2)],
  })
  await restored(app, zip)
  const names: Event['event'][] = ['settings.updated', 'import.progress', 'import.progress', 'import.done']
  expect(stated.map(({ event }) => event)).toEqual(names)
  expect(stated.at(-1)?.data).toEqual({ kind: 'restore', successful: 2, skipped: 0, updated: 0, errors: 0 })
  await app.upload('/workouts/import/export', [{ name: 'x.zip', bytes: 'no zip' }])
  expect(stated.at(-1)).toEqual({ event: 'import.done', data: { kind: 'restore', error: expect.any(String) } })
})
