import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { RECORDING_NAMES } from '../../../../src/formats/registry.ts'
import { rawFilePath } from '../../../../src/library/files/paths.ts'
import { type TestApp, testApp } from '../../../app.ts'
import { stravaCsv } from '../../../fixtures/csv.ts'
import { fitFile } from '../../../fixtures/fit.ts'
import { fitRun, gpxRun, START_MS } from '../../../fixtures/runs.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../../../fixtures/tcx.ts'
import { refuse } from '../../../library/as-stored.ts'
import { firstRecording } from '../../../library/recordings.ts'

type Row = Readonly<Record<string, string | number>>

const DAY_MS = 86_400_000
const NOTHING = {
  ...{ totalProcessed: 0, successful: 0, skipped: 0, updated: 0, errors: 0, errorDetails: [], skippedOther: 0 },
  ...{ receiptId: expect.any(String), mediaImported: 0, warnings: [] },
}

/** A Run row of a day of November 2025 at 07:00:00. */
function row(day: number, more: Row = {}): Row {
  const when = { 'Activity ID': day, 'Activity Date': `Nov ${day}, 2025, 7:00:00 AM` }
  return { ...when, 'Activity Name': `Run ${day}`, 'Activity Type': 'Run', ...more }
}

const FILE = { Filename: 'activities/1.fit' }
const TOTALS = { 'Elapsed Time#2': 600, 'Distance#2': 1800 }
/** What the run of the first row is known by. */
const FIRST = { name: 'Run 1', startedAt: '2025-11-01T07:00:00Z' }

async function bulk(app: TestApp, rows: readonly Row[], files: Record<string, Uint8Array | string>, fields = {}) {
  const zip = zipUpload({ 'activities.csv': stravaCsv(rows), ...files })
  const { status, json, text } = await app.upload('/workouts/import/bulk', [zip], fields)
  expect(status, text).toBe(200)
  return json
}

/** The only workout, whole. */
async function only(app: TestApp) {
  const { items } = (await app.call('GET', '/workouts')).json
  expect(items).toHaveLength(1)
  return (await app.call('GET', `/workouts/${items[0].id}`)).json
}

const runAt = (day: number, more = {}) => fitRun({ startMs: START_MS + (day - 1) * DAY_MS, ...more })

test('runs of every format, compressed or not, and of none are stored; other sports are counted', async () => {
  await using app = await testApp()
  const answer = await bulk(
    app,
    [
      row(1, FILE),
      row(2, { Filename: 'activities/2.fit.gz' }),
      row(3, { Filename: 'activities/3.gpx' }),
      row(4, { Filename: 'activities/4.tcx.gz' }),
      row(5, TOTALS),
      row(6, { 'Activity Type': 'Trail Run', Filename: 'activities/6.fit' }),
      row(7, { 'Activity Type': 'Virtual Run', Filename: 'activities/7.fit' }),
      row(8, { 'Activity Type': 'rUN', Filename: 'activities/8.fit' }),
    ],
    {
      'activities/1.fit': runAt(1),
      'activities/2.fit.gz': gzipSync(runAt(2)),
      'activities/3.gpx': gpxRun({ startMs: START_MS + 2 * DAY_MS }),
      'activities/4.tcx.gz': gzipSync(tcxFile([steadyTcx({ n: 601, startMs: START_MS + 3 * DAY_MS })])),
      'activities/8.fit': runAt(8),
    },
  )
  expect(answer).toEqual({ ...NOTHING, totalProcessed: 6, successful: 6, skippedOther: 2, skippedSports: { other: 2 } })
  const rows: { id: string; name: string; source: string }[] = (await app.ok('GET', '/workouts?sortOrder=asc')).items
  expect(rows.map(({ name, source }) => `${name} ${source}`)).toEqual(
    [1, 2, 3, 4, 5, 8].map((day) => `Run ${day} strava_import`),
  )
  const files = rows.map(({ id }) => firstRecording(app.deps, id))
  expect(files.map(({ fileName, fileType }) => [fileName, fileType])).toEqual([
    ['1.fit', 'fit'],
    ['2.fit.gz', 'fit'],
    ['3.gpx', 'gpx'],
    ['4.tcx.gz', 'tcx'],
    [null, null],
    ['8.fit', 'fit'],
  ])
  const [first] = rows
  expect(Buffer.compare(readFileSync(rawFilePath(app.deps.config.dataDir, first!.id)), runAt(1))).toBe(0)
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

const bare = Array.from({ length: 601 }, (_, t) => ({ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3 }))
const samples = bare.map((sample) => ({ ...sample, hr: 140 }))
const air = { condition: 0, temperatureC: 20, humidity: 50 }
const full = (session = {}) => fitFile({ startMs: START_MS, samples, weather: air, workoutName: 'Tempo', session })

/** Cells beside those of a run, its file, and what the run is. */
const PAIRS: Readonly<Record<string, readonly [cells: Row, file: Uint8Array, run: object]>> = {
  'what the runner wrote comes from the row, what was measured from the file': [
    {
      ...{ 'Activity Name': 'Morning', 'Activity Description': 'felt good', 'Activity Private Note': 'knee ok' },
      ...{ 'Perceived Exertion': '7.0', 'Long Run': '1.0', 'Activity Date': 'Jan 1, 2001, 7:00:00 AM' },
      ...{ 'Elapsed Time#2': 9999, 'Distance#2': 99_999, 'Average Heart Rate': 99, 'Max Heart Rate#2': 199 },
      'Moving Time': 5,
    },
    full(),
    {
      ...{ name: 'Morning', notes: 'felt good\n\nknee ok', rpe: 7, runType: 'Long Run', source: 'strava_import' },
      ...{ startedAt: '2025-11-01T07:00:00Z', durationS: 600, distanceM: 1800, movingTimeS: 600, avgHeartRateBpm: 140 },
      ...{ maxHeartRateBpm: 140, rawGpxData: null, rawFitData: { source: 'fit_import', recordCount: 601 } },
      rawStravaData: { activityId: 1, source: 'strava_import', activityDescription: 'felt good', perceivedExertion: 7 },
    },
  ],
  'what the row leaves blank is taken from the file': [
    { 'Activity Name': '' },
    full({ workoutRpe: 40 }),
    { name: 'Tempo', notes: null, rpe: 4, weather: { source: 'fit_import' } },
  ],
  'the weather of the row goes before that of the file': [
    { 'Weather Temperature': '11.5', Humidity: '0.8' },
    full(),
    { weather: { source: 'strava_import', temperature: 11.5, humidity: 80, weatherCode: null } },
  ],
  'summary columns fill what the file left null, rounded, and nothing else': [
    {
      ...{ 'Moving Time': 1, 'Average Heart Rate': '140.4', 'Max Heart Rate#2': '160.6', 'Average Cadence': '84.6' },
      ...{
        'Max Cadence': 92,
        'Average Watts': '250.2',
        'Max Watts': 400,
        Calories: '101.5',
        'Elevation Gain': '12.34',
      },
      ...{ 'Elevation Loss': '10.06', 'Elevation Low': '-3.21', 'Elevation High': '20.55' },
    },
    fitFile({ startMs: START_MS, samples: bare }),
    {
      ...{ movingTimeS: 600, avgHeartRateBpm: 140, maxHeartRateBpm: 161, minHeartRateBpm: null, avgCadenceRpm: 85 },
      ...{ avgCadenceSpm: 170, maxCadenceRpm: 92, maxCadenceSpm: 184, avgPowerWatts: 250, maxPowerWatts: 400 },
      ...{ calories: 102, elevGainM: 12.3, elevLossM: 10.1, minElevM: -3.2, maxElevM: 20.6 },
      // ten minutes at 140 in zone 3 of age 30 (133 to 152)
      ...{ relativeEffort: 30, hrZoneSeconds: [0, 0, 600, 0, 0] },
    },
  ],
  'the row says that it is a run, whatever sport the file names, and only its first session counts': [
    {},
    fitFile({
      ...{ startMs: START_MS, samples },
      session: [
        { sport: 2, totalDistanceM: 900, totalElapsedS: 300 },
        { sport: 1, startS: 301, totalDistanceM: 900, totalElapsedS: 299 },
      ],
    }),
    { durationS: 300, distanceM: 900 },
  ],
}

test.each(Object.keys(PAIRS))('of a row and its file %s', async (name) => {
  const [cells, bytes, run] = PAIRS[name]!
  await using app = await testApp()
  const answer = await bulk(app, [row(1, { ...cells, Filename: 'activities/1.fit' })], { 'activities/1.fit': bytes })
  expect(answer).toMatchObject({ totalProcessed: 1, successful: 1, skippedOther: 0 })
  expect(await only(app)).toMatchObject(run)
})

test('shoes: a gear name decides, an unknown one leaves none, none gives the default shoe', async () => {
  await using app = await testApp()
  const make = async (model: string) =>
    (await app.call('POST', '/shoes', { json: { brand: 'Brooks', model } })).json.id as string
  const [ghost, glycerin] = [await make('Ghost 7'), await make('Glycerin')]
  await app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: glycerin } })
  const rows = ['BROOKS ghost 7', 'Hoka Clifton', ''].map((gear, k) =>
    row(k + 1, { 'Activity Gear': gear, Filename: `activities/${k + 1}.fit` }),
  )
  const summary = row(4, { 'Activity Gear': 'Brooks Ghost 7', 'Elapsed Time#2': 600, 'Distance#2': 1800, Gear: 17 })
  const files = Object.fromEntries([1, 2, 3].map((day) => [`activities/${day}.fit`, runAt(day)]))
  const { shoesFound } = await bulk(app, [...rows, summary], files)
  expect(shoesFound).toMatchObject([
    { name: 'BROOKS ghost 7', runs: 2, runsWithoutShoe: 0, shoeId: ghost },
    { name: 'Hoka Clifton', runs: 1, runsWithoutShoe: 1, shoeId: null },
  ])
  const { items } = await app.ok('GET', '/workouts?sortOrder=asc')
  expect(items.map(({ shoeId }: { shoeId: string | null }) => shoeId)).toEqual([ghost, null, glycerin, ghost])
})

test('the same run twice in one ZIP, or the same export again, stores it once, cropped or not', async () => {
  await using app = await testApp()
  const rows = [
    ...[row(1, FILE), row(1, FILE), row(1, { Filename: 'activities/copy.fit.gz' })],
    ...[row(1, { 'Elapsed Time#2': 640, 'Distance#2': 1850 }), row(2, TOTALS)],
  ]
  const files = { 'activities/1.fit': runAt(1), 'activities/copy.fit.gz': gzipSync(runAt(1)) }
  expect(await bulk(app, rows, files)).toMatchObject({ totalProcessed: 5, successful: 2, skipped: 3, errors: 0 })
  const stored = async () => await app.ok('GET', '/workouts')
  const before = await stored()
  app.clock.nowMs += DAY_MS
  expect(await bulk(app, rows, files)).toMatchObject({ totalProcessed: 5, successful: 0, skipped: 5, updated: 0 })
  expect(await stored()).toEqual(before)
  const crop = { removeFromStartSeconds: 60, removeFromEndSeconds: 60 }
  expect((await app.ok('POST', `/workouts/${before.items[1].id}/crop`, crop)).durationS).toBe(480)
  expect(await bulk(app, rows.slice(0, 3), files)).toMatchObject({ successful: 0, skipped: 3, updated: 0 })
  expect((await stored()).items[1]).toMatchObject({ id: before.items[1].id, durationS: 480 })
})

test('a stored row without file is completed by the file of the same run', async () => {
  await using app = await testApp()
  await bulk(app, [row(1, { ...TOTALS, 'Activity Name': 'Mine' })], {})
  const { id } = await only(app)
  const answer = await bulk(app, [row(1, FILE)], { 'activities/1.fit': runAt(1) })
  expect(answer).toMatchObject({ totalProcessed: 1, successful: 0, skipped: 0, updated: 1 })
  expect(await only(app)).toMatchObject({ id, name: 'Mine', avgHeartRateBpm: 140 })
})

test('a folder around everything is looked through; an export without a Run row is an empty summary', async () => {
  await using app = await testApp()
  const csv = stravaCsv([row(1, FILE), row(2, { Filename: '../outside.fit' })])
  const zip = zipUpload({
    ...{ 'export_1/activities.csv': csv, 'export_1/activities/1.fit': runAt(1), 'outside.fit': runAt(2) },
    '__MACOSX/export_1/._activities.csv': 'x',
  })
  const { json } = await app.upload('/workouts/import/bulk', [zip])
  expect(json).toMatchObject({ successful: 1, errors: 1, errorDetails: [{ filename: '../outside.fit' }] })
  const other = await bulk(app, [row(1, { 'Activity Type': 'Ride' })], {})
  expect(other).toEqual({ ...NOTHING, skippedOther: 1, skippedSports: { ride: 1 } })
})

test('rows that fail are their own errors, with the name and the time of the run where it has them', async () => {
  await using app = await testApp()
  const answer = await bulk(
    app,
    [
      row(1, FILE),
      row(2, { Filename: 'activities/2.fit', 'Activity Name': '', 'Activity Date': 'some day' }),
      row(1, { Filename: 'activities.csv' }),
    ],
    {},
  )
  const error = 'The file is missing from the ZIP archive'
  expect(answer.errorDetails).toEqual([
    { filename: 'activities/1.fit', error, ...FIRST },
    { filename: 'activities/2.fit', error, name: null, startedAt: null },
    { filename: 'activities.csv', error: `This file is not a ${RECORDING_NAMES} workout`, ...FIRST },
  ])
  refuse(app.deps, ['INSERT', 'workout_split'])
  const refused = await bulk(app, [row(1, FILE)], { 'activities/1.fit': runAt(1) })
  const unstored = 'The workout could not be stored'
  expect(refused.errorDetails).toEqual([{ filename: 'activities/1.fit', error: unstored, ...FIRST }])
  for (const left of ['files/raw', 'tmp']) expect(readdirSync(`${app.deps.config.dataDir}/${left}`)).toEqual([])
})
