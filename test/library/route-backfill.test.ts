import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { routeIndexes } from '../../src/db/schema.ts'
import { samplesOf } from '../../src/library/recordings.ts'
import { backfillRoutes } from '../../src/library/route-backfill.ts'
import { type TestApp, testApp } from '../app.ts'
import { addWorkout } from '../fixtures/feature-app.ts'
import { addRecording } from '../fixtures/recordings.ts'
import { fitRun } from '../fixtures/runs.ts'

const RUNS = 1203
const PREVIEW = [
  [8, 47],
  [8, 47.01],
]

const idOf = (k: number) => `0198a000-0000-7000-8000-${k.toString(16).padStart(12, '0')}`

/** Runs with the samples of one real import and no index; every tenth was run indoors. */
async function libraryWithoutIndex(app: TestApp): Promise<void> {
  const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ seconds: 60 }) }])
  const samples = samplesOf(app.deps.db, json.id)
  app.deps.db.transaction((tx) => {
    for (let k = 0; k < RUNS; k += 1) {
      addWorkout(app.deps, { id: idOf(k), startedAt: k, ...(k % 10 === 0 ? {} : { routePreview: PREVIEW }) })
      addRecording({ ...app.deps, db: tx }, idOf(k), { samples })
    }
  })
}

function indexed(app: TestApp): string[] {
  return app.deps.db
    .select({ id: routeIndexes.workoutId })
    .from(routeIndexes)
    .all()
    .map(({ id }) => id)
    .filter((id) => id < idOf(RUNS))
    .sort()
}

const withRoute = Array.from({ length: RUNS }, (_, k) => k)
  .filter((k) => k % 10 !== 0)
  .map(idOf)

describe('routes that the index lacks', () => {
  test('are put into it wherever in the library they are, and runs without a route are not', async () => {
    await using app = await testApp()
    await libraryWithoutIndex(app)
    await backfillRoutes(app.deps, new AbortController().signal)
    expect(indexed(app)).toEqual(withRoute)
    // the start of the row is the one the search sieves by
    const [row] = app.deps.db
      .select()
      .from(routeIndexes)
      .where(eq(routeIndexes.workoutId, idOf(7)))
      .all()
    expect(row!.startedAt).toBe(7)

    const lost = [1, 499, 501, 999, 1001, 1202].map(idOf)
    for (const id of lost) app.deps.db.delete(routeIndexes).where(eq(routeIndexes.workoutId, id)).run()
    expect(indexed(app)).toHaveLength(withRoute.length - lost.length)
    await backfillRoutes(app.deps, new AbortController().signal)
    expect(indexed(app)).toEqual(withRoute)
  })

  test('are looked for a page at a time: a stop comes in between, and so do requests', async () => {
    await using app = await testApp()
    await libraryWithoutIndex(app)
    await backfillRoutes(app.deps, new AbortController().signal)
    const last = idOf(1202)
    app.deps.db.delete(routeIndexes).where(eq(routeIndexes.workoutId, last)).run()
    const stop = new AbortController()
    const done = backfillRoutes(app.deps, stop.signal)
    stop.abort()
    await done
    expect(indexed(app)).not.toContain(last)
  })

  test('that are deleted or indexed by others meanwhile do no harm', async () => {
    await using app = await testApp()
    await libraryWithoutIndex(app)
    const done = backfillRoutes(app.deps, new AbortController().signal)
    expect((await app.call('DELETE', `/workouts/${idOf(1202)}`)).status).toBe(204)
    await done
    expect(indexed(app)).toEqual(withRoute.filter((id) => id !== idOf(1202)))
    expect(app.logged).toEqual([])
  })

  test('a database that cannot be read is logged and ends nothing', async () => {
    await using app = await testApp()
    app.deps.db.$client.run('ALTER TABLE workout_route RENAME TO elsewhere')
    await backfillRoutes(app.deps, new AbortController().signal)
    expect(app.logged).toHaveLength(1)
    expect(app.logged[0]).toStartWith('error The index of similar routes could not be completed')
  })
})
