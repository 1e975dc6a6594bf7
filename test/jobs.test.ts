import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, startJobs } from '../src/commands/jobs.ts'
import { type TestApp, testApp } from './app.ts'
import { filesOf, library } from './archive/restore/restoring.ts'
import { fitRun } from './fixtures/runs.ts'
import { addRows, lose, rowsOf, setRows } from './library/as-stored.ts'
import { addWorkout } from './library/feature-app.ts'
import { addRecording } from './library/recordings.ts'

const MINUTE_MS = 60_000
const NOBODY = '0198b000-0000-7000-8000-000000000009'

afterEach(() => void setSystemTime())

const stored = (app: TestApp) => ({ raw: filesOf(app, 'files/raw'), media: filesOf(app, 'files/media') })

function addFile(app: TestApp, path: string): void {
  mkdirSync(join(app.deps.config.dataDir, path, '..'), { recursive: true })
  writeFileSync(join(app.deps.config.dataDir, path), 'left over')
}

/** Waits for half a minute at most. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 3000 && !(await isDone()); attempt += 1) await Bun.sleep(10)
}

test('the clean-up moves files that no row names to the found folder when they are older than ten minutes, and no others', async () => {
  await using app = await testApp()
  await library(app)
  const known = stored(app)
  expect([known.raw.length, known.media.length]).toEqual([2, 1])
  for (const name of [NOBODY, `${NOBODY}.json.zst`, 'no-id']) addFile(app, `files/raw/${name}`)
  addFile(app, `files/media/${NOBODY}`)
  const all = stored(app)

  setSystemTime(Date.now() + 9 * MINUTE_MS)
  await cleanUp(app.deps)
  expect(stored(app)).toEqual(all)
  expect(app.logged).toEqual([])
  setSystemTime(Date.now() + 2 * MINUTE_MS)
  await cleanUp(app.deps)
  expect(stored(app)).toEqual(known)
  const day = new Date().toISOString().slice(0, 10)
  expect(app.logged).toEqual([
    `warn Files without a run in the library: 4, kept for 30 days in ${app.deps.config.dataDir}/found/${day}`,
  ])
  const found = `found/${day}`
  const expected = [NOBODY, `${NOBODY}.2`, `${NOBODY}.json.zst`, 'no-id']
  expect(filesOf(app, found)).toEqual(expected)
  for (const name of expected) {
    expect(readFileSync(join(app.deps.config.dataDir, found, name), 'utf8')).toBe('left over')
  }
  // and tells it once
  await cleanUp(app.deps)
  expect(app.logged.length).toBe(1)
})

test('moved files stay for thirty days; other folders there are left alone', async () => {
  await using app = await testApp()
  const dayMs = 86_400_000
  const today = Date.UTC(2025, 10, 22, 6)
  setSystemTime(today)
  for (const path of ['found/2025-10-22/a', 'found/2025-10-23/b', 'found/mine/c']) addFile(app, path)
  const days = () => readdirSync(join(app.deps.config.dataDir, 'found')).toSorted()
  await cleanUp(app.deps)
  expect(days()).toEqual(['2025-10-23', 'mine'])
  setSystemTime(today + dayMs)
  await cleanUp(app.deps)
  expect(days()).toEqual(['mine'])
})

test('nothing goes for its age before the machine has been up for a day: its clock may be wrong', async () => {
  await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '60' } })
  const id = await app.run(fitRun())
  await app.ok('DELETE', `/workouts/${id}`)
  addFile(app, 'found/2020-01-01/a')
  app.pass(40 * 86_400_000)
  const left = async () => [
    (await app.ok('GET', '/trash')).items.length,
    readdirSync(join(app.deps.config.dataDir, 'found')).length,
  ]
  await cleanUp(app.deps, { uptimeMs: 86_399_000 })
  expect(await left()).toEqual([1, 1])
  await cleanUp(app.deps, { uptimeMs: 86_400_000 })
  expect(await left()).toEqual([0, 0])
})

test('missing files of the library are logged once, and shown in the settings as long as they are missing', async () => {
  await using app = await testApp()
  const { dataDir } = app.deps.config
  await library(app)
  const asked = () => app.ok('GET', '/settings/files')
  expect(await asked()).toEqual({ found: { count: 0, keptDays: 30 }, missing: { count: 0, files: [] } })
  const [media] = rowsOf(app.deps, 'media')
  const recorded = rowsOf(app.deps, 'recording').find(({ stored_as: name }) => name !== null)!
  const { run_id: workoutId } = rowsOf(app.deps, 'run_recording').find(({ recording_id: id }) => id === recorded.id)!
  for (const path of [`raw/${recorded.stored_as}`, `media/${media!.id}`]) {
    renameSync(join(dataDir, 'files', path), join(dataDir, 'taken-away'))
  }
  addFile(app, `files/raw/${NOBODY}`)
  const logged = new Set<string>()
  await cleanUp(app.deps, { olderThanMs: Date.now() + MINUTE_MS, logged })
  await cleanUp(app.deps, { olderThanMs: Date.now() + MINUTE_MS, logged })
  const missing = `error Files of the library that are missing: 2, such as ${dataDir}/files/raw/${recorded.stored_as}`
  const unknown = expect.stringMatching(/^warn Files without a run in the library: 1, /)
  expect(app.logged).toEqual([unknown, expect.stringContaining(missing)])
  expect(await asked()).toEqual({
    found: { count: 1, keptDays: 30 },
    missing: {
      count: 2,
      files: [
        { workoutId, filename: recorded.file_name },
        { workoutId: media!.workout_id, filename: media!.filename },
      ],
    },
  })
})

test('an original that a crash left beside a workout without one goes, what was read out of another stays', async () => {
  await using app = await testApp()
  const id = NOBODY
  addWorkout(app.deps, { id })
  addRecording(app.deps, id, { hasRaw: true })
  addFile(app, `files/raw/${id}`)
  addFile(app, `files/raw/${id}.json.zst`)
  await cleanUp(app.deps, { olderThanMs: Date.now() + MINUTE_MS })
  expect(stored(app).raw).toEqual([`${id}.json.zst`])
  setRows(app.deps, 'recording', { has_raw: 0 })
  await cleanUp(app.deps, { olderThanMs: Date.now() + MINUTE_MS })
  expect(stored(app).raw).toEqual([])
})

test('failed logins are forgotten half an hour later', async () => {
  await using app = await testApp()
  const failed = [31, 29, 0].map((minutes) => ({
    pair_hash: `${minutes}`,
    failed_at: app.deps.now() - minutes * MINUTE_MS,
  }))
  addRows(app.deps, 'login_failure', failed)
  await cleanUp(app.deps)
  expect(rowsOf(app.deps, 'login_failure').map(({ pair_hash: pair }) => pair)).toEqual(['29', '0'])
})

test('what the last process left goes at the start, also an upload that had two names; what came since stays', async () => {
  await using app = await testApp()
  const { dataDir } = app.deps.config
  addFile(app, 'tmp/upload')
  mkdirSync(join(dataDir, 'files/raw'), { recursive: true })
  linkSync(join(dataDir, 'tmp/upload'), join(dataDir, 'files/raw', NOBODY))
  addFile(app, `files/media/${NOBODY}`)
  // as main.ts does; the removal touches the original
  rmSync(join(dataDir, 'tmp'), { recursive: true })
  mkdirSync(join(dataDir, 'tmp'))
  await Bun.sleep(20)
  addFile(app, 'files/media/young')
  const jobs = startJobs(app.deps, 0)
  await until(() => app.logged.length > 0)
  await jobs.stop()
  expect(stored(app)).toEqual({ raw: [], media: ['young'] })
})

test('a job that fails is one line in the log, ends nothing, and leaves the first requests their time', async () => {
  await using app = await testApp()
  lose(app.deps, 'login_failure')
  const jobs = startJobs(app.deps, 200)
  await Bun.sleep(50)
  expect(app.logged).toEqual([])
  await until(() => app.logged.length > 0)
  await jobs.stop()
  expect(app.logged).toEqual([expect.stringMatching(/^error The hourly clean-up failed/)])
})
