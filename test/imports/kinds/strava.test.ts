import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Event } from '../../../src/base/events.ts'
import { RECORDING_NAMES } from '../../../src/formats/registry.ts'
import { rawFilePath } from '../../../src/library/files/paths.ts'
import { type TestApp, testApp } from '../../app.ts'
import { corpusFile, corpusTest } from '../../corpus.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { isoMedia, jpeg, png } from '../../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../../fixtures/tcx.ts'
import { watched } from '../../fixtures/worker.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'
import { refuse } from '../../library/as-stored.ts'
import { firstRecording } from '../../library/recordings.ts'

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
      // read longest, and told first
      row(3, { Filename: 'activities/3.gpx' }),
      row(1, FILE),
      row(2, { Filename: 'activities/2.fit', 'Activity Name': '', 'Activity Date': 'some day' }),
      row(1, { Filename: 'activities.csv' }),
    ],
    { 'activities/3.gpx': '<gpx></gpx>' },
  )
  const error = 'The file is missing from the ZIP archive'
  const third = { name: 'Run 3', startedAt: '2025-11-03T07:00:00Z' }
  expect(answer.errorDetails).toEqual([
    { filename: 'activities/3.gpx', error: 'GPX has no track points with times', ...third },
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

// tables as spreadsheets leave them

const TITLES = 'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,Media'.split(',')
const CELLS = ['1', '12.07.2016 17:13:58', 'Evening; with, "both"', 'Run', '600', '1,8', '', 'media/a.jpg']

function table(separator: string, lineEnd: string): string {
  const quoted = (cell: string) => (/["\s;,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return [TITLES, CELLS].map((cells) => cells.map(quoted).join(separator) + lineEnd).join('')
}

describe('an activities.csv', () => {
  test.each([
    ['commas', ',', '\n'],
    ['semicolons, as a spreadsheet of many countries saves it', ';', '\r\n'],
    ['tabs', '\t', '\r'],
  ])('with %s, and captions likewise', async (_, separator, lineEnd) => {
    await using app = await testApp()
    const captions = `Media Filename${separator}Media Caption${lineEnd}media/a.jpg${separator}"Line 1${lineEnd}line 2"${lineEnd}`
    const csv = `\ufeff${table(separator, lineEnd)}`
    const zip = zipUpload({ 'activities.csv': csv, 'media.csv': captions, 'media/a.jpg': jpeg(99) })
    const { json } = await app.upload('/workouts/import/bulk', [zip])
    expect(json).toMatchObject({ successful: 1, errors: 0, mediaImported: 1, warnings: [] })
    const [run] = (await app.call('GET', '/workouts')).json.items
    expect(run).toMatchObject({ name: CELLS[2], startedAt: '2016-07-12T17:13:58Z', durationS: 600, distanceM: 1800 })
    const [photo] = (await app.call('GET', `/workouts/${run.id}/media`)).json
    expect(photo.caption).toBe(`Line 1${lineEnd}line 2`)

    await using alone = await testApp()
    const bytes = table(separator, lineEnd)
    const single = (await alone.upload('/workouts/import', [{ name: 'activities.csv', bytes }])).json
    expect(single).toMatchObject({ action: 'created', startedAt: '2016-07-12T17:13:58Z', distanceM: 1800 })
  })
})

// photos and videos

type Files = Readonly<Record<string, Uint8Array | string>>

/** One run with the media of a cell. */
const withMedia = (app: TestApp, media: string, files: Files) =>
  bulk(app, [row(1, { ...FILE, Media: media })], { 'activities/1.fit': fitRun(), ...files })

async function mediaOf(app: TestApp) {
  const { items } = (await app.call('GET', '/workouts')).json
  return (await app.call('GET', `/workouts/${items[0].id}/media`)).json
}

const photos = { 'media/a.jpg': jpeg(400_000), 'media/b.png': png(), 'media/c.mp4': isoMedia('isom') }

test('photos and videos of a row are stored with the captions of media.csv, byte for byte', async () => {
  await using app = await testApp()
  const captions = 'Media Filename,Media Caption\nmedia/a.jpg,"At the top, ""finally"""\nmedia/b.png,\n'
  const answer = await withMedia(app, 'media/a.jpg|media/b.png|media/c.mp4', { ...photos, 'media.csv': captions })
  expect(answer).toMatchObject({ successful: 1, mediaImported: 3, warnings: [] })
  const stored = await mediaOf(app)
  expect(stored).toMatchObject([
    { filename: 'a.jpg', mimeType: 'image/jpeg', fileSizeBytes: 400_000, caption: 'At the top, "finally"' },
    { filename: 'b.png', mimeType: 'image/png', caption: null },
    { filename: 'c.mp4', mimeType: 'video/mp4', caption: null },
  ])
  const path = `${app.deps.config.dataDir}/files/media/${stored[0].id}`
  expect(Buffer.compare(readFileSync(path), photos['media/a.jpg'])).toBe(0)
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

test('what cannot be taken over is a warning and costs neither run nor other files', async () => {
  await using app = await testApp({ env: { MEDIA_MAX_FILE_BYTES: '300000' } })
  const names = ['a.jpg', 'gone.jpg', 'text.jpg', 'page.html', 'b.png', 'empty.png']
  const cell = names.map((name) => `media/${name}`).join('|')
  const files = { ...photos, 'media/text.jpg': 'no photo at all', 'media/page.html': '<p>', 'media/empty.png': '' }
  const answer = await withMedia(app, cell, files)
  expect(answer).toMatchObject({ successful: 1, errors: 0, mediaImported: 1 })
  expect(answer.warnings).toEqual([
    { filename: 'media/a.jpg', message: expect.stringContaining('300000') },
    { filename: 'media/gone.jpg', message: 'The file is missing from the ZIP archive' },
    { filename: 'media/text.jpg', message: expect.stringContaining('not an image') },
    { filename: 'media/page.html', message: expect.stringContaining('must end in') },
    { filename: 'media/empty.png', message: 'The file is empty' },
  ])
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

test('a skipped duplicate gets the files it lacks: not those of the same name and size', async () => {
  await using app = await testApp()
  await withMedia(app, 'media/a.jpg', photos)
  const other = { ...photos, 'media/new/a.jpg': jpeg(500) }
  // commas divide as well
  const answer = await withMedia(app, 'media/a.jpg, media/b.png|media/new/a.jpg', other)
  expect(answer).toMatchObject({ successful: 0, skipped: 1, mediaImported: 2, warnings: [] })
  expect(await mediaOf(app)).toMatchObject([
    { filename: 'a.jpg', fileSizeBytes: 400_000 },
    { filename: 'b.png', fileSizeBytes: png().length },
    { filename: 'a.jpg', fileSizeBytes: 500 },
  ])
  expect(await withMedia(app, 'media/a.jpg|media/b.png|media/new/a.jpg', other)).toMatchObject({ mediaImported: 0 })
})

const ENCRYPTED = 1

function filesOf(app: TestApp): string[] {
  const { dataDir } = app.deps.config
  return ['tmp', 'files/raw', 'files/media'].flatMap((folder) =>
    existsSync(`${dataDir}/${folder}`) ? readdirSync(`${dataDir}/${folder}`) : [],
  )
}

describe('refused before anything is stored', () => {
  const file = { 'activities/1.fit': fitRun() }
  const good = stravaCsv([row(1, FILE)])
  const zipped = (csv: Uint8Array | string) => zipUpload({ ...file, 'activities.csv': csv })
  const raw = (...entries: Parameters<typeof buildZip>[0]) => ({
    name: 'export.zip',
    bytes: new Uint8Array(buildZip([{ name: 'activities/1.fit', data: fitRun(), method: 8 }, ...entries])),
  })
  const brokenOff = `${new TextDecoder().decode(good)}2,"Nov 2, 2025`
  const large = Array.from({ length: 6 }, (_, k) => ({
    ...{ name: `activities/${k + 2}.gpx`, data: new Uint8Array(4_000_000), method: 8, claims: { size: 0xf0000000 } },
  }))
  const of = (bytes: Uint8Array | string, name = 'export.zip') => ({ name, bytes })
  const table = (entry: object) => raw({ name: 'activities.csv', data: good, method: 8, ...entry })
  test.each<[string, { name: string; bytes: Uint8Array | string }[], RegExp, Record<string, string>?]>([
    ['a form without a file', [], /no file/],
    ['a file that is no ZIP', [of('<html></html>')], /ZIP/],
    ['a ZIP that is cut', [of(zipped(good).bytes.slice(0, -30))], /ZIP/],
    ['a ZIP without a table', [zipUpload(file)], /activities\.csv/],
    ['two exports in one', [zipUpload({ 'a/activities.csv': good, 'b/activities.csv': good })], /several/],
    ['a table that breaks off behind good rows', [zipped(brokenOff)], /cut off|quote/],
    ['an encrypted table', [table({ method: 0, flags: ENCRYPTED })], /encrypted/],
    ['more than 20 GiB unpacked', [raw({ name: 'activities.csv', data: good, method: 8 }, ...large)], /20 GiB/],
  ])('%s', async (_, files, error, fields = {}) => {
    await using app = await testApp()
    const heard: unknown[] = []
    app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
    const { status, json, text } = await app.upload('/workouts/import/bulk', files, fields)
    expect([status, json], text).toEqual([400, expect.objectContaining({ error: expect.stringMatching(error) })])
    expect(json.error).not.toMatch(/[\\/]|\.$/)
    expect((await app.ok('GET', '/workouts')).totalCount).toBe(0)
    expect(filesOf(app)).toEqual([])
    expect(heard).toEqual([{ event: 'import.done', data: { kind: 'bulk', error: json.error } }])
  })
})

describe('names that lead out of the ZIP', () => {
  test.each([
    ...['../../../../etc/hostname', '/etc/hostname', 'C:\\windows\\run.fit', 'activities\\..\\..\\run.fit'],
    'activities/../../run.fit',
  ])('Filename %s is the one error of its row', async (name) => {
    await using app = await testApp()
    const rows = [row(1, { Filename: name, Media: 'media/1.jpg' }), row(1, { ...FILE, Media: name })]
    const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/1.fit': fitRun(), 'run.fit': fitRun() })
    const { status, json } = await app.upload('/workouts/import/bulk', [zip])
    const leads = 'The name in activities.csv is outside the ZIP archive'
    const stated = { errorDetails: [{ filename: name, error: leads }], warnings: [{ filename: name, message: leads }] }
    const counts = { totalProcessed: 2, successful: 1, errors: 1, mediaImported: 0 }
    expect([status, json]).toMatchObject([200, { ...counts, ...stated }])
  })

  corpusTest('an archive full of such names writes nothing outside and is one error', async () => {
    await using app = await testApp()
    const bytes = corpusFile('bad/zip-slip.zip')
    const before = readdirSync('/tmp').filter((name) => name.startsWith('evil'))
    const { status, json } = await app.upload('/workouts/import/bulk', [{ name: 'export.zip', bytes }])
    expect(status).toBe(200)
    expect(json).toMatchObject({ totalProcessed: 1, successful: 0, errors: 1, mediaImported: 0 })
    expect(readdirSync('/tmp').filter((name) => name.startsWith('evil'))).toEqual(before)
    expect(filesOf(app)).toEqual([])
  })
})

describe('bombs and damage are the error of their row, the others are stored', () => {
  const rows = (name: string) => stravaCsv([name, 'activities/1.fit'].map((one) => row(1, { Filename: one })))
  const zeros = new Uint8Array(101 * 1024 * 1024)
  test.each<[string, string, { data: Uint8Array; flags?: number; claims?: object }, RegExp]>([
    ['zeros named GPX', 'bomb.gpx', { data: zeros }, /1000 times/],
    ['a damaged file', '2.fit', { data: fitRun(), claims: { crc: 7 } }, /damaged/],
  ])('%s', async (_, name, entry, error) => {
    await using app = await testApp()
    const bytes = buildZip([
      { name: 'activities.csv', data: rows(`activities/${name}`), method: 8 },
      { name: `activities/${name}`, method: 8, ...entry },
      { name: 'activities/1.fit', data: fitRun(), method: 8 },
    ])
    const { status, json } = await app.upload('/workouts/import/bulk', [{ name: 'export.zip', bytes }])
    expect([status, json]).toMatchObject([200, { totalProcessed: 2, successful: 1, errors: 1 }])
    expect(json.errorDetails).toMatchObject([{ filename: `activities/${name}`, error: expect.stringMatching(error) }])
    expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  })
})

// what a small upload may cost: work follows what an export holds, not how often it says so

/** Counts the files that are analysed, and does something after each. */
function watchAnalyses(app: TestApp, after: (count: number) => unknown = () => {}): { count: number } {
  const analyses = { count: 0 }
  let ended = 0
  const worker = watched(app.deps.worker, {
    before: (job) => {
      if (job === 'file') analyses.count += 1
    },
    after: (job) => (job === 'file' ? after(++ended) : undefined),
  })
  Object.assign(app.deps, { worker })
  return analyses
}

function exportOf(days: readonly number[], more: readonly Row[] = []) {
  const files = days.map((day) => [`activities/${day}.fit`, fitRun({ startMs: START_MS - day * DAY_MS })])
  const rows = days.map((day) => row(day, { Filename: `activities/${day}.fit` }))
  return zipUpload({ 'activities.csv': stravaCsv([...rows, ...more]), ...Object.fromEntries(files) })
}

test('a thousand rows that name one entry, in whatever spelling, analyse it once', async () => {
  await using app = await testApp()
  const analyses = watchAnalyses(app)
  const rows = Array.from({ length: 1000 }, (_, k) => row(k, k % 2 === 0 ? FILE : { Filename: './activities//1.fit' }))
  const json = await bulk(app, rows, { 'activities/1.fit': fitRun() })
  expect(json).toMatchObject({ totalProcessed: 1000, successful: 1, skipped: 999, updated: 0, errors: 0 })
  expect(analyses.count).toBe(1)
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

test('a thousand rows that name one bad entry unpack and refuse it once', async () => {
  await using app = await testApp()
  const analyses = watchAnalyses(app)
  const rows = Array.from({ length: 1000 }, (_, k) => row(k, { Filename: 'activities/1.gpx' }))
  const json = await bulk(app, rows, { 'activities/1.gpx': '<gpx></gpx>' })
  expect(json).toMatchObject({ totalProcessed: 1000, successful: 0, skipped: 999, errors: 1 })
  const error = 'GPX has no track points with times'
  expect(json.errorDetails).toEqual([{ filename: 'activities/1.gpx', error, name: 'Run 0', startedAt: null }])
  expect(analyses.count).toBe(1)
})

test('a client that goes away ends its export at the next run; what is stored stays, and the end is announced', async () => {
  await using app = await testApp()
  const heard: Event[] = []
  app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
  const leaving = new AbortController()
  const analyses = watchAnalyses(app, (count) => {
    if (count === 5) leaving.abort()
  })
  const days = Array.from({ length: 30 }, (_, k) => k + 1)
  const form = new FormData()
  const { name, bytes } = exportOf(days)
  form.append('file', new File([bytes], name))
  const headers = { authorization: `Bearer ${app.token}` }
  const init = { method: 'POST', body: form, headers, signal: leaving.signal }
  await app.handle(new Request('http://localhost/workouts/import/bulk', init))
  const { totalCount } = (await app.call('GET', '/workouts')).json
  // what is analysed ahead of the row at hand may be done
  expect(analyses.count).toBeLessThan(12)
  expect(totalCount).toBeLessThanOrEqual(analyses.count)
  expect(totalCount).toBeGreaterThan(0)
  expect(heard.at(-1)).toEqual({
    event: 'import.done',
    data: {
      ...{ kind: 'bulk', successful: totalCount, skipped: 0, updated: 0, errors: 0 },
      stopped: 'The client disconnected; the rest of the export was not imported',
    },
  })
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  // the same export completes it
  const again = await app.upload('/workouts/import/bulk', [exportOf(days)])
  expect(again.json).toMatchObject({ totalProcessed: 30, successful: 30 - totalCount, skipped: totalCount })
})
