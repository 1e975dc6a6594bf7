import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { OpenArchive } from '../../../src/archive/format/data-rows.ts'
import { readManifest } from '../../../src/archive/format/manifest.ts'
import { restoreArchive } from '../../../src/archive/restore/restore.ts'
import type { Event } from '../../../src/events/emitter.ts'
import { openZip } from '../../../src/zip/reader.ts'
import { type TestApp, testApp } from '../../app.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { archiveOf, entriesOf, exported, restored, zipOf } from '../archives.ts'
import { counts, filesOf, library, manifest, rowCounts, shoe, workout } from './restoring.ts'

describe('restoring twice', () => {
  test('imports nothing the second time except settings', async () => {
    await using source = await testApp()
    await library(source)
    const zip = await exported(source)
    await using target = await testApp()
    await restored(target, zip)
    const rows = rowCounts(target)
    const { json } = await restored(target, zip)
    expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
    expect(json.statistics).toEqual({
      settings: counts(1),
      shoes: counts(0),
      workouts: counts(0, 2),
      routes: counts(0, 2),
      splits: counts(0, 8),
      timeSeries: counts(0, 2402),
      media: counts(0, 1),
      bestEfforts: counts(0, 5),
      rawFiles: counts(0, 2),
    })
    expect(rowCounts(target)).toEqual(rows)
    expect(filesOf(target, 'tmp')).toEqual([])
  })

  test('over recalculated splits and a cropped run doubles no row', async () => {
    await using app = await testApp()
    const [cropped, recut] = await library(app)
    const zip = await exported(app)
    await app.call('POST', `/workouts/${cropped}/crop`, { json: { removeFromStartSeconds: 300 } })
    await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
    await app.call('POST', `/workouts/${recut}/recalculate-splits`)
    const [rows, details] = [rowCounts(app), await detailsOf(app)]
    const { json } = await restored(app, zip)
    expect(json).toMatchObject({ success: true, statistics: { workouts: counts(0, 2), splits: counts(0, 8) } })
    expect(rowCounts(app)).toEqual(rows)
    expect(await detailsOf(app)).toEqual(details)
  })

  test('what was interrupted half-way ends complete', async () => {
    await using source = await testApp()
    await library(source)
    const entries = await entriesOf(source, await exported(source))
    const whole = await zipOf(entries)
    const workouts = new TextDecoder().decode(entries.get('data/workouts.json'))
    const cut = new Map(entries).set('data/workouts.json', new TextEncoder().encode(workouts.slice(0, -200)))
    await using target = await testApp()
    const first = await restored(target, await zipOf(cut))
    expect(first.status).toBe(200)
    expect(first.json.success).toBe(false)
    expect(first.json.errors).toEqual(['data/workouts.json is not valid JSON'])
    const second = await restored(target, whole)
    expect(second.json).toMatchObject({ success: true, errors: [] })
    expect(rowCounts(target)).toEqual(rowCounts(source))
    const after = await entriesOf(target, await exported(target))
    for (const [name, bytes] of entries) {
      if (name.startsWith('data/'))
        expect(new TextDecoder().decode(after.get(name))).toBe(new TextDecoder().decode(bytes))
    }
  })

  test('a workout whose rows fail leaves neither rows nor files, and comes with the next restore', async () => {
    await using source = await testApp()
    await library(source)
    const zip = await exported(source)
    await using target = await testApp()
    const { $client: client } = target.deps.db
    client.run("CREATE TRIGGER full BEFORE INSERT ON media BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    const first = await restored(target, zip)
    expect(first.json.statistics.workouts).toEqual(counts(1, 0, 1))
    expect(first.json.errors).toHaveLength(1)
    expect(first.json.errors[0]).toMatch(/^Workouts that could not be stored: [0-9a-f-]{36}$/)
    expect(filesOf(target, 'files/media')).toEqual([])
    expect(filesOf(target, 'files/raw')).toHaveLength(1)
    client.run('DROP TRIGGER full')
    expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
    expect(rowCounts(target)).toEqual(rowCounts(source))
  })

  test('a run that is here under another id is skipped, and a deleted one comes back', async () => {
    await using source = await testApp()
    const [first] = await library(source)
    const zip = await exported(source)
    await using target = await testApp()
    await target.upload('/workouts/import', [{ name: 'x.fit', bytes: fitRun({ seconds: 1200 }) }])
    expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
    await source.call('DELETE', `/workouts/${first}`)
    expect((await restored(source, zip)).json.statistics.workouts).toEqual(counts(1, 1))
    expect((await source.call('GET', `/workouts/${first}`)).status).toBe(200)
  })
})

async function detailsOf(app: TestApp): Promise<unknown[]> {
  const { items } = (await app.call('GET', '/workouts')).json
  const details: unknown[] = []
  for (const item of items) details.push((await app.call('GET', `/workouts/${item.id}`)).json)
  return details
}

test('one archive is restored at a time', async () => {
  await using app = await testApp()
  const zip = await archiveOf({ 'data/workouts.json': [workout(1)], 'data/shoes.json': [shoe(1, 'A', 'B')] })
  const answers = await Promise.all([restored(app, zip), restored(app, zip), restored(app, zip)])
  expect(answers.map(({ json }) => json.statistics.workouts.imported).sort()).toEqual([0, 0, 1])
  expect(rowCounts(app)).toMatchObject({ shoe: 1, workout: 1 })
})

test('a restore while the same run is imported stores it once', async () => {
  await using source = await testApp()
  await library(source)
  const path = join(source.deps.config.dataDir, 'a.zip')
  await Bun.write(path, await exported(source))
  await using app = await testApp()
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

describe('events', () => {
  test('report the progress and the end, but not each workout', async () => {
    await using app = await testApp()
    const stated: Event[] = []
    app.deps.events.subscribe(butReceipts((event) => stated.push(event)))
    const zip = await archiveOf({
      'manifest.json': manifest({ statistics: { workouts: 2 } }),
      'data/workouts.json': [workout(1), workout(2)],
      'data/settings.json': {},
    })
    await restored(app, zip)
    expect(stated.map(({ event }) => event)).toEqual([
      ...['settings.updated', 'import.progress', 'import.progress', 'import.done'],
    ] as Event['event'][])
    expect(stated.at(-1)?.data).toEqual({ kind: 'restore', successful: 2, skipped: 0, updated: 0, errors: 0 })
    await app.upload('/workouts/import/export', [{ name: 'x.zip', bytes: 'no zip' }])
    expect(stated.at(-1)).toEqual({ event: 'import.done', data: { kind: 'restore', error: expect.any(String) } })
  })
})
