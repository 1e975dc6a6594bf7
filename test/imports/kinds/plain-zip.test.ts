import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { HOUR_MS } from '../../../src/engine/units.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../../fixtures/tcx.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'
import { PATH } from './exports.ts'

const DAY_MS = 24 * HOUR_MS

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(async () => {
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  await app.close()
})

const ride = gpxFile({
  points: straightPoints({ n: 300, startMs: START_MS + 9 * DAY_MS, speedMps: 8 }),
  type: 'cycling',
})

/** Runs in folders, packed, and in a ZIP; a ride; files of other kinds; a broken one. */
const FILES = {
  'runs/2025/a.fit': fitRun(),
  'runs/b.gpx.gz': gzipSync(gpxRun({ startMs: START_MS + DAY_MS, name: 'Evening' })),
  'runs/broken.gpx': gpxRun({ startMs: START_MS + 3 * DAY_MS }).subarray(0, 900),
  'more.zip': buildZip([
    { name: 'c.gpx', data: gpxRun({ startMs: START_MS + 2 * DAY_MS }), method: 8 },
    { name: 'deep.zip', data: buildZip([{ name: 'd.gpx', data: gpxRun() }]) },
  ]),
  'ride.gpx': ride,
  'notes/readme.txt': 'Hello',
  'notes/more.txt': 'Hello',
  '__MACOSX/runs/._a.fit': 'x',
}

describe('a ZIP of workout files', () => {
  test('is imported as if its files were uploaded together, with one receipt, once, and undone', async () => {
    const { status, json, headers } = await app.upload(PATH, [zipUpload(FILES)])
    expect(status).toBe(200)
    const { errorDetails, receiptId, ...counts } = json
    expect(counts).toEqual({
      ...{ kind: 'zip', totalProcessed: 5, successful: 3, skipped: 0, updated: 0, merged: 0, errors: 2 },
      ...{ skippedOther: 1, skippedSports: { ride: 1 }, ignored: 2, shoesCreated: 0, mediaImported: 0, warnings: [] },
    })
    // in the order of the files
    expect(errorDetails.map(({ filename }: { filename: string }) => filename)).toEqual([
      'runs/broken.gpx',
      'more.zip/deep.zip',
    ])
    expect(headers.get('harrier-receipt')).toBe(receiptId)
    const receipt = await app.ok('GET', `/receipts/${receiptId}`)
    expect(receipt).toMatchObject({ kind: 'import', origin: 'zip', title: 'export.zip' })
    expect(receipt.counts).toMatchObject({ created: 3, errors: 2, ignored: 3 })
    const reasons = receipt.items.items.map(({ reason }: { reason: string | null }) => reason)
    expect(reasons).toContain('notes: 2 files that are not workouts')
    expect(reasons).toContain('1 ride skipped (not runs)')
    const { items } = await app.ok('GET', '/workouts')
    expect(items).toHaveLength(3)
    const { recordings } = await app.ok('GET', `/workouts/${items[1].id}/sources`)
    expect(recordings[0]).toMatchObject({ origin: 'zip', filename: 'b.gpx.gz' })
    const again = await app.upload(PATH, [zipUpload(FILES)])
    expect(again.json).toMatchObject({ successful: 0, skipped: 3, updated: 0, errors: 2 })
    await app.ok('POST', `/receipts/${receiptId}/undo`)
    expect((await app.ok('GET', '/workouts')).items).toEqual([])
  })

  test('counts the other activities within its files by their sports', async () => {
    const leg = (startS: number, sport: number) => ({ startS, sport, totalElapsedS: 300, totalTimerS: 300 })
    const samples = Array.from({ length: 900 }, (_, t) => ({ t, lat: 47 + t * 3e-5, lon: 8, distanceM: t * 3 }))
    const lap = { n: 300, startMs: START_MS - DAY_MS }
    const activities = [...['Biking', 'Biking'].map((sport) => steadyTcx({ ...lap, sport })), steadyTcx(lap)]
    const files = {
      'triathlon.fit': fitFile({ startMs: START_MS, samples, session: [leg(0, 5), leg(300, 2), leg(600, 1)] }),
      'day.tcx': tcxFile(activities),
      'training-session.csv': `Activity ID,Activity Date,Activity Name,Activity Type,Filename,Elapsed Time,Distance
1,"Nov 3, 2025, 7:00:00 AM",Morning,Run,,600,1.8
2,"Nov 2, 2025, 7:00:00 AM",Up,Hike,,600,5`,
    }
    for (const options of [{ dryRun: 'true' }, {}]) {
      const { json } = await app.upload(PATH, [zipUpload(files)], options)
      expect(json).toMatchObject({ successful: 3, errorDetails: [], skippedSports: { ride: 3, swim: 1, hike: 1 } })
    }
  })

  test('leaves a deleted run deleted unless it is asked for, and merges second recordings where that is wanted', async () => {
    const file = zipUpload({ 'a.fit': fitRun() })
    expect((await app.upload(PATH, [file])).json.successful).toBe(1)
    const [run] = (await app.ok('GET', '/workouts')).items
    await app.call('DELETE', `/workouts/${run.id}`)
    expect((await app.upload(PATH, [file])).json).toMatchObject({ successful: 0, skipped: 1 })
    const wanted = await app.upload(PATH, [file], { includeDeleted: 'true' })
    expect(wanted.json).toMatchObject({ successful: 1, skipped: 0 })
    await app.ok('PUT', '/settings/second-recording', { mode: 'merge' })
    const phone = gpxRun({ startMs: START_MS + 4000, seconds: 592 })
    const { json } = await app.upload(PATH, [zipUpload({ 'phone.gpx': phone })])
    expect(json).toMatchObject({ successful: 0, updated: 1, merged: 1 })
    expect((await app.ok('GET', '/workouts')).totalCount).toBe(1)
  })

  test('whose ZIPs declare more than 20 GiB ends there, as a summary says', async () => {
    const bomb = buildZip([{ name: 'a.fit', data: 'x', claims: { size: 4e9 } }])
    const bombs = Array.from({ length: 6 }, (_, k) => ({ name: `${k}.zip`, data: bomb }))
    const { json } = await app.upload(PATH, [{ name: 'bomb.zip', bytes: new Uint8Array(buildZip(bombs)) }])
    expect(json.successful).toBe(0)
    expect(json.errorDetails.at(-1)).toEqual({
      filename: 'bomb.zip',
      error: 'The ZIPs in the export are larger than 20 GiB unpacked',
    })
  })

  test('with names that lead out of it, links and other traps imports what is sound, and writes nothing outside', async () => {
    const bytes = buildZip([
      { name: '../../evil.fit', data: fitRun(), method: 8 },
      { name: 'link.fit', data: '/etc/passwd', madeBy: 3, attributes: (0xa1ff << 16) >>> 0 },
      { name: 'sound.fit', data: fitRun(), method: 8 },
      { name: 'secret.fit', data: fitRun(), flags: 1 },
    ])
    const { json } = await app.upload(PATH, [{ name: 'trap.zip', bytes: new Uint8Array(bytes) }])
    expect(json).toMatchObject({ successful: 1, errors: 1, errorDetails: [{ filename: 'secret.fit' }] })
  })
})

test('a dry run stores nothing; its upload, only the last one, is kept for an hour and imported once', async () => {
  await app.run(fitRun(), 'a.fit')
  const { json: first } = await app.upload(PATH, [zipUpload(FILES)], { dryRun: 'true' })
  const dry = await app.upload(PATH, [zipUpload(FILES)], { dryRun: 'true' })
  const { preview, uploadId, ...counts } = dry.json
  expect(counts).toMatchObject({ kind: 'zip', successful: 2, skipped: 1, errors: 2, receiptId: null })
  expect(preview).toEqual({
    firstRunAt: new Date(START_MS).toISOString().replace('.000', ''),
    lastRunAt: new Date(START_MS + 2 * DAY_MS).toISOString().replace('.000', ''),
    ...{ runs: 3, distanceM: expect.closeTo(3 * 1797, -2), shoes: [] },
  })
  expect(dry.headers.get('harrier-receipt')).toBeNull()
  expect((await app.ok('GET', '/workouts')).items).toHaveLength(1)
  const gone = { status: 404, json: { error: 'Upload not found' } }
  expect(await app.upload(PATH, [], { uploadId: first.uploadId })).toMatchObject(gone)
  expect((await app.upload(PATH, [], { uploadId })).json).toMatchObject({ successful: 2, skipped: 1 })
  expect(await app.upload(PATH, [], { uploadId })).toMatchObject(gone)
  const { json: last } = await app.upload(PATH, [zipUpload(FILES)], { dryRun: 'true' })
  const kept = () => readdirSync(join(app.deps.config.dataDir, 'tmp'))
  expect(kept()).toHaveLength(1)
  app.pass(HOUR_MS)
  expect(await app.upload(PATH, [], { uploadId: last.uploadId })).toMatchObject(gone)
  while (kept().length > 0) await Bun.sleep(5)
})

const NO_EXPORT = /^This is not an export that Harrier can read: /
test.each([
  ['no file', [], {}, /^The upload has no file$/],
  ['a bad field', [zipUpload(FILES)], { dryRun: 'yes' }, /^dryRun must be true or false$/],
  ['a bad unit', [zipUpload(FILES)], { unitPreference: 'feet' }, /^unitPreference must be metric or imperial$/],
  ['a ZIP of something else', [zipUpload({ 'a.txt': 'Hello' })], {}, NO_EXPORT],
  ['a text', [{ name: 'a.txt', bytes: 'Hello' }], {}, NO_EXPORT],
  ['a cut ZIP', [{ name: 'a.zip', bytes: zipUpload(FILES).bytes.subarray(0, 900) }], {}, /^The ZIP archive is cut off/],
] as const)('%s is refused, an export with a receipt', async (_, files, fields, error) => {
  const answer = await app.upload(PATH, [...files], fields)
  expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ error: expect.stringMatching(error) })])
  const isRead = files.length > 0 && Object.keys(fields).length === 0
  const receipts = isRead ? [{ title: files[0]!.name, counts: { errors: 1 } }] : []
  expect((await app.ok('GET', '/receipts')).items).toMatchObject(receipts)
})
