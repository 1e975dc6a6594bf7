// Scoring a library takes a while; what happens meanwhile must not leave efforts of zones that are no more.
import { expect, test } from 'bun:test'
import type { Deps, DepsBy } from '../../src/deps.ts'
import { customZones } from '../../src/engine/run/zones.ts'
import { changeSettings, zoneMembers } from '../../src/library/settings.ts'
import { recalculateAllEfforts } from '../../src/workouts/recalculation/recalculate.ts'
import { type TestApp, testApp } from '../app.ts'
import { BY } from '../fixtures/by.ts'
import { removeRuns, replaceSamples } from '../fixtures/recordings.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

const DAY_MS = 86_400_000
const RUNS = 4

/** Runs of an hour at 140 bpm, the newest first, and the zones of age 30, of which it is the third. */
async function library(app: TestApp): Promise<string[]> {
  const ids: string[] = []
  for (let day = 0; day < RUNS; day += 1) {
    const bytes = fitRun({ seconds: 3600, startMs: START_MS - day * DAY_MS })
    const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes }])
    ids.push(json.id)
  }
  const { status } = await app.call('PUT', '/settings/heart-rate-zones', {
    json: { calculationMethod: 'AgeBased', age: 30 },
  })
  expect(status).toBe(200)
  return ids
}

/** The second oldest cannot be read; something happens when the Worker has scored the second that can be. */
function depsWith(app: TestApp, ids: readonly string[], meanwhile: () => void): DepsBy {
  replaceSamples(app.deps, ids[2]!, { timeHr: Buffer.from('no samples') })
  let scored = 0
  const { analyzer } = app.deps
  const derive: Deps['analyzer']['derive'] = async (job) => {
    const derived = await analyzer.derive(job)
    scored += 1
    if (scored === 2) meanwhile()
    return derived
  }
  return { ...app.deps, by: BY, analyzer: { ...analyzer, derive } }
}

async function efforts(app: TestApp): Promise<number[]> {
  const { json } = await app.call('GET', '/workouts')
  return json.items.map((run: { relativeEffort: number }) => run.relativeEffort)
}

test('zones stored while all workouts are scored are those of every one of them', async () => {
  await using app = await testApp()
  const ids = await library(app)
  expect(await efforts(app)).toEqual([180, 180, 180, 180])
  const deps = depsWith(app, ids, () => {
    // zone 5 from 100 bpm on
    const zones = customZones([60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 })))
    const unused = { age: null, restingHeartRateBpm: null, maxHeartRateBpm: null }
    const members = zoneMembers(app.deps.db, { calculationMethod: 'Custom', ...unused, zones })
    changeSettings(app.deps.db, app.deps, members)
  })
  const done = await recalculateAllEfforts(deps)
  expect(done).toMatchObject({ updatedCount: 3, totalQualifyingWorkouts: 4, errorCount: 1 })
  expect(done.errors).toEqual([`Workout ${ids[2]}: its stored heart rate could not be read`])
  expect(await efforts(app)).toEqual([300, 300, 180, 300])
})

test('a workout deleted while all are scored is not counted as processed', async () => {
  await using app = await testApp()
  const ids = await library(app)
  const deps = depsWith(app, ids, () => {
    removeRuns(app.deps, ids[0]!)
  })
  expect(await recalculateAllEfforts(deps)).toMatchObject({
    updatedCount: 2,
    totalQualifyingWorkouts: 4,
    errorCount: 1,
    message: 'Recalculated the relative effort of 2 of 4 workouts',
  })
})
