// Raw data is read out of the original when it is asked for; a text of its own stays only where that gives something else.
import { describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { recordings } from '../../../src/db/schema.ts'
import { unpackedWithin } from '../../../src/formats/gzip.ts'
import { rawDataPath, rawFilePath } from '../../../src/library/files/paths.ts'
import { dropRawCopies } from '../../../src/library/files/raw-copies.ts'
import { jsonPieces } from '../../../src/workers/raw-data.ts'
import { type RawJob, readRaw, readSmallRaw } from '../../../src/workers/read-raw.ts'
import { type TestApp, testApp } from '../../app.ts'
import { contentOf, dataOf, entriesOf, exported, restored, textOf, zipOf } from '../../archive/archives.ts'
import { filesOf } from '../../archive/restore/restoring.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { firstRecording, storeRawData } from '../../fixtures/recordings.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { NEVER } from '../falsified.ts'

const detail = (app: TestApp, id: string) => app.ok('GET', `/workouts/${id}`)
const dataFiles = (app: TestApp) => filesOf(app, 'files/raw').filter((name) => name.endsWith('.json.zst'))
const columns = ({ deps }: TestApp) =>
  deps.db.select({ hasRaw: recordings.hasRaw, rawView: recordings.rawView }).from(recordings).all()

/** Changes the text that is stored of a recording. @returns its bytes */
function rewrite({ deps }: TestApp, id: string, change: (text: string) => string): Uint8Array {
  const path = rawDataPath(deps.config.dataDir, id)
  const bytes = Bun.zstdCompressSync(change(Bun.zstdDecompressSync(readFileSync(path)).toString()))
  writeFileSync(path, bytes)
  return bytes
}

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

describe('raw data out of the original', () => {
  test('is what the text of an older version said, and so is the export', async () => {
    await using app = await testApp()
    const ids = await library(app)
    const answers = async () => [await Promise.all(ids.map((id) => detail(app, id))), await contentOf(app)]
    const viewed = await answers()
    await storeRawData(app.deps)
    expect(dataFiles(app)).toHaveLength(4)
    expect(await answers()).toEqual(viewed)
  })

  test('of an original that is gone, or no longer what it was, is null; the row of the table stays', async () => {
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

  test('of a large original is read by the Worker, in pieces, and equals what JSON.stringify gives', async () => {
    await using app = await testApp()
    // an upload that packs better than any watch's is cut
    const points = straightPoints({ n: 20_000, startMs: START_MS - 20_000_000 }).map((point, i) => ({
      ...{ ...point, ele: (i * 7919) % 1000, hr: 90 + ((i * 31) % 97) },
    }))
    const bytes = gpxFile({ points })
    expect(bytes.length).toBeGreaterThan(1_048_576)
    const read: number[] = []
    const raw = app.deps.analyzer.raw.bind(app.deps.analyzer)
    app.deps.analyzer.raw = async (job) => {
      const pieces = await raw(job)
      read.push(pieces.length)
      return pieces
    }
    // packed it is small
    for (const file of [bytes, gzipSync(bytes)]) {
      const id = await app.run(file, 'a.gpx')
      const { rawGpxData } = await detail(app, id)
      expect(rawGpxData.trackPoints).toHaveLength(20_000)
      expect(Object.keys(rawGpxData)).toEqual(['metadata', 'trackPoints', 'calculated', 'source', 'importedAt'])
      const [row] = dataOf(await entriesOf(app, await exported(app)), 'data/workouts.json')
      expect(row.rawGpxData).toEqual(rawGpxData)
      await app.ok('DELETE', `/workouts/${id}?forever=true`)
    }
    expect(read).toEqual([6, 6, 6, 6])
  })

  test('has the same text whether it is read here or by the Worker, with its points or without', async () => {
    await using app = await testApp()
    const path = rawFilePath(app.deps.config.dataDir, await app.run(fitRun({ seconds: 5000 })))
    const about = { path, filename: 'a.fit', session: 0, importedAtMs: 1.7e12, anySport: false }
    for (const points of [true, false]) {
      const job: RawJob = { ...about, points }
      const here = await readSmallRaw(job)
      expect(Buffer.concat(await readRaw(job)).toString()).toBe(here ?? 'none')
      expect(JSON.parse(here ?? '').trackPoints?.length).toBe(points ? 5001 : undefined)
    }
    await expect(readSmallRaw({ ...about, points: true, session: 1 })).rejects.toThrow('no such run')
  })
})

test.each([0, 1, 4096, 4097, 8192, 9000])('a text in pieces of %d points is the text', (n) => {
  const trackPoints = Array.from({ length: n }, (_, i) => ({ time: `${i}`, name: i % 7 === 0 ? 'ö😀' : undefined }))
  for (const raw of [{ trackPoints }, { a: 1, left: undefined, trackPoints, 'b"': [trackPoints.length] }]) {
    expect([...jsonPieces(raw)].join('')).toBe(JSON.stringify(raw))
  }
})

test('what a packed file says of its length decides nothing', () => {
  const bytes = gpxRun()
  const lying = gzipSync(bytes)
  lying.writeUInt32LE(10, lying.length - 4)
  expect(unpackedWithin(lying, bytes.length)).toBeNull()
  expect(unpackedWithin(gzipSync(bytes), bytes.length - 1)).toBeNull()
  expect(Buffer.compare(unpackedWithin(gzipSync(bytes), bytes.length)!, bytes)).toBe(0)
})

describe('texts that an older version stored', () => {
  test('go where the original gives the same byte for byte, at the next start if need be; others stay', async () => {
    await using app = await testApp()
    const [id] = await library(app)
    const views = columns(app)
    await storeRawData(app.deps)
    rewrite(app, id, (text) => text.replace('"hr":140', '"hr":141'))
    const changed = await detail(app, id)
    expect(changed.rawFitData.trackPoints[0].hr).toBe(141)
    await dropRawCopies(app.deps, AbortSignal.abort())
    expect(dataFiles(app)).toHaveLength(4)
    await dropRawCopies(app.deps, NEVER)
    expect(columns(app)).toEqual([{ hasRaw: true, rawView: false }, ...views.slice(1)])
    expect([dataFiles(app), await detail(app, id)]).toEqual([[`${id}.json.zst`], changed])
    expect(app.logged).toEqual(['info Removed the stored raw data of 3 recordings, which is also in their originals'])

    // now it would be the same, but nobody looks again
    rewrite(app, id, (text) => text.replace('"hr":141', '"hr":140'))
    await dropRawCopies(app.deps, NEVER)
    expect(dataFiles(app)).toEqual([`${id}.json.zst`])
  })

  test('one that is damaged, in another order, with other times or none, or of two formats stays', async () => {
    for (const change of [
      () => 'damaged',
      (text: string) => text.replace(/^\{("rawGpxData":null),(.*)\}$/s, '{$2,$1}'),
      (text: string) => text.replace(/"importedAt":"\d+/, '"importedAt":"12'),
      (text: string) => text.replace(/,"importedAt":"[^"]+"/, ''),
      (text: string) => text.replace('"rawGpxData":null', '"rawGpxData":{"source":"x"}'),
    ]) {
      await using app = await testApp()
      const id = await app.run(fitRun())
      await storeRawData(app.deps)
      const stored = rewrite(app, id, change)
      await dropRawCopies(app.deps, NEVER)
      const kept = readFileSync(rawDataPath(app.deps.config.dataDir, id))
      expect([columns(app), kept.equals(stored)]).toEqual([[{ hasRaw: true, rawView: false }], true])
    }
  })
})

test('a restore keeps the text of what came without its original, or is other than that, and no other', async () => {
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
  expect(dataFiles(app)).toEqual([ids[0], ids[1]].map((id) => `${id}.json.zst`).sort())
  const texts = columns(app).filter(({ hasRaw }) => hasRaw)
  expect(texts).toMatchObject([{ rawView: false }, { rawView: false }])
  expect((await detail(app, ids[0])).rawFitData).toEqual(rows[0].rawFitData)
  expect((await detail(app, ids[1])).rawGpxData).toEqual(rows[1].rawGpxData)
})
