import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, type TestFile, testApp } from '../../app.ts'
import { HealthConnectDb, WorkoutTrackerDb } from '../../db/databases.ts'
import { appleExport, appleRuns } from '../../fixtures/apple-export.ts'
import { endurainRow, endurainStreams, gpxOf } from '../../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'

export const PATH = '/workouts/import/archive'
export const COUNT = 150
export const RUNS: readonly KnownRun[] = knownRuns(COUNT)
/** Of other sports, or damaged. */
const MORE = knownRuns(COUNT + 6).slice(COUNT)
const [A, B] = MORE as [KnownRun, KnownRun]
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
export const half = <T extends string | Uint8Array>(content: T) => content.slice(0, 900) as T
const json = (value: unknown) => JSON.stringify(value)

/** Exports of many known runs, other sports and damage. */
export const EXPORTS: Readonly<Record<string, () => Export>> = {
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

/** What is imported of a file: the answer, the shoes, and the runs, the newest first, each with its shoe and recordings. */
export async function imported(file: TestFile) {
  await using app = await testApp()
  const { status, json } = await app.upload(PATH, [file])
  expect(status, JSON.stringify(json)).toBe(200)
  const shoes: { id: string; brand: string; model: string; retiredAt: string | null }[] = await app.ok('GET', '/shoes')
  const runs = await Promise.all(
    (await listed(app)).map(async ({ id, shoeId, hasRoute }) => ({
      ...{ ...(await app.ok('GET', `/workouts/${id}`)), hasRoute, shoe: shoes.find((one) => one.id === shoeId)?.model },
      ...{ ...(await app.ok('GET', `/workouts/${id}/sources`)), laps: await app.ok('GET', `/workouts/${id}/laps`) },
    })),
  )
  await expectUndone(app, file, json)
  return { json, runs, shoes: Object.fromEntries(shoes.map(({ model, retiredAt }) => [model, retiredAt])) }
}

async function listed(app: TestApp) {
  const pages = await Promise.all([1, 2].map((page) => app.call('GET', `/workouts?pageSize=100&page=${page}`)))
  return pages.flatMap(({ json }) => json.items ?? [])
}

/** Imported again a file creates nothing; undone it is gone. */
async function expectUndone(app: TestApp, file: TestFile, { successful, errors, receiptId }: Record<string, unknown>) {
  const again = await app.upload(PATH, [file])
  expect(again.json).toMatchObject({ successful: 0, updated: 0, skipped: successful, errors })
  await app.ok('POST', `/receipts/${receiptId}/undo`)
  expect([await listed(app), readdirSync(join(app.deps.config.dataDir, 'tmp'))]).toEqual([[], []])
}

/** Of an export that has many runs, each is what it was. */
export async function expectExport(kind: string): Promise<void> {
  const { file, runs, skippedSports = {}, errors = [], ignored = 0 } = EXPORTS[kind]!()
  await using app = await testApp()
  const { json } = await app.upload(PATH, [file])
  expect(json).toMatchObject({ kind, successful: runs.length, skipped: 0, skippedSports, ignored })
  expect(json.errorDetails.map(({ filename }: { filename: string }) => filename)).toEqual([...errors])
  const items = await listed(app)
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
  await expectUndone(app, file, json)
}
