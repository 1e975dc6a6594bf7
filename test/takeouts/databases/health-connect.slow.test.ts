import { expect, test } from 'bun:test'
import { PARTS } from '../../../src/formats/health-connect/parts.ts'
import { testApp } from '../../app.ts'
import { HealthConnectDb, NOT_GIVEN } from '../../db/databases.ts'
import { type KnownRun, knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectExport, PATH } from '../services/expect-export.ts'
import { expectDamageReported } from './damaged.ts'

const [RUN, SECOND, THIRD] = knownRuns(3, 600) as [KnownRun, KnownRun, KnownRun]
const MIN = 60_000

/** What is uploaded of a database: the ZIP of the phone. */
function zipOf(database: HealthConnectDb) {
  return zipUpload({ 'health_connect_export.db': database.bytes() })
}

/** The runs of a database, as they are stored. */
async function imported(database: HealthConnectDb, isBare = false) {
  const app = await testApp()
  const file = isBare ? { name: 'export.bin', bytes: database.bytes() } : zipOf(database)
  const { status, json } = await app.upload(PATH, [file])
  expect(status).toBe(200)
  const { items } = await app.ok('GET', '/workouts')
  const runs = await Promise.all(items.map(({ id }: { id: string }) => app.ok('GET', `/workouts/${id}`)))
  return { app, json, runs, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('a backup with 400 runs, a quarter of them indoors, is imported and undone', async () => {
  const runs = knownRuns(400)
  const database = new HealthConnectDb()
  database.runs(runs, ({ number }) => ({ isIndoor: number % 4 === 3 }))
  for (const [type, title] of [
    [4, null],
    [49, null],
    [49, null],
    [57, 'Evening'],
  ] as const) {
    database.record('exercise_session_record_table', 1e12, 1e12 + MIN, { exercise_type: type, title })
  }
  database.record('exercise_session_record_table', 1e12, 1e12 + MIN, { exercise_type: 33, end_time: null })
  const truth = { runs, skippedSports: { ride: 1, swim: 2, yoga: 1 }, errors: ['exercise_session_record_table'] }
  await expectExport(zipOf(database), { kind: 'health_connect', ...truth })
}, 120_000)

test('a run has its words, laps, pauses, effort and device; the original is a ZIP that is read again', async () => {
  const database = new HealthConnectDb()
  const session = database.run(RUN, { notes: 'Wind', session_rate_of_perceived_exertion: 7 })
  const half = RUN.startMs + 5 * MIN
  for (const [from, to, length] of [
    [RUN.startMs, half, 5 * 60 * RUN.speedMps],
    [half, RUN.startMs + 10 * MIN, NOT_GIVEN],
  ] as const) {
    const lap = { lap_start_time: from, lap_end_time: to, lap_length: length }
    database.insert('exercise_laps_table', { parent_key: session, ...lap })
  }
  for (const [type, from] of [
    [67, half],
    [16, RUN.startMs],
  ] as const) {
    const segment = { segment_start_time: from, segment_end_time: from + MIN, segment_type: type, repetitions_count: 0 }
    database.insert('exercise_segments_table', { parent_key: session, ...segment })
  }
  database.insert('exercise_route_table', {
    ...{ parent_key: session, timestamp_millis: RUN.startMs + 500, latitude: 48, longitude: 8, altitude: 0 },
    ...{ horizontal_accuracy: 900, vertical_accuracy: 1 },
  })
  await using result = await imported(database)
  const { app, runs } = result
  expect(runs).toHaveLength(1)
  expect(runs[0]).toMatchObject({ name: 'Run 0', notes: 'Wind', rpe: 7, durationS: 600, timerTimeS: 540, calories: 50 })
  expect(runs[0]).toMatchObject({ avgHeartRateBpm: 120, hasRoute: true, device: 'Google Pixel Watch 3' })
  expect(Math.abs(runs[0].distanceM / (540 * RUN.speedMps) - 1)).toBeLessThan(0.003)
  const { recordings } = await app.ok('GET', `/workouts/${runs[0].id}/sources`)
  expect(recordings[0]).toMatchObject({
    origin: 'health_connect',
    fileType: 'zip',
    filename: expect.stringMatching(/^run_/),
  })
  const laps = await app.ok('GET', `/workouts/${runs[0].id}/laps`)
  expect(laps.map((lap: { startElapsedS: number }) => lap.startElapsedS)).toEqual([0, 300])
})

test('without a route the distance is that of the app of the session; cadence counts one foot', async () => {
  const database = new HealthConnectDb()
  database.run(RUN, { isIndoor: true })
  database.record('distance_record_table', RUN.startMs, RUN.startMs + 10 * MIN, { distance: 5000, app_info_id: 2 })
  const cadence = database.record('StepsCadenceRecordTable', RUN.startMs, RUN.startMs + 10 * MIN, {})
  for (let t = 0; t <= 600; t += 1) {
    const value = { rate: 172, epoch_millis: RUN.startMs + t * 1000 }
    database.insert('steps_cadence_record_table', { parent_key: cadence, ...value })
  }
  await using result = await imported(database, true)
  expect(result.json).toMatchObject({ kind: 'health_connect', successful: 1, warnings: [] })
  expect(result.runs[0]).toMatchObject({ distanceM: 600 * RUN.speedMps, hasRoute: false, avgCadenceSpm: 172 })
})

test('the number of the library for apps is a run where the title says so, and a wheelchair otherwise', async () => {
  const database = new HealthConnectDb()
  database.run(RUN, { exercise_type: 56, title: 'Morning Run' })
  database.run(SECOND, { exercise_type: 56, title: 'Morning' })
  database.run(THIRD, { exercise_type: 56, title: null })
  await using result = await imported(database)
  expect(result.json).toMatchObject({ successful: 1, skippedSports: { other: 2 } })
})

test('tables and columns that are missing cost only their data', async () => {
  const database = new HealthConnectDb()
  database.run(RUN)
  database.drop(/exercise_(session|route)|android/, [
    ...['title', 'notes', 'session_rate_of_perceived_exertion', 'app_info_id', 'local_date_time_start_time'],
    'start_zone_offset',
  ])
  await using result = await imported(database)
  expect(result.json).toMatchObject({ successful: 1, warnings: [] })
  expect(result.runs[0]).toMatchObject({ hasRoute: true, avgHeartRateBpm: null, durationS: 600 })
})

test('cut or damaged it is refused, or keeps what is whole', async () => {
  const database = new HealthConnectDb()
  for (const run of knownRuns(10, 30)) {
    const { startMs, seconds, speedMps } = run
    database.run(run, { notes: 'x'.repeat(900) })
    // counts where there is no route
    database.record('distance_record_table', startMs, startMs + seconds * 1000, { distance: seconds * speedMps })
  }
  const table = 'exercise_session_record_table'
  const read = [table, ...Object.values(PARTS).map((part) => part.table)]
  await expectDamageReported({ database, runs: 10, table, read })
}, 300_000)

test('of an interval that lies partly within the run only that share counts', async () => {
  const database = new HealthConnectDb()
  const { startMs } = RUN
  database.record('exercise_session_record_table', startMs, startMs + 10 * MIN, { exercise_type: 34 })
  database.record('distance_record_table', startMs - 4 * MIN, startMs + 6 * MIN, { distance: 1000 })
  database.record('distance_record_table', startMs + 6 * MIN, startMs + 10 * MIN, { distance: 500 })
  database.record('active_calories_burned_record_table', startMs, startMs + 20 * MIN, { energy: 90_000 })
  await using result = await imported(database)
  expect(result.runs[0]).toMatchObject({ distanceM: 1100, calories: 45 })
})

test('more sessions than are read are refused, also those without times', async () => {
  const database = new HealthConnectDb()
  database.sessions(50_001)
  await using app = await testApp()
  const { status, json } = await app.upload(PATH, [zipOf(database)])
  expect([status, json.error]).toEqual([400, 'The backup has more than 50000 workouts'])
})

test('a later backup brings only the runs that are new, although other tables of known ones have grown', async () => {
  const database = new HealthConnectDb()
  database.run(SECOND)
  await using app = await testApp()
  expect((await app.upload(PATH, [zipOf(database)])).json).toMatchObject({ successful: 1 })
  database.record('active_calories_burned_record_table', SECOND.startMs, SECOND.startMs + MIN, { energy: 900 })
  database.run(RUN)
  const { json } = await app.upload(PATH, [zipOf(database)])
  expect(json).toMatchObject({ successful: 1, skipped: 1, updated: 0, errors: 0 })
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(2)
})

test('a backup without workouts is refused as one; in a ZIP of runs a damaged database is not looked at', async () => {
  await using app = await testApp()
  const { status, json } = await app.upload(PATH, [zipOf(new HealthConnectDb())])
  expect([status, json.error]).toEqual([400, 'The Health Connect backup has no workouts, only other health data'])
  const mixed = zipUpload({ 'a.db': new HealthConnectDb().bytes().slice(0, 5000), 'b.gpx': '<gpx/>' })
  expect((await app.upload(PATH, [mixed])).json).toMatchObject({ kind: 'zip', errors: 1 })
})
