import { expect, test } from 'bun:test'
import { isoTime } from '../../../src/engine/calendar/timestamp.ts'
import { testApp } from '../../app.ts'
import { WorkoutTrackerDb } from '../../db/databases.ts'
import { gpxOf } from '../../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectExport, PATH } from '../services/expect-export.ts'
import { expectDamageReported } from './damaged.ts'

const [RUN, SECOND, THIRD, FOURTH, FIFTH] = knownRuns(12).toSpliced(4, 7) as [
  KnownRun,
  KnownRun,
  KnownRun,
  KnownRun,
  KnownRun,
]
const LARGE = new Uint8Array(33 * 1_048_576)
const bare = (database: WorkoutTrackerDb) => ({ name: 'database.db', bytes: database.bytes() })

test('a database with 400 runs, a tenth of them entered by hand, is imported and undone', async () => {
  const runs = knownRuns(400)
  const database = new WorkoutTrackerDb()
  database.runs(runs, ({ number }) => (number % 10 === 0 ? { content: null } : {}))
  const more = knownRuns(406).slice(400)
  const kinds = ['cycling', 'swimming', 'weight-lifting', 'hiking', 'running'] as const
  for (const [k, type] of kinds.entries())
    database.run(more[k]!, { type, ...(k === 4 ? { content: gpxOf(RUN).subarray(0, 900) } : {}) })
  database.run(more[5]!, { deleted_at: '2025-01-01 00:00:00+00:00' })
  const truth = { runs, skippedSports: { ride: 1, swim: 1, strength: 1, hike: 1 }, errors: ['404.gpx'] }
  await expectExport(bare(database), { kind: 'workout_tracker', hasHr: false, ...truth })
}, 120_000)

test('a run has its words and shoe; of several users those of the one with most runs count', async () => {
  const database = new WorkoutTrackerDb()
  const shoe = database.insert('equipment', { name: 'Nike Pegasus', user_id: 1 })
  const run = database.run(RUN, { name: 'Lake', notes: 'Wind' })
  database.insert('workout_equipment', { workout_id: run, equipment_id: shoe })
  database.run(SECOND, { type: 'other', custom_type: 'Trail running', name: '1' })
  database.run(THIRD, { type: 'auto' })
  // without a file it is no run
  database.run(FIFTH, { type: 'auto', content: null })
  database.run(FOURTH, { user_id: 2 })
  for (const run of knownRuns(10).slice(4)) database.run(run, { user_id: 2, type: 'cycling' })
  await using app = await testApp()
  const { json } = await app.upload(PATH, [zipUpload({ 'backup/database.db': database.bytes() })])
  expect(json).toMatchObject({ kind: 'workout_tracker', successful: 3, skippedOther: 1, shoesCreated: 1, errors: 0 })
  expect(json.warnings.map(({ message }: { message: string }) => message)).toEqual([
    'The database has workouts of 2 users; those of the one with most runs were imported, others left out: 7',
  ])
  const [first, second] = (await app.ok('GET', '/workouts')).items
  expect(first).toMatchObject({ name: 'Lake', hasRoute: true })
  expect((await app.ok('GET', `/workouts/${first.id}`)).notes).toBe('Wind')
  expect((await app.ok('GET', '/shoes'))[0]).toMatchObject({ id: first.shoeId, brand: 'Nike', model: 'Pegasus' })
  // a name that the service took from the name of the file
  expect(second.name).not.toBe('1')
  const { recordings } = await app.ok('GET', `/workouts/${first.id}/sources`)
  expect(recordings[0]).toMatchObject({ origin: 'workout_tracker', fileType: 'gpx', filename: '0.gpx' })
})

test('equipment that was removed or put aside is a retired shoe if runs wear it, else nothing', async () => {
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
  for (const [k, run] of [RUN, SECOND, THIRD].entries()) {
    database.insert('workout_equipment', { workout_id: database.run(run), equipment_id: worn[k]! })
  }
  // a second pair that was taken off again, and a name without end
  const off = { equipment_id: add('Old'), deleted_at: '2025-01-01 00:00:00' }
  database.insert('workout_equipment', { workout_id: 1, ...off })
  const endless = { equipment_id: add('x'.repeat(201)), workout_id: database.run(FOURTH) }
  database.insert('workout_equipment', endless)
  await using app = await testApp()
  const { json } = await app.upload(PATH, [bare(database)])
  expect(json).toMatchObject({ successful: 4, shoesCreated: 3, warnings: [] })
  const shoes: { model: string; retiredAt: string | null }[] = await app.ok('GET', '/shoes')
  expect(Object.fromEntries(shoes.map(({ model, retiredAt }) => [model, retiredAt]))).toEqual({
    ...{ Removed: '2025-03-04T05:06:07Z', Aside: isoTime(app.deps.now()), Again: null },
  })
})

test('cut or damaged it is refused, or keeps what is whole', async () => {
  const database = new WorkoutTrackerDb()
  database.runs(knownRuns(20, 30), () => ({ notes: 'x'.repeat(900) }))
  const read = ['workouts', 'map_data', 'workout_equipment', 'equipment']
  await expectDamageReported({ database, runs: 20, table: 'workouts', read, files: 'gpx_data' })
}, 300_000)

test('a run whose file is damaged or too large is imported from totals, with a warning that names it', async () => {
  const database = new WorkoutTrackerDb()
  for (const run of knownRuns(20)) database.run(run, run.number === 3 ? { content: LARGE } : {})
  const bytes = database.bytes()
  // in the middle of the content of a file
  const place = Buffer.from(bytes).indexOf('<trkpt', Math.floor(bytes.length - 100_000))
  bytes.fill(0xff, 4096 * Math.floor(place / 4096), 4096 * Math.floor(place / 4096) + 8)
  await using app = await testApp()
  const { json } = await app.upload(PATH, [{ name: 'a.db', bytes }])
  expect(json).toMatchObject({ successful: 20, errors: 0 })
  expect(json.warnings).toEqual([
    { filename: 'a.db', message: 'The SQLite database is damaged' },
    { filename: 'workout-13', message: 'The file of the run was not found in the damaged database' },
    { filename: '3.gpx', message: 'The file of the run is larger than 32 MiB and was left out' },
  ])
  const { items } = await app.ok('GET', '/workouts')
  expect(items.filter(({ hasRoute }: { hasRoute: boolean }) => hasRoute)).toHaveLength(18)
})
