import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, type TestFile, testApp } from '../app.ts'
import { HealthConnectDb, WorkoutTrackerDb } from '../db/databases.ts'
import { appleExport, appleRuns } from '../fixtures/apple-export.ts'
import { healthFile, healthRun } from '../fixtures/health.ts'
import { goldenCheetahFile, nikeActivity } from '../fixtures/json-services.ts'
import { polarExercise, polarSession } from '../fixtures/polar.ts'
import { runkeeperTable } from '../fixtures/runkeeper.ts'
import { runtasticFiles } from '../fixtures/runtastic.ts'
import { endurainRow, endurainStreams, fitTrackeeRow, gpxOf } from '../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../fixtures/service-runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'

export const PATH = '/workouts/import/archive'
export const COUNT = 150
export const RUNS: readonly KnownRun[] = knownRuns(COUNT)
/** Of other sports, or damaged. */
const MORE = knownRuns(COUNT + 6).slice(COUNT)
const [A, B, C, D] = MORE as [KnownRun, KnownRun, KnownRun, KnownRun]
export const third = (rest: number) => RUNS.filter(({ number }) => number % 3 === rest)
const KNOWN = RUNS.map((run) => ({ ...run, metres: run.seconds * run.speedMps }))

export interface Export {
  readonly file: TestFile
  readonly runs: readonly { readonly startMs: number; readonly seconds: number; readonly metres: number; hr?: number }[]
  /** Names of what cannot be read. */
  readonly errors?: readonly string[]
  readonly skippedSports?: Readonly<Record<string, number>>
  readonly ignored?: number
  /** Number of original files; absent: one a run. */
  readonly originals?: number
}

export const zipped = (runs: readonly KnownRun[], fileOf: (run: KnownRun) => readonly [string, string | Uint8Array]) =>
  Object.fromEntries(runs.map(fileOf))
const half = <T extends string | Uint8Array>(content: T) => content.slice(0, 900) as T
const json = (value: unknown) => JSON.stringify(value)

/** Of each service an export with known runs, other sports and damage. */
export const EXPORTS: Readonly<Record<string, () => Export>> = {
  goldencheetah: () => ({
    file: zipUpload({
      ...zipped(RUNS, (run) => [`me/activities/${run.number}.json`, goldenCheetahFile(run)]),
      'me/activities/ride.json': goldenCheetahFile(A, { sport: 'Bike' }),
      'me/activities/nothing.json': goldenCheetahFile(A, { TAGS: {} }),
      'me/activities/broken.json': half(goldenCheetahFile(A)),
      'me/cache/rideDB.json': '{"VERSION":"1"}',
    }),
    ...{ runs: KNOWN, errors: ['me/activities/broken.json'], skippedSports: { ride: 2 }, ignored: 1 },
  }),
  nike: () => ({
    file: zipUpload({
      ...zipped(RUNS, (run) => [`n/${run.number}.json`, json(nikeActivity(run, { hasRoute: run.number % 2 === 0 }))]),
      'n/walk.json': json(nikeActivity(A, { type: 'walk' })),
      'n/broken.json': half(json(nikeActivity(A))),
    }),
    ...{ runs: KNOWN, errors: ['n/broken.json'], skippedSports: { walk: 1 } },
  }),
  health_auto_export: () => {
    const workout = ({ number, startMs, seconds, speedMps, hr }: KnownRun) => {
      const { heartRateData } = healthRun({ startMs, seconds }) as { heartRateData: Record<string, unknown>[] }
      const more = { heartRateData: heartRateData.map((row) => ({ ...row, Min: hr, Avg: hr, Max: hr })) }
      return healthRun({ id: `run-${number}`, startMs, seconds, speedMps, more })
    }
    const file = zipUpload({
      'HealthAutoExport-1.json': healthFile([...RUNS.slice(0, 100).map(workout), healthRun({ name: 'Yoga' })]),
      'HealthAutoExport-2.json': healthFile(RUNS.slice(100).map(workout)),
      'broken.json': half(healthFile([workout(A)])),
      'readme.txt': 'Hello',
    })
    return { file, runs: KNOWN, errors: ['broken.json'], skippedSports: { yoga: 1 }, ignored: 1 }
  },
  polar_flow: () => {
    const session = (run: KnownRun, more = {}) => polarSession([polarExercise(run, more)])
    const file = zipUpload({
      ...zipped(RUNS, (run) => [`polar/training-session-2025-${run.number}.json`, session(run)]),
      'polar/training-session-ride.json': session(A, { sport: 'MOUNTAIN_BIKING' }),
      'polar/training-session-swim.json': session(A, { sport: 'SWIMMING' }),
      'polar/training-session-broken.json': half(session(A)),
      'polar/activity-2025-11-01.json': '{"summary":{}}',
    })
    const errors = ['polar/training-session-broken.json']
    return { file, runs: KNOWN, errors, skippedSports: { ride: 1, swim: 1 }, ignored: 1 }
  },
  runtastic: () => {
    const files = RUNS.map((run) =>
      runtasticFiles(run, { isNew: run.number % 2 === 1, track: run.number % 3 === 0 ? 'gpx' : 'json' }),
    )
    const cut = Object.entries(runtasticFiles(D)).map(([name, content]) => [name, content.slice(0, 90)])
    const file = zipUpload({
      ...Object.assign({}, ...files, runtasticFiles(A, { sport: '22' }), runtasticFiles(B, { sport: '18' })),
      ...{ ...runtasticFiles(C, { sport: '4711' }), ...Object.fromEntries(cut) },
      'Photos/Images-meta-data/ImagesMetaData.json': '{}',
    })
    const skippedSports = { ride: 1, swim: 1, other: 1 }
    return { file, runs: KNOWN, errors: [cut[0]![0] as string], skippedSports, ignored: 1 }
  },
  runkeeper: () => {
    // the table has winter's offset throughout, so those without a file are in winter
    const isSummary = ({ number }: KnownRun) => number % 2 === 1 && number < 6
    const withFile = RUNS.filter((run) => !isSummary(run))
    const gpx = ({ number }: KnownRun) => `${number}.gpx`
    const rows = [
      ...RUNS.map((run) => (isSummary(run) ? { run } : { run, gpx: gpx(run) })),
      ...[
        { run: A, type: 'Cycling' },
        { run: A, type: 'Walking' },
        { run: B, gpx: 'broken.gpx' },
      ],
    ]
    const file = zipUpload({
      'export/cardioActivities.csv': runkeeperTable(rows),
      'export/measurements.csv': 'Date,Type,Value\n',
      'export/broken.gpx': half(gpxOf(A)),
      ...zipped(withFile, (run) => [`export/${gpx(run)}`, gpxOf(run)]),
    })
    return { file, runs: KNOWN, errors: ['export/broken.gpx'], skippedSports: { ride: 1, walk: 1 }, ignored: 1 }
  },
  fittrackee: () => {
    const withFile = RUNS.filter(({ number }) => number % 10 > 0)
    const rows = [
      ...RUNS.map((run) => fitTrackeeRow(run, run.number % 10 > 0 ? { file: `${run.number}.gpx` } : {})),
      ...['Cycling (Transport)', 'Hiking'].map((label) => fitTrackeeRow(A, { sport_label: label })),
      fitTrackeeRow(B, { file: 'broken.gpx' }),
    ]
    const file = zipUpload({
      'user_workouts_data.json': JSON.stringify(rows, null, 4),
      'user_data.json': '{"username":"me"}',
      ...zipped(withFile, (run) => [`workout_files/${run.number}.gpx`, gpxOf(run)]),
      'workout_files/broken.gpx': half(gpxOf(A)),
    })
    const errors = ['workout_files/broken.gpx']
    return { file, runs: KNOWN, errors, skippedSports: { ride: 1, hike: 1 }, ignored: 1, originals: withFile.length }
  },
  endurain: () => {
    const rows = [...RUNS.map((run) => endurainRow(run)), endurainRow(A, { activity_type: 4 }), endurainRow(B)]
    const streams = third(1).flatMap(endurainStreams)
    const broken = `activity_files/${B.number + 1}.gpx`
    const file = zipUpload({
      'counts.json': '{"activities":1}',
      'data/activities_000.json': json(rows.slice(0, 100)),
      'data/activities_001.json': json(rows.slice(100)),
      'data/activity_streams_000.json': json(streams.filter((_, k) => k % 2 === 0)),
      'data/activity_streams_001.json': json(streams.filter((_, k) => k % 2 === 1)),
      'data/user.json': json([{ id: 1 }]),
      ...zipped(third(0), (run) => [`activity_files/${run.number + 1}.gpx`, gpxOf(run)]),
      [broken]: half(gpxOf(B)),
    })
    return { file, runs: KNOWN, errors: [broken], skippedSports: { ride: 1 }, ignored: 2, originals: 100 }
  },
  health_connect: () => {
    const database = new HealthConnectDb()
    const table = 'exercise_session_record_table'
    database.runs(RUNS, ({ number }) => ({ isIndoor: number % 4 === 3 }))
    for (const row of [
      ...[4, 49, 49].map((exercise_type) => ({ exercise_type })),
      ...[
        { exercise_type: 57, title: 'Evening' },
        { exercise_type: 33, end_time: null },
      ],
    ])
      database.record(table, 1e12, 1e12 + 60_000, row)
    const file = zipUpload({ 'health_connect_export.db': database.bytes() })
    return { file, runs: KNOWN, errors: [table], skippedSports: { ride: 1, swim: 2, yoga: 1 } }
  },
  workout_tracker: () => {
    const database = new WorkoutTrackerDb()
    database.runs(RUNS, ({ number }) => (number % 10 === 0 ? { content: null } : {}))
    for (const [k, type] of ['cycling', 'swimming', 'weight-lifting', 'hiking'].entries())
      database.run(MORE[k]!, { type })
    database.run(MORE[4]!, { content: half(gpxOf(A)) })
    database.run(MORE[5]!, { deleted_at: '2025-01-01 00:00:00+00:00' })
    const skippedSports = { ride: 1, swim: 1, strength: 1, hike: 1 }
    // the exporter keeps no heart rate
    const runs = KNOWN.map(({ hr: _, ...run }) => run)
    return { file: { name: 'database.db', bytes: database.bytes() }, runs, errors: [`${COUNT + 4}.gpx`], skippedSports }
  },
  apple_health: () => {
    const runs = appleRuns(COUNT, 100)
    return {
      file: zipUpload(appleExport(runs)),
      runs: runs.map(({ heartRate, ...run }) => ({ ...run, hr: heartRate })),
    }
  },
}

/** Everything that has an import of an export: its runs, a second import that creates nothing, and an undo. */
export async function expectExport(kind: string): Promise<void> {
  const { file, runs, skippedSports = {}, errors = [], ignored = 0 } = EXPORTS[kind]!()
  await using app = await testApp()
  const first = await app.upload(PATH, [file])
  expect(first.status, first.text.trim()).toBe(200)
  const { errorDetails, ...counts } = first.json
  expect(errorDetails.map(({ filename }: { filename: string }) => filename).toSorted()).toEqual([...errors])
  expect(counts).toMatchObject({ kind, successful: runs.length, skipped: 0, skippedSports, ignored })
  await expectRuns(app, kind, runs)
  const again = await app.upload(PATH, [file])
  expect(again.json).toMatchObject({ successful: 0, updated: 0, skipped: runs.length, errors: errors.length })
  await app.ok('POST', `/receipts/${first.json.receiptId}/undo`)
  expect((await app.ok('GET', '/workouts')).items).toEqual([])
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
}

async function expectRuns(app: TestApp, kind: string, runs: Export['runs']): Promise<void> {
  const pages = await Promise.all([1, 2].map((page) => app.ok('GET', `/workouts?pageSize=100&page=${page}`)))
  const items = pages.flatMap((page) => page.items)
  expect(items).toHaveLength(runs.length)
  const stored = new Map(items.map((item) => [Date.parse(item.startedAt), item]))
  for (const { startMs, seconds, metres, hr } of runs) {
    const { durationS, distanceM, avgHeartRateBpm } = stored.get(startMs)
    expect([startMs, durationS, hr ?? avgHeartRateBpm]).toEqual([startMs, seconds, avgHeartRateBpm])
    // the generators go due north on the ellipsoid, to a tenth of a metre in 100 m; of Apple Health totals count
    expect(Math.abs(distanceM / metres - 1)).toBeLessThan(kind === 'apple_health' ? 1e-9 : 0.003)
  }
  const { recordings } = await app.ok('GET', `/workouts/${stored.get(runs[0]!.startMs).id}/sources`)
  expect(recordings[0]).toMatchObject({ origin: kind })
}

/** What is imported of a file: the answer, the shoes, and the runs, the newest first, each with its shoe and recordings. */
export async function imported(file: TestFile) {
  await using app = await testApp()
  const { status, json } = await app.upload(PATH, [file])
  expect(status, JSON.stringify(json)).toBe(200)
  const shoes: { id: string; brand: string; model: string; retiredAt: string | null }[] = await app.ok('GET', '/shoes')
  const { items } = await app.ok('GET', '/workouts')
  const runs = await Promise.all(
    items.map(async ({ id, shoeId, hasRoute }: { id: string; shoeId: string | null; hasRoute: boolean }) => ({
      ...{ ...(await app.ok('GET', `/workouts/${id}`)), hasRoute, shoe: shoes.find((one) => one.id === shoeId)?.model },
      ...{ ...(await app.ok('GET', `/workouts/${id}/sources`)), laps: await app.ok('GET', `/workouts/${id}/laps`) },
    })),
  )
  return { json, runs, shoes: Object.fromEntries(shoes.map(({ model, retiredAt }) => [model, retiredAt])) }
}
