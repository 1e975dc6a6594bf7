import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { HealthConnectDb, NOT_GIVEN, WorkoutTrackerDb } from '../../db/databases.ts'
import { type KnownRun, knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { imported, PATH } from './exports.ts'

type Five = [KnownRun, KnownRun, KnownRun, KnownRun, KnownRun]
const [LONG, LATER, LAST] = knownRuns(3, 600) as [KnownRun, KnownRun, KnownRun]
const [RUN, SECOND, THIRD, FOURTH, FIFTH] = knownRuns(12).toSpliced(4, 7) as Five
const MIN = 60_000
const { startMs } = LONG
const SESSIONS = 'exercise_session_record_table'

/** What is uploaded of a database: the ZIP of the phone, or the file itself. */
const zipOf = (database: HealthConnectDb) => zipUpload({ 'health_connect_export.db': database.bytes() })
const bare = (database: Pick<HealthConnectDb, 'bytes'>) => ({ name: 'a.db', bytes: database.bytes() })

test('Health Connect: a run has its words, laps, pauses, effort and device', async () => {
  const database = new HealthConnectDb()
  const parent_key = database.run(LONG, { notes: 'Wind', session_rate_of_perceived_exertion: 7 })
  const half = startMs + 5 * MIN
  for (const [from, to, length] of [
    [startMs, half, 5 * 60 * LONG.speedMps],
    [half, startMs + 10 * MIN, NOT_GIVEN],
  ] as const) {
    const lap = { lap_start_time: from, lap_end_time: to, lap_length: length }
    database.insert('exercise_laps_table', { parent_key, ...lap })
  }
  for (const [type, from] of [
    [67, half],
    [16, startMs],
  ] as const) {
    const segment = { segment_start_time: from, segment_end_time: from + MIN, segment_type: type, repetitions_count: 0 }
    database.insert('exercise_segments_table', { parent_key, ...segment })
  }
  database.insert('exercise_route_table', {
    ...{ parent_key, timestamp_millis: startMs + 500, latitude: 48, longitude: 8, altitude: 0 },
    ...{ horizontal_accuracy: 900, vertical_accuracy: 1 },
  })
  const { runs } = await imported(zipOf(database))
  expect(runs).toMatchObject([
    {
      ...{ name: 'Run 0', notes: 'Wind', rpe: 7, durationS: 600, timerTimeS: 540, calories: 50, avgHeartRateBpm: 120 },
      ...{ hasRoute: true, device: 'Google Pixel Watch 3', laps: [{ startElapsedS: 0 }, { startElapsedS: 300 }] },
      recordings: [{ origin: 'health_connect', fileType: 'zip', filename: expect.stringMatching(/^run_/) }],
    },
  ])
  expect(Math.abs(runs[0].distanceM / (540 * LONG.speedMps) - 1)).toBeLessThan(0.003)
})

/** What is put into a database of Health Connect, and what is imported of it. */
const HEALTH_CONNECT: Readonly<
  Record<string, readonly [fill: (database: HealthConnectDb) => unknown, answer: object, run: object]>
> = {
  'without a route the distance is that of the app of the session; cadence counts one foot': [
    (database) => {
      database.run(LONG, { isIndoor: true })
      database.record('distance_record_table', startMs, startMs + 10 * MIN, { distance: 5000, app_info_id: 2 })
      const parent_key = database.record('StepsCadenceRecordTable', startMs, startMs + 10 * MIN, {})
      for (let t = 0; t <= 600; t += 1)
        database.insert('steps_cadence_record_table', { parent_key, rate: 172, epoch_millis: startMs + t * 1000 })
    },
    { kind: 'health_connect', successful: 1, warnings: [] },
    { distanceM: 600 * LONG.speedMps, hasRoute: false, avgCadenceSpm: 172 },
  ],
  'the number of the library for apps is a run where the title says so, and a wheelchair otherwise': [
    (database) => {
      for (const [run, title] of [
        [LONG, 'Morning Run'],
        [LATER, 'Morning'],
        [LAST, null],
      ] as const)
        database.run(run, { exercise_type: 56, title })
    },
    { successful: 1, skippedSports: { other: 2 } },
    { name: 'Morning Run' },
  ],
  'tables and columns that are missing cost only their data': [
    (database) => {
      database.run(LONG)
      database.drop(/exercise_(session|route)|android/, [
        ...['title', 'notes', 'session_rate_of_perceived_exertion', 'app_info_id', 'local_date_time_start_time'],
        'start_zone_offset',
      ])
    },
    { successful: 1, warnings: [] },
    { hasRoute: true, avgHeartRateBpm: null, durationS: 600 },
  ],
  'of an interval that lies partly within the run only that share counts': [
    (database) => {
      database.record(SESSIONS, startMs, startMs + 10 * MIN, { exercise_type: 34 })
      database.record('distance_record_table', startMs - 4 * MIN, startMs + 6 * MIN, { distance: 1000 })
      database.record('distance_record_table', startMs + 6 * MIN, startMs + 10 * MIN, { distance: 500 })
      database.record('active_calories_burned_record_table', startMs, startMs + 20 * MIN, { energy: 90_000 })
    },
    { successful: 1 },
    { distanceM: 1100, calories: 45 },
  ],
}

test.each(Object.keys(HEALTH_CONNECT))('Health Connect: %s', async (name) => {
  const [fill, answer, run] = HEALTH_CONNECT[name]!
  const database = new HealthConnectDb()
  fill(database)
  const { json, runs } = await imported(bare(database))
  expect([json, runs]).toMatchObject([answer, [run]])
})

test('Health Connect: too much, and nothing, is refused; a later backup brings only the runs that are new', async () => {
  await using app = await testApp()
  const database = new HealthConnectDb()
  const refusal = async () => {
    const { status, json } = await app.upload(PATH, [zipOf(database)])
    return [status, json.error]
  }
  expect(await refusal()).toEqual([400, 'The Health Connect backup has no workouts, only other health data'])
  // in a ZIP of runs a damaged database is not looked at
  const mixed = zipUpload({ 'a.db': database.bytes().slice(0, 5000), 'b.gpx': '<gpx/>' })
  expect((await app.upload(PATH, [mixed])).json).toMatchObject({ kind: 'zip', errors: 1 })
  database.run(LATER)
  expect((await app.upload(PATH, [zipOf(database)])).json).toMatchObject({ successful: 1 })
  // although other tables of known ones have grown
  database.record('active_calories_burned_record_table', LATER.startMs, LATER.startMs + MIN, { energy: 900 })
  database.run(LONG)
  const { json } = await app.upload(PATH, [zipOf(database)])
  expect(json).toMatchObject({ successful: 1, skipped: 1, updated: 0, errors: 0 })
  database.sessions(50_000)
  expect(await refusal()).toEqual([400, 'The backup has more than 50000 workouts'])
})

test('workout-tracker: a run has its words and shoe; of several users those of the one with most runs count', async () => {
  const database = new WorkoutTrackerDb()
  const equipment_id = database.insert('equipment', { name: 'Nike Pegasus', user_id: 1 })
  const workout_id = database.run(RUN, { name: 'Lake', notes: 'Wind' })
  database.insert('workout_equipment', { workout_id, equipment_id })
  database.run(SECOND, { type: 'other', custom_type: 'Trail running', name: '1' })
  database.run(THIRD, { type: 'auto' })
  // without a file it is no run
  database.run(FIFTH, { type: 'auto', content: null })
  database.run(FOURTH, { user_id: 2 })
  for (const run of knownRuns(10).slice(4)) database.run(run, { user_id: 2, type: 'cycling' })
  const { json, runs, shoes } = await imported(zipUpload({ 'backup/database.db': database.bytes() }))
  const message =
    'The database has workouts of 2 users; those of the one with most runs were imported, others left out: 7'
  expect(json).toMatchObject({ kind: 'workout_tracker', successful: 3, skippedOther: 1, shoesCreated: 1, errors: 0 })
  expect([json.warnings, shoes]).toMatchObject([[{ message }], { Pegasus: null }])
  expect(runs[0]).toMatchObject({
    ...{ name: 'Lake', hasRoute: true, notes: 'Wind', shoe: 'Pegasus' },
    recordings: [{ origin: 'workout_tracker', fileType: 'gpx', filename: '0.gpx' }],
  })
  // a name that the service took from the name of the file
  expect(runs[1].name).not.toBe('1')
})

test('workout-tracker: equipment that was removed or put aside is a retired shoe if runs wear it, else nothing', async () => {
  const database = new WorkoutTrackerDb()
  const add = (name: string, row = {}) => database.insert('equipment', { name, user_id: 1, ...row })
  const worn = [
    add('Nike Removed', { deleted_at: '2025-03-04 05:06:07+00:00' }),
    add('Nike Aside', { active: 0 }),
    add('Nike Again', { deleted_at: '2024-03-04 05:06:07+00:00' }),
  ]
  add('Nike Nowhere', { deleted_at: '2025-03-04 05:06:07+00:00' })
  // the same model, bought again
  add('nike again')
  // a name without end, and a second pair that was taken off again
  for (const [k, equipment_id] of [...worn, add('x'.repeat(201))].entries())
    database.insert('workout_equipment', { equipment_id, workout_id: database.run(knownRuns(4)[k]!) })
  database.insert('workout_equipment', { workout_id: 1, equipment_id: add('Old'), deleted_at: '2025-01-01 00:00:00' })
  const { json, shoes } = await imported(bare(database))
  expect(json).toMatchObject({ successful: 4, shoesCreated: 3, warnings: [] })
  expect(shoes).toEqual({ Removed: '2025-03-04T05:06:07Z', Aside: '2025-11-20T13:05:11Z', Again: null })
})

test('workout-tracker: a run whose file is too large is imported from totals, with a warning that names it', async () => {
  const database = new WorkoutTrackerDb()
  const large = { content: new Uint8Array(33 * 1_048_576) }
  for (const run of knownRuns(5)) database.run(run, run.number === 3 ? large : {})
  const { json, runs } = await imported(bare(database))
  expect(json).toMatchObject({ successful: 5, errors: 0 })
  expect(json.warnings).toEqual([
    { filename: '3.gpx', message: 'The file of the run is larger than 32 MiB and was left out' },
  ])
  expect(runs.filter(({ hasRoute }) => hasRoute)).toHaveLength(4)
})

test.each([new HealthConnectDb(), new WorkoutTrackerDb()])(
  'a database that is cut or damaged is refused, and nothing of it is imported',
  async (database) => {
    for (const run of knownRuns(10, 30)) database.run(run, { notes: 'x'.repeat(900) })
    const whole = database.bytes()
    await using app = await testApp()
    for (let part = 1; part < 8; part += 1) {
      const bytes = whole.slice(0, Math.floor((whole.length * part) / 8))
      const error = expect.stringMatching(/^The SQLite database is cut off: it has \d+ of \d+ KB$/)
      expect(await app.upload(PATH, [{ name: 'a.db', bytes }])).toMatchObject({ status: 400, json: { error } })
    }
    // the last page is of the table that was filled last
    const bytes = whole.slice()
    bytes.fill(0xff, 4096 * (whole.length / 4096 - 2))
    expect(await app.upload(PATH, [{ name: 'a.db', bytes }])).toMatchObject({
      status: 400,
      json: { error: 'The SQLite database is damaged' },
    })
    expect((await app.ok('GET', '/workouts')).items).toEqual([])
  },
)
