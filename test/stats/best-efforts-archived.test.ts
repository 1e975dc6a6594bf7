// Efforts that only an archive knows, beside a rebuild: docs/api.md 6 and 12.2.
import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { documents } from '../../src/db/schema-documents.ts'
import { archivedBestEfforts, effortWords, workoutBestEfforts } from '../../src/db/schema-efforts.ts'
import { runHead } from '../../src/library/documents/run.ts'
import { statsRoutes } from '../../src/stats/routes.ts'
import { addWorkout, type FeatureApp, featureApp, NOW_MS } from '../fixtures/feature-app.ts'
import { addTrack, runId } from './library.ts'

const RECALCULATE = '/stats/best-efforts/recalculate'

let app: FeatureApp
beforeEach(() => {
  app = featureApp(statsRoutes)
})

/** Ten minutes at 4 m/s, 400 m in 100 s. */
const addRun = (n: number) => addTrack(app.deps, n, [[600, 4]])

/** 400 m in 90 s, as an archive says. */
function addArchived(n: number): void {
  const effort = { id: runId(500_000 + n), distanceIndex: 0, timeMs: 90_000, calculatedAt: NOW_MS }
  const { body } = runHead(app.deps.db, runId(n))!
  const carrying = { ...body, carried: { ...body.carried, efforts: [effort] } }
  app.deps.db
    .update(documents)
    .set({ body: JSON.stringify(carrying) })
    .where(eq(documents.id, runId(n)))
    .run()
  app.deps.db
    .insert(archivedBestEfforts)
    .values({ ...effort, workoutId: runId(n) })
    .run()
}

function archived(): string[] {
  return app.deps.db
    .select({ workoutId: archivedBestEfforts.workoutId })
    .from(archivedBestEfforts)
    .orderBy(archivedBestEfforts.workoutId)
    .all()
    .map(({ workoutId }) => workoutId)
}

async function fastest400(): Promise<unknown> {
  const { body } = await app.ask('GET', '/stats/best-efforts')
  return (body as { distances: { timeMs: number }[] }).distances[0]?.timeMs
}

function own(n: number) {
  return app.deps.db
    .select()
    .from(workoutBestEfforts)
    .where(eq(workoutBestEfforts.workoutId, runId(n)))
    .all()
}

test('a rebuild forgets what an archive said beside samples and keeps what has none', async () => {
  addRun(1)
  addArchived(1)
  addWorkout(app.deps, { id: runId(2) })
  addArchived(2)
  expect((await app.ask('POST', RECALCULATE)).status).toBe(200)
  expect(archived()).toEqual([runId(2)])
  expect(own(1)[0]!.timeMs).toBe(100_000)
})

test('a rebuild that cannot forget them leaves all records as they were', async () => {
  addRun(1)
  addArchived(1)
  app.deps.db.$client.run(
    `CREATE TEMP TRIGGER refuse BEFORE DELETE ON main.archived_best_effort BEGIN SELECT raise(ABORT, 'full'); END`,
  )
  expect(await app.ask('POST', RECALCULATE)).toEqual({ status: 500, body: { error: 'Internal server error' } })
  expect(own(1)).toEqual([])
  expect(await fastest400()).toBe(90_000)
  app.deps.db.$client.run('DROP TRIGGER temp.refuse')
  expect((await app.ask('POST', RECALCULATE)).status).toBe(200)
  expect(await fastest400()).toBe(100_000)
})

test('what is restored while a rebuild computes keeps what its archive said', async () => {
  for (let n = 0; n < 400; n += 1) addRun(n)
  addArchived(0)
  setImmediate(() => {
    addRun(400)
    addArchived(400)
  })
  expect((await app.ask('POST', RECALCULATE)).status).toBe(200)
  expect(archived()).toEqual([runId(400)])
  // the next one was asked for after it
  expect((await app.ask('POST', RECALCULATE)).status).toBe(200)
  expect(archived()).toEqual([])
})

test('an archived effort faster than anyone ever ran is not a record unless the runner counts it', async () => {
  const add = (n: number, timeMs: number) => {
    addWorkout(app.deps, { id: runId(n), startedAt: NOW_MS + n })
    app.deps.db
      .insert(archivedBestEfforts)
      .values({ id: runId(600_000 + n), workoutId: runId(n), distanceIndex: 0, timeMs, calculatedAt: NOW_MS })
      .run()
  }
  // 43.03 s is the fastest 400 m ever run
  add(1, 43_030)
  add(2, 43_029)
  expect(await fastest400()).toBe(43_030)
  const say = (isRecord: boolean) => {
    const row = { workoutId: runId(2), distanceIndex: 0, isRecord }
    app.deps.db
      .insert(effortWords)
      .values(row)
      .onConflictDoUpdate({ target: [effortWords.workoutId, effortWords.distanceIndex], set: row })
      .run()
  }
  say(true)
  expect((await app.ask('GET', '/stats/best-efforts')).body).toEqual({
    distances: [expect.objectContaining({ timeMs: 43_029, isPlausible: false, implausibleReason: 'fasterThanRecord' })],
  })
  say(false)
  expect(await fastest400()).toBe(43_030)
})
