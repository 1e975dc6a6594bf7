// Whole exports of real files, tables of every age and language, and a made export whose truth is known.
import { describe, expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FormatError } from '../../src/formats/format.ts'
import { stravaColumns } from '../../src/formats/strava/columns.ts'
import { csvFormat } from '../../src/formats/table/csv.ts'
import { type TestApp, type TestFile, testApp } from '../app.ts'
import { corpusDir, corpusFile, corpusTest, expectedOf } from '../corpus.ts'
import { stravaRows } from '../fixtures/csv.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'

const tableOf = (dialect: string) => `csv/strava-activities.${dialect}.csv`
const GERMAN = tableOf('de-92col.header-only')

/** Rows of each table by their places, with what they say. */
const DIALECTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'en-103col': {
    1: {
      ...{ startedAtMs: Date.UTC(2026, 3, 13, 4, 51, 23), name: 'Morning Run', isRun: true, rpe: 3, runType: null },
      ...{ gear: 'Adidas Adizero Evo SL', filename: 'activities/19188892578.gpx.gz', media: { length: 4 } },
      totals: {
        ...{ distanceM: 10809.5, elapsedS: 4180, movingS: 4167, maxHeartRateBpm: 168, avgHeartRateBpm: 163 },
        ...{ avgCadenceRpm: 82, maxCadenceRpm: 84, caloriesKcal: 859, elevGainM: 149.3, elevLossM: 151.1 },
        ...{ minElevM: 9.5, maxElevM: 45, maxSpeedMps: 3.143, avgSpeedMps: 2.594 },
      },
      raw: { activityId: 18087157972, maxGrade: 42.1, averageGrade: 0, relativeEffort: 129 },
    },
  },
  // re-saved by Excel, its columns two places earlier
  'en-79col-crlf-excel': {
    0: {
      ...{ filename: 'activities/3184653380.fit.gz', notes: null, raw: { commute: 0, activityId: 2987876185 } },
      totals: {
        ...{ distanceM: 5005.200195, elapsedS: 1509, avgCadenceRpm: 83, maxCadenceRpm: 86 },
        ...{ caloriesKcal: 344, elevGainM: 30, elevLossM: 35 },
      },
    },
    '-1': { totals: { distanceM: 1025 } },
  },
  // headers with markup
  'en-87col-translation_missing': {},
  'en-GB-dates': {
    1: {
      startedAtMs: Date.UTC(2024, 4, 21, 0, 48, 20),
      weather: { temperature: 12.31, humidity: 76, pressure: 1030.75, windDirection: 162, cloudCover: 66 },
    },
  },
  // narrow spaces
  'es-103col': {
    0: {
      ...{ startedAtMs: Date.UTC(2026, 7, 2, 12, 20, 32), name: 'Carrera | Corre Quimbaya 10k', isRun: true },
      totals: { distanceM: 9749, elapsedS: 2735, movingS: 2722, elevGainM: 137.4, minElevM: 1219, maxElevM: 1320 },
    },
  },
  // decimal commas
  'nl-99col': {
    0: {
      ...{ startedAtMs: Date.UTC(2017, 6, 8, 15, 25, 34), isRun: true },
      totals: { distanceM: 9721.5, elapsedS: 3107, movingS: 3095, elevGainM: 72.1, minElevM: 45, maxElevM: 80.4 },
    },
  },
}
const RUN_TYPES = ['Run', 'Carrera', 'Hardloopsessie']

interface Table {
  readonly rows: number
  readonly types: Readonly<Record<string, number>>
  readonly rows_with_media: number
}

/** A file of a run as its name wants it, each on a day of its own. */
function madeFile(name: string, day: number): Uint8Array {
  const startMs = Date.UTC(2010, 0, 1) + day * 86_400_000
  const text = () => (name.includes('.tcx') ? tcxFile([steadyTcx({ n: 601, startMs })]) : gpxRun({ startMs }))
  const plain = name.includes('.fit') ? fitRun({ startMs }) : text()
  return name.endsWith('.gz') ? gzipSync(plain) : plain
}

async function laterApp(): Promise<TestApp> {
  const app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
  app.clock.nowMs = Date.UTC(2026, 10, 1)
  return app
}

async function bulk(app: TestApp, zip: TestFile) {
  const { status, json, text } = await app.upload('/workouts/import/bulk', [zip])
  expect(status, text).toBe(200)
  return json
}

/** Everything that the library shows of its runs. */
async function runsOf(app: TestApp) {
  const { items } = await app.ok('GET', '/workouts?pageSize=100')
  return await Promise.all(items.map(({ id }: { id: string }) => app.ok('GET', `/workouts/${id}`)))
}

const byName = async (app: TestApp) => new Map((await runsOf(app)).map((run) => [run.name as string, run]))

describe("tables of Strava's", () => {
  for (const [dialect, rows] of Object.entries(DIALECTS)) {
    corpusTest(`${dialect}: every row has a type, a date and its file, and all runs are imported`, async () => {
      const csv = corpusFile(tableOf(dialect))
      const expected = expectedOf(tableOf(dialect)) as unknown as Table
      const found = [...stravaRows([csv])]
      const types = Object.groupBy(found, ({ type }) => type!)
      const counts = Object.entries(types).map(([type, all]) => [type, all!.length])
      expect([found.length, Object.fromEntries(counts)]).toEqual([expected.rows, expected.types])
      expect(found.filter(({ media }) => media.length > 0)).toHaveLength(expected.rows_with_media)
      for (const { startedAtMs, filename, totals } of found) {
        expect([startedAtMs === null, filename?.startsWith('activities/') ?? true]).toEqual([false, true])
        expect(totals.elapsedS).toBeGreaterThan(0)
      }
      for (const [row, says] of Object.entries(rows)) expect(found.at(Number(row))).toMatchObject(says)

      await using app = await laterApp()
      // found in the text itself, whatever the columns are called
      const files = [...new Set(new TextDecoder().decode(csv).match(/activities\/[\w.]+/g) ?? [])]
      const made = Object.fromEntries(files.map((file, day) => [file, madeFile(file, day)]))
      const successful = RUN_TYPES.reduce((sum, type) => sum + (expected.types[type] ?? 0), 0)
      expect(found.filter(({ isRun }) => isRun)).toHaveLength(successful)
      const skippedOther = expected.rows - successful
      const answer = await bulk(app, zipUpload({ 'activities.csv': csv, ...made }))
      expect(answer).toMatchObject({ totalProcessed: successful, errors: 0, successful, skippedOther })
    })
  }

  corpusTest('with German headers, without media and private note, all runs are imported', async () => {
    expect(Object.fromEntries(stravaColumns(csvHeader(GERMAN)).indexes)).toMatchObject({
      ...{
        ...{ filename: [12], distance: [6, 17], elapsedTime: [5, 15], maxHeartRate: [7, 30], media: [91] },
        humidity: [59],
      },
      activityPrivateNote: [10],
    })
    const bare = () => csvFormat.parse(corpusFile(GERMAN), { filename: 'activities.csv' })
    expect(bare).toThrow(new FormatError('activities.csv has no row of type Run'))
    await using app = await laterApp()
    const header = new TextDecoder().decode(corpusFile(GERMAN)).trim()
    const cells = Array.from({ length: 92 }, () => '')
    const stated = { 0: '17', 1: '"21.07.2026, 15:09:27"', 2: 'Lauf am Mittag', 3: 'Lauf', 5: '1040', 6: '"2,81"' }
    for (const [index, value] of Object.entries(stated)) cells[Number(index)] = value
    const named = cells.with(12, 'activities/5.fit').with(2, 'Mit Datei')
    const table = [header, cells.join(','), cells.with(3, 'Radfahrt').join(','), named.join(',')].join('\n')
    const answer = await bulk(app, zipUpload({ 'activities.csv': table, 'activities/5.fit': fitRun() }))
    expect(answer).toMatchObject({ totalProcessed: 2, successful: 2, skippedOther: 1 })
    const found = await byName(app)
    const noon = { startedAt: '2026-07-21T15:09:27Z', durationS: 1040, distanceM: 2810 }
    expect(found.get('Lauf am Mittag')).toMatchObject(noon)
    expect(found.get('Mit Datei')).toMatchObject({ durationS: 600, distanceM: 1800 })
  })
})

function csvHeader(file: string): string[] {
  const text = new TextDecoder().decode(corpusFile(file))
  const titles = text.slice(0, text.indexOf('\n')).match(/"(?:[^"]|"")*"|[^,\r\n]+/g) ?? []
  return titles.map((title) => title.replace(/^"|"$/g, '').replace(/""/g, '"'))
}

/** Files of a folder of the corpus as a ZIP. */
function zipOf(folder: string, wanted = /./): TestFile {
  const entries = readdirSync(join(corpusDir ?? '', folder), { recursive: true, withFileTypes: true })
  const root = join(corpusDir ?? '', folder).length + 1
  const paths = entries.filter((one) => one.isFile() && wanted.test(one.name))
  const names = paths.map(({ parentPath, name }) => join(parentPath, name).slice(root))
  return zipUpload(Object.fromEntries(names.map((name) => [name, corpusFile(`${folder}/${name}`)])))
}

corpusTest('the real export: every row as its table and its files say', async () => {
  await using app = await laterApp()
  const shoe = await app.ok('POST', '/shoes', { brand: 'Brooks', model: 'Ghost 7' })
  const missing = 'The file is missing from the ZIP archive'
  expect(await bulk(app, zipOf('strava-export'))).toEqual({
    ...{ totalProcessed: 10, successful: 7, skipped: 1, updated: 0, errors: 2, skippedOther: 3, mediaImported: 1 },
    skippedSports: { ride: 1, swim: 1, walk: 1 },
    receiptId: expect.any(String),
    errorDetails: [
      ['2223334445', 'The gzip file is cut off or damaged', 'Long Run (file damaged)', '2018-01-21T09:40:18Z'],
      ['9999999999', missing, 'File missing from the ZIP', '2018-01-23T07:00:00Z'],
    ].map(([id, error, name, startedAt]) => ({ filename: `activities/${id}.fit.gz`, error, name, startedAt })),
    warnings: [{ filename: 'media/1B5BB8EE-FF8A-4C86-88AE-AD844A28EB42.jpg', message: missing }],
    shoesFound: [{ name: 'Brooks Ghost 7', runs: 1, runsWithoutShoe: 0, shoeId: shoe.id }],
  })
  const found = await byName(app)
  // the numbers of SOURCES.md and EXPECTED.json; a GPX is measured on the ellipsoid, not on the sphere
  const rows: readonly [string, string, string, number, number, number, number | null][] = [
    ['Lauf am Abend', '638693618', '2016-07-12T17:13:58', 2271, 7826.88, 0.006, null],
    ['Lauf am Morgen', '668551054', '2016-08-08T05:16:42', 3197, 8033.31, 0.006, null],
    ['Night Run', '1400000001', '2015-11-27T20:02:58', 819, 2029.94, 0, 157],
    ['Treadmill 🏃, 5K', '1800000002', '2018-01-28T01:39:07', 1271, 5006.48, 0, null],
    ['Morning Run', '1600000003', '2016-09-11T15:57:36', 4070, 6106.6, 0.001, null],
    ['Lunch Run', '5100000004', '2021-01-27T18:24:14', 1420, 4114.93, 0.006, null],
    ['Manual entry without a file', '2100000009', '2018-01-22T07:00:00', 1800, 5000, 0, null],
  ]
  expect(found.size).toBe(rows.length)
  for (const [name, activityId, startedAt, durationS, distanceM, tolerance, heartRate] of rows) {
    const detail = found.get(name)
    expect(detail, name).toMatchObject({ source: 'strava_import', rawStravaData: { activityId: Number(activityId) } })
    expect(detail.startedAt, name).toStartWith(startedAt)
    expect(Math.abs(detail.durationS - durationS), name).toBeLessThanOrEqual(1)
    expect(Math.abs(detail.distanceM / distanceM - 1), `${name}: ${detail.distanceM}`).toBeLessThanOrEqual(tolerance)
    if (heartRate !== null) expect(detail.avgHeartRateBpm, name).toBe(heartRate)
  }
  const evening = found.get('Lauf am Abend')
  expect(evening).toMatchObject({
    ...{ hasRoute: true, device: 'StravaGPX Android', rawGpxData: { source: 'gpx_import' } },
    notes: 'Easy, then "fast finish"\n\n2nd paragraph, with comma\n\nknee ok',
  })
  // Strava's own 10.6 m are out of its own altitudes; ours come from the file, so the column fills nothing
  expect(evening.elevGainM).not.toBe(10.6)
  expect(await app.ok('GET', `/workouts/${evening.id}/media`)).toMatchObject([
    { filename: '3DF8844E-7BE1-4166-B220-156BB13A990B.jpg', mimeType: 'image/jpeg', caption: null },
  ])
  expect(found.get('Lauf am Morgen').notes).toBeNull()
  expect(found.get('Treadmill 🏃, 5K')).toMatchObject({ hasRoute: false, route: null, shoe: null, elevGainM: null })
  expect(found.get('Manual entry without a file')).toMatchObject({ hasRoute: false, splits: [], rawFitData: null })
  const night = found.get('Night Run')
  expect(night.shoe).toEqual({ id: shoe.id, brand: 'Brooks', model: 'Ghost 7' })
  const { recordings } = await app.ok('GET', `/workouts/${night.id}/sources`)
  expect(recordings[0]).toMatchObject({ filename: '1543210987.fit.gz', fileType: 'fit' })
  const headers = { authorization: `Bearer ${app.token}` }
  const asked = new Request(`http://localhost/workouts/${night.id}/file`, { headers })
  const raw = await (await app.handle(asked)).bytes()
  expect(Buffer.compare(raw, corpusFile('strava-export/activities/1543210987.fit.gz'))).toBe(0)

  const again = { totalProcessed: 10, successful: 0, skipped: 8, updated: 0, errors: 2, mediaImported: 0 }
  expect(await bulk(app, zipOf('strava-export'))).toMatchObject(again)
  expect(await byName(app)).toEqual(found)
})

interface ZipRun {
  readonly start_utc: string
  readonly distance_m: number
}
type ZipEntry = ZipRun & { readonly sessions?: readonly ZipRun[] }

describe('other exports', () => {
  const PATH = '/workouts/import/archive'

  corpusTest('ZIPs of workout files have the runs that independent tools found in them', async () => {
    const archives = expectedOf('archives') as Record<string, { readonly entries?: Record<string, ZipEntry | null> }>
    for (const name of [
      ...['plain-zip/Fr955v19.28andStryd.fit.zip', 'plain-zip/GarminFR955v18.zip'],
      ...['plain-zip/StrydPower-mutiple-float-values.zip', 'fittrackee/gpx_multiple_extensions.zip'],
      ...['fittrackee/gpx_test.zip', 'fittrackee/gpx_test_folder.zip'],
    ]) {
      await using app = await testApp()
      const sent = { name: name.split('/')[1]!, bytes: corpusFile(`archives/${name}`) }
      const { json } = await app.upload(PATH, [sent])
      const entries = Object.values(archives[name]?.entries ?? {})
      const runs: readonly ZipRun[] = entries.flatMap((entry) => (entry === null ? [] : (entry.sessions ?? [entry])))
      // equal copies of one run are one
      const starts = new Set(runs.map(({ start_utc }) => start_utc))
      const ignored = entries.filter((entry) => entry === null).length
      expect([name, json]).toMatchObject([name, { kind: 'zip', successful: starts.size, errors: 0, ignored }])
      const [run] = (await app.ok('GET', '/workouts')).items
      expect(run.startedAt).toBe(runs[0]!.start_utc)
      expect(run.distanceM).toBeWithin(runs[0]!.distance_m * 0.99, runs[0]!.distance_m * 1.01)
      expect((await app.upload(PATH, [sent])).json).toMatchObject({ successful: 0, skipped: runs.length })
    }
  })

  /** The only run of a sample of Apple Health, as the phone packs it. */
  async function appleRun(app: TestApp, folder: string, counts: object) {
    const { json } = await app.upload(PATH, [zipOf(`archives/apple-health/${folder}`, /\.(xml|gpx)$/)])
    expect(json).toMatchObject({ kind: 'apple_health', successful: 1, errors: 0, ...counts })
    const { warnings } = await app.ok('GET', `/receipts/${json.receiptId}`)
    const [{ id }] = (await app.ok('GET', '/workouts')).items
    return { warnings, run: await app.ok('GET', `/workouts/${id}`) }
  }

  corpusTest('of Apple Health: a walk, a ride and a copy of Strava are not imported', async () => {
    await using app = await testApp()
    const counts = { totalProcessed: 2, skipped: 1, skippedOther: 2, skippedSports: { ride: 1, walk: 1 }, warnings: [] }
    const { run } = await appleRun(app, 'brtkwr', counts)
    expect(run).toMatchObject({
      ...{ startedAt: '2024-01-15T10:00:00Z', distanceM: 5200, durationS: 1950, timerTimeS: 1950, calories: 425 },
      ...{ avgHeartRateBpm: 163, minHeartRateBpm: 125, maxHeartRateBpm: 185, utcOffsetMinutes: 0 },
      weather: { source: 'apple_health', temperature: 12, humidity: 65 },
    })
  })

  corpusTest('of an older Apple Health: miles, and the route of another day is not that of the run', async () => {
    await using app = await testApp()
    const { run, warnings } = await appleRun(app, 'dogsheep', {})
    expect(warnings[0].message).toBe(
      'workout-routes/route_2019-06-11_3.00pm.gpx was recorded at another time and is not the route of this run',
    )
    // the phone exported in summer, so that the time as written is an hour off
    expect(run).toMatchObject({
      ...{ startedAt: '2016-11-14T14:25:41Z', utcOffsetMinutes: -480, device: 'Apple Watch', hasRoute: false },
      ...{ distanceM: expect.closeTo(800.13, 1), weather: { temperature: 13.3, humidity: 96 } },
    })
    expect(run.timerTimeS ?? run.durationS).toBe(311)
  })
})
