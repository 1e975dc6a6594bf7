import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'
import { archiveOf, contentOf, DATA_FORMAT, entriesOf, exported, restored, zipOf } from '../archives.ts'
import { counts, filesOf, library, rowCounts, shoe, workout } from './restoring.ts'

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

test('one archive is restored at one time', async () => {
  await using app = await testApp()
  const zip = await archiveOf({ 'data/workouts.json': [workout(1)], 'data/shoes.json': [shoe(1, 'A', 'B')] })
  const answers = await Promise.all([restored(app, zip), restored(app, zip), restored(app, zip)])
  expect(answers.map(({ json }) => json.statistics.workouts.imported).sort()).toEqual([0, 0, 1])
  expect(rowCounts(app)).toMatchObject({ shoe: 1, workout: 1 })
})
