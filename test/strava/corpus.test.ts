// A whole export of real files, real tables of every age and language, and synthetic exports whose truth is known.
import { expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { workouts } from '../../src/db/schema.ts'
import { STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import { rawFilePath } from '../../src/library/files/paths.ts'
import { type TestApp, type TestFile, testApp } from '../app.ts'
import { corpusDir, corpusFile, corpusTest, expectedOf } from '../corpus.ts'
import { firstRecording } from '../fixtures/recordings.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import { syntheticExport } from '../synth.ts'

const LATER_MS = Date.UTC(2026, 10, 1)

async function laterApp(): Promise<TestApp> {
  const app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
  app.clock.nowMs = LATER_MS
  return app
}

async function bulk(app: TestApp, zip: TestFile) {
  const { status, json, text } = await app.upload('/workouts/import/bulk', [zip])
  expect(status, text).toBe(200)
  return json
}

/** The unpacked export of the corpus as a ZIP. */
function corpusExport(): TestFile {
  const folder = join(corpusDir ?? '', 'strava-export')
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map(({ parentPath, name }) => join(parentPath, name))
  return zipUpload(
    Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), new Uint8Array(readFileSync(path))])),
  )
}

/** Workouts by the name Strava's row gave them, whole. */
async function byName(app: TestApp) {
  const { items } = (await app.call('GET', '/workouts?pageSize=100')).json
  const details = await Promise.all(
    items.map(async ({ id }: { id: string }) => (await app.call('GET', `/workouts/${id}`)).json),
  )
  return new Map(details.map((detail) => [detail.name, detail]))
}

corpusTest('the real export: every row as its table and its files say', async () => {
  await using app = await laterApp()
  const shoe = (await app.call('POST', '/shoes', { json: { brand: 'Brooks', model: 'Ghost 7' } })).json
  const answer = await bulk(app, corpusExport())
  const missing = 'The file is missing from the ZIP archive'
  expect(answer).toEqual({
    ...{ totalProcessed: 10, successful: 7, skipped: 1, updated: 0, errors: 2, skippedOther: 3, mediaImported: 1 },
    skippedSports: { ride: 1, swim: 1, walk: 1 },
    receiptId: expect.any(String),
    errorDetails: [
      {
        ...{ filename: 'activities/2223334445.fit.gz', error: 'The gzip file is cut off or damaged' },
        ...{ name: 'Long Run (file damaged)', startedAt: '2018-01-21T09:40:18Z' },
      },
      {
        ...{ filename: 'activities/9999999999.fit.gz', error: missing },
        ...{ name: 'File missing from the ZIP', startedAt: '2018-01-23T07:00:00Z' },
      },
    ],
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
  expect(evening.notes).toBe('Easy, then "fast finish"\n\n2nd paragraph, with comma\n\nknee ok')
  expect(evening).toMatchObject({ hasRoute: true, device: 'StravaGPX Android', rawGpxData: { source: 'gpx_import' } })
  // Strava's own 10.6 m are out of its own altitudes; ours come from the file, so the column fills nothing
  expect(evening.elevGainM).not.toBe(10.6)
  expect((await app.call('GET', `/workouts/${evening.id}/media`)).json).toMatchObject([
    { filename: '3DF8844E-7BE1-4166-B220-156BB13A990B.jpg', mimeType: 'image/jpeg', caption: null },
  ])
  expect(found.get('Lauf am Morgen').notes).toBeNull()
  expect(found.get('Night Run').shoe).toEqual({ id: shoe.id, brand: 'Brooks', model: 'Ghost 7' })
  expect(found.get('Treadmill 🏃, 5K')).toMatchObject({ hasRoute: false, route: null, shoe: null, elevGainM: null })
  expect(found.get('Manual entry without a file')).toMatchObject({ hasRoute: false, splits: [], rawFitData: null })
  const stored = app.deps.db.select().from(workouts).all()
  const night = stored.find(({ name }) => name === 'Night Run')
  const file = firstRecording(app.deps, night!.id)
  expect([file.fileName, file.fileType]).toEqual(['1543210987.fit.gz', 'fit'])
  const raw = readFileSync(rawFilePath(app.deps.config.dataDir, night!.id))
  expect(Buffer.compare(raw, corpusFile('strava-export/activities/1543210987.fit.gz'))).toBe(0)

  const again = await bulk(app, corpusExport())
  const counts = { totalProcessed: 10, successful: 0, skipped: 8, updated: 0, errors: 2 }
  expect(again).toMatchObject({ ...counts, mediaImported: 0 })
  expect(app.deps.db.select().from(workouts).all()).toEqual(stored)
})

const DIALECTS = [
  ...['en-103col', 'en-79col-crlf-excel', 'en-87col-translation_missing', 'en-GB-dates', 'es-103col', 'nl-99col'],
]
const RUN_TYPES = ['Run', 'Carrera', 'Hardloopsessie']

/** A file of a run as its name wants it, each on a day of its own. */
function madeFile(name: string, day: number): Uint8Array {
  const startMs = Date.UTC(2010, 0, 1) + day * 86_400_000
  const plain = name.includes('.fit')
    ? fitRun({ startMs })
    : name.includes('.tcx')
      ? tcxFile([steadyTcx({ n: 601, startMs })])
      : gpxRun({ startMs })
  return name.endsWith('.gz') ? gzipSync(plain) : plain
}

for (const dialect of DIALECTS) {
  corpusTest(`the table ${dialect} imports all its runs`, async () => {
    await using app = await laterApp()
    const name = `csv/strava-activities.${dialect}.csv`
    const expected = expectedOf(name) as { rows: number; types: Record<string, number> }
    const runs = RUN_TYPES.reduce((sum, type) => sum + (expected.types[type] ?? 0), 0)
    const csv = corpusFile(name)
    // found in the text itself, whatever the columns are called
    const files = [...new Set(new TextDecoder().decode(csv).match(/activities\/[\w.]+/g) ?? [])]
    const made = Object.fromEntries(files.map((file, day) => [file, madeFile(file, day)]))
    const answer = await bulk(app, zipUpload({ 'activities.csv': csv, ...made }))
    expect(runs).toBeGreaterThan(0)
    const skippedOther = expected.rows - runs
    expect(answer).toMatchObject({ totalProcessed: runs, errors: 0, successful: runs, skippedOther })
  })
}

corpusTest('a table with German headers, without media and private note, imports all its runs', async () => {
  await using app = await laterApp()
  const header = new TextDecoder().decode(corpusFile('csv/strava-activities.de-92col.header-only.csv')).trim()
  const cells = Array.from({ length: 92 }, () => '')
  const stated = { 0: '17', 1: '"21.07.2026, 15:09:27"', 2: 'Lauf am Mittag', 3: 'Lauf', 5: '1040', 6: '"2,81"' }
  for (const [index, value] of Object.entries(stated)) cells[Number(index)] = value
  const ride = cells.with(3, 'Radfahrt')
  const named = cells.with(12, 'activities/5.fit').with(2, 'Mit Datei')
  const table = [header, cells.join(','), ride.join(','), named.join(',')].join('\n')
  const answer = await bulk(app, zipUpload({ 'activities.csv': table, 'activities/5.fit': fitRun() }))
  expect(answer).toMatchObject({ totalProcessed: 2, successful: 2, skippedOther: 1 })
  const found = await byName(app)
  const noon = { startedAt: '2026-07-21T15:09:27Z', durationS: 1040, distanceM: 2810 }
  expect(found.get('Lauf am Mittag')).toMatchObject(noon)
  expect(found.get('Mit Datei')).toMatchObject({ durationS: 600, distanceM: 1800 })
})

interface MadeActivity {
  readonly filename: string
  readonly name: string
  readonly start_utc: string
  readonly elapsed_s: number
  readonly distance_m: number
  readonly haversine_written_m?: number
  readonly treadmill?: boolean
  readonly hr_samples: number
  readonly outcome: string
  readonly best_efforts_elapsed_s?: Readonly<Record<string, number>> | null
}
interface MadeExport {
  readonly summary: { readonly outcomes: Readonly<Record<string, number>>; readonly imported: number }
  readonly activities: readonly MadeActivity[]
}

corpusTest(
  'a synthetic export: counts, times, distances and best efforts are the true ones, and again changes nothing',
  async () => {
    await using app = await laterApp()
    const { bytes, truth } = syntheticExport<MadeExport>('--runs', '60', '--efforts')
    const { outcomes } = truth.summary
    const count = (pattern: RegExp) =>
      Object.entries(outcomes).reduce((sum, [outcome, n]) => sum + (pattern.test(outcome) ? n : 0), 0)
    const answer = await bulk(app, { name: 'export.zip', bytes })
    const [successful, skipped, errors] = [/^imported|manual entry/, /duplicate/, /^error \(/].map(count)
    expect(answer).toMatchObject({ successful, skipped, errors, skippedOther: count(/type/), updated: 0 })
    const failed = truth.activities.filter(({ outcome }) => outcome.startsWith('error ('))
    const names = (rows: readonly { filename: string }[]) => rows.map(({ filename }) => filename).toSorted()
    expect(names(answer.errorDetails)).toEqual(names(failed))

    const stored = app.deps.db.select().from(workouts).all()
    const efforts = app.deps.db.$client
      .query<{ workout_id: string; distance_index: number; time_ms: number }, []>(
        'SELECT workout_id, distance_index, time_ms FROM workout_best_effort',
      )
      .all()
    let comparedEfforts = 0
    for (const made of truth.activities.filter(({ outcome }) => outcome === 'imported')) {
      // of a run that is there twice either row may come first in the table
      const run = stored.find(({ startedAt }) => startedAt === Date.parse(made.start_utc))
      expect(run?.name?.replace(' (copy)', ''), made.filename).toBe(made.name)
      expect(run?.durationS, made.filename).toBe(made.elapsed_s)
      const isFit = made.filename.includes('.fit')
      const [metres, tolerance] = isFit ? [made.distance_m, 0.001] : [made.haversine_written_m ?? 0, 0.004]
      expect(Math.abs((run?.distanceM ?? 0) / metres - 1), made.filename).toBeLessThanOrEqual(tolerance)
      expect(run?.hasTimeSeriesHr, made.filename).toBe(made.hr_samples > 0)
      expect(run?.routePreview === null, made.filename).toBe(made.treadmill === true)
      if (!made.best_efforts_elapsed_s) continue
      const found = efforts.filter(({ workout_id }) => workout_id === run?.id)
      expect(found, made.filename).toHaveLength(Object.keys(made.best_efforts_elapsed_s).length)
      for (const { distance_index, time_ms } of found) {
        const label = STANDARD_DISTANCES[distance_index]?.label ?? ''
        const seconds = made.best_efforts_elapsed_s[label] ?? Number.NaN
        expect(Math.abs(time_ms / 1000 - seconds), `${made.filename} ${label}`).toBeLessThanOrEqual(0.2)
        comparedEfforts++
      }
    }
    expect(comparedEfforts).toBeGreaterThan(150)

    const again = await bulk(app, { name: 'export.zip', bytes })
    const known = answer.successful + answer.skipped
    expect(again).toMatchObject({ successful: 0, updated: 0, skipped: known, mediaImported: 0 })
    expect(app.deps.db.select().from(workouts).all()).toEqual(stored)
  },
  180_000,
)
