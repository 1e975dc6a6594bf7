import { expect, test } from 'bun:test'
import { basename } from 'node:path'
import { FORMAT_NAMES } from '../../../src/formats/registry.ts'
import { type TestApp, testApp } from '../../app.ts'
import { exported } from '../../archive/archives.ts'
import { chainedFit } from '../../fixtures/fit-writer.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { type Watched, watchedFolder } from './watched.ts'

const DAY_MS = 864e5
const TITLES = 'Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename'
const DELETED = 'You deleted this run on 20 November 2025'
const runOf = (day: number) => fitRun({ startMs: START_MS - day * DAY_MS })
/** The oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: members of answers are compared
const receiptsOf = async ({ app }: Watched): Promise<any[]> =>
  (await app.ok('GET', '/receipts?pageSize=100')).items.toReversed()
type Item = Readonly<Record<'filename' | 'outcome' | 'reason', string | null>>
const itemsOf = async ({ app }: Watched, id: string): Promise<readonly Item[]> =>
  (await app.ok('GET', `/receipts/${id}?pageSize=100`)).items.items

test('a round that stored or failed something is one receipt; one that did not is none', async () => {
  await using watched = await watchedFolder()
  await watched.app.upload('/workouts/import', [{ name: 'x.fit', bytes: runOf(5) }])
  const uploads = (await receiptsOf(watched)).length
  watched.put('known.fit', runOf(5))
  watched.put('course.gpx', '<gpx></gpx>')
  await watched.settle()
  expect(await receiptsOf(watched)).toHaveLength(uploads)
  expect((await watched.files()).map(({ receiptId }) => receiptId)).toEqual([null, null])

  watched.put('2025/a.fit', runOf(0))
  watched.put('2025/broken.fit', 'no run')
  watched.put('2025/copy.fit', runOf(5))
  watched.put('2025/ride.gpx', '<gpx> </gpx>')
  watched.put('2025/week.fit', chainedFit(runOf(1), runOf(2)))
  for (const name of ['one.gpx', 'two.gpx', '2024/a.gpx', '2024/b.gpx']) watched.put(name, '<gpx>  </gpx>')
  watched.put('2024/data.json', '{}')
  await watched.settle()
  const [, receipt, ...others] = await receiptsOf(watched)
  expect(others).toEqual([])
  expect(receipt).toMatchObject({
    ...{ kind: 'import', origin: 'watch_folder', actor: 'watch_folder', title: 'Watch folder, 14:05' },
    // files that are not runs are one item a folder; the receipt counts each
    counts: { created: 3, updated: 0, merged: 0, skipped: 1, ignored: 6, errors: 1, changed: 0, deleted: 0 },
  })
  expect(receipt!.finishedAt).not.toBeNull()
  const noTrack = 'GPX has no track points with times'
  const items = (await itemsOf(watched, receipt!.id)).map((item) => [item.outcome, item.filename, item.reason])
  expect(items.toSorted()).toEqual([
    ['created', '2025/a.fit', null],
    ['created', '2025/week.fit', null],
    ['created', '2025/week.fit', null],
    ['error', '2025/broken.fit', `This file is not a ${FORMAT_NAMES} workout`],
    ['ignored', null, `2024, 3 files that are not runs: ${noTrack}; This file is not a ${FORMAT_NAMES} workout`],
    ['ignored', null, `2025/ride.gpx: ${noTrack}`],
    ['ignored', null, `${basename(watched.folder)}, 2 files that are not runs: ${noTrack}`],
    ['skipped', '2025/copy.fit', 'Same file as known.fit'],
  ])
  expect(await watched.status()).toMatchObject({ lastReceiptId: receipt!.id })
  for (const { name, receiptId } of await watched.files()) {
    expect([name, receiptId]).toEqual([name, /^(known|course)/.test(name) ? null : receipt!.id])
  }
  await watched.settle()
  expect(await receiptsOf(watched)).toHaveLength(uploads + 1)
  const week = (await watched.files()).find(({ name }) => name === '2025/week.fit')
  const again = await watched.app.ok('POST', `/watch-folder/files/${week.id}/import`)
  expect(again).toMatchObject({ totalProcessed: 2, successful: 0, skipped: 2, errors: 0 })
})

test('an archive brings no deleted run, and leaves a receipt of its own', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  const uploads = [0, 1].map((day) => ({ name: `${day}.fit`, bytes: runOf(day) }))
  const csv = [`Activity ID,${TITLES}`, '1,"Oct 2, 2025, 7:00:00 AM",Row,Run,600,1.8,', ''].join('\n')
  await using other = await testApp()
  for (const of of [other, app]) {
    await of.upload('/workouts/import', uploads)
    await of.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': csv })])
  }
  for (const { id } of (await app.ok('GET', '/workouts')).items) await app.call('DELETE', `/workouts/${id}`)
  await app.upload('/workouts/import', [uploads[1]!])
  watched.put('archive.zip', await exported(other))
  await watched.settle()
  expect(await watched.runs()).toBe(1)
  const [file] = await watched.files()
  expect(file).toMatchObject({ outcome: 'skipped', reason: '3 duplicates' })
  const receipt = (await receiptsOf(watched)).find(({ id }) => id === file.receiptId)
  expect(receipt).toMatchObject({ origin: 'archive', actor: 'watch_folder', title: 'archive.zip' })
  const deleted = (await itemsOf(watched, file.receiptId)).filter(({ reason }) => reason === DELETED)
  expect(deleted).toHaveLength(2)
})

test('an archive brings its runs and shoes, but no settings', async () => {
  await using watched = await watchedFolder()
  const { app } = watched
  const settings = ['unit-preference', 'heart-rate-zones', 'training', 'default-shoe']
  const settingsOf = (of: TestApp) => Promise.all(settings.map((name) => of.ok('GET', `/settings/${name}`)))
  const before = await settingsOf(app)
  await using other = await testApp()
  const { id: defaultShoeId } = await other.ok('POST', '/shoes', { brand: 'Mizar', model: 'Seven' })
  const zones = { calculationMethod: 'AgeBased', age: 50 }
  for (const [k, json] of [{ unitPreference: 'imperial' }, zones, { sex: 'female' }, { defaultShoeId }].entries())
    await other.ok('PUT', `/settings/${settings[k]}`, json)
  await other.run(runOf(0))
  watched.put('archive.zip', await exported(other))
  await watched.settle()
  expect([await watched.runs(), (await app.ok('GET', '/shoes')).length]).toEqual([1, 1])
  expect(await settingsOf(app)).toEqual(before)
  const [file] = await watched.files()
  const message = 'Its settings were not restored; import it on the page to restore them'
  const { warnings } = await app.ok('GET', `/receipts/${file.receiptId}`)
  expect(warnings).toEqual([{ filename: 'archive.zip', message }])
})

test.each([
  ['by its number', 'Activity ID,'],
  ['by its start and distance', ''],
] as const)('a deleted run that is only a row of Strava’s table is known %s to a newer export', async (_, title) => {
  await using watched = await watchedFolder()
  const { app } = watched
  const rowOf = (day: number) =>
    `${title && `${day + 700},`}"Oct ${day + 1}, 2025, 7:00:00 AM",Day ${day},Run,600,1.8,\n`
  const table = (days: number) => `${title}${TITLES}\n${Array.from({ length: days }, (_, day) => rowOf(day)).join('')}`
  await app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': table(3) })])
  const { items } = (await app.call('GET', '/workouts?sortBy=startedAt&sortOrder=asc')).json
  const [gone, trashed] = items.map(({ id }: { id: string }) => id)
  await app.call('DELETE', `/workouts/${gone}?forever=true`)
  await app.call('DELETE', `/workouts/${trashed}`)
  watched.put('export.zip', zipUpload({ 'activities.csv': table(4) }).bytes)
  await watched.settle()
  const [file] = await watched.files()
  expect(file).toMatchObject({ outcome: 'created', reason: '1 run added, 3 duplicates' })
  const names = async () => (await app.call('GET', '/workouts')).json.items.map((run: { name: string }) => run.name)
  expect(await names()).toEqual(['Day 3', 'Day 2'])
  const deleted = (await itemsOf(watched, file.receiptId)).filter(({ reason }) => reason === DELETED)
  expect(deleted).toHaveLength(2)
  // back from the trash it is not a deleted one
  await app.call('POST', `/trash/${trashed}/restore`)
  watched.put('export.zip', zipUpload({ 'activities.csv': table(5) }).bytes)
  await watched.settle()
  expect(await names()).toEqual(['Day 4', 'Day 3', 'Day 2', 'Day 1'])
  // and by hand the other one comes, too
  const again = await app.call('POST', `/watch-folder/files/${file.id}/import`)
  expect(again.json).toMatchObject({ successful: 1, skipped: 4 })
  expect(await names()).toEqual(['Day 4', 'Day 3', 'Day 2', 'Day 1', 'Day 0'])
})
