import { beforeEach, describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../../src/features/stats/routes.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { addRows, refuse, rowsOf } from '../../library/as-stored.ts'
import { addWorkout, type FeatureApp, featureApp, NOW_MS } from '../../library/feature-app.ts'
import { removeRuns } from '../../library/recordings.ts'
import { addArchived, addEffort, addTrack, efforts, runId, sayRecord } from './library.ts'

const RECALCULATE = '/stats/best-efforts/recalculate'
/** What is said of an effort that can be. */
const PLAUSIBLE = { isPlausible: true, implausibleReason: null, isRaceResult: false, isUnconfirmed: false }
const DONE = { message: 'Best efforts recalculated successfully' }

let app: FeatureApp
beforeEach(() => {
  app = featureApp(statsRoutes)
})

const addRun = (n: number, parts: readonly (readonly number[])[] = [[1000, 3]]) => addTrack(app.deps, n, parts)
const add = (n: number, index: number, timeMs: number) => addEffort(app.deps, { id: runId(n), index, timeMs })
const recalculated = () => app.ask('POST', RECALCULATE)

async function records(): Promise<Record<string, unknown>[]> {
  const { status, body } = await app.ask('GET', '/stats/best-efforts')
  expect(status).toBe(200)
  return (body as { distances: Record<string, unknown>[] }).distances
}
const fastest400 = async () => (await records())[0]?.timeMs

test('one item a distance that has a result, shortest first, with time and day of its workout', async () => {
  const [first, second] = ['2025-01-15T10:30:00Z', '2025-02-15T10:30:00.250Z'].map((workoutDate, k) => {
    // the first somewhere that is not known
    const utcOffsetMinutes = k === 0 ? null : 660
    addWorkout(app.deps, { id: runId(k + 1), startedAt: Date.parse(workoutDate), utcOffsetMinutes })
    return { workoutId: runId(k + 1), workoutDate, utcOffsetMinutes, ...PLAUSIBLE }
  })
  for (const [n, index, timeMs] of [
    [1, 5, 1_311_640],
    [2, 5, 1_311_641],
    [2, 12, 12_000_500],
    [1, 1, 170_499],
  ] as const)
    add(n, index, timeMs)
  expect(await records()).toEqual([
    { distance: '1/2 mile', distanceM: 804.672, timeS: 170, timeMs: 170_499, ...first },
    { distance: '5K', distanceM: 5000, timeS: 1312, timeMs: 1_311_640, ...first },
    { distance: 'Marathon', distanceM: 42_195, timeS: 12_001, timeMs: 12_000_500, ...second },
  ])
})

test('a tie keeps the earlier workout, and deleting it hands the record to the next one at once', async () => {
  for (const [n, ms] of pairs('1,0 2,-1 3,1')) {
    addWorkout(app.deps, { id: runId(n), startedAt: NOW_MS + ms })
    add(n, 0, 90_000)
  }
  for (const n of [2, 1, 3]) {
    expect(await records()).toMatchObject([{ workoutId: runId(n), timeMs: 90_000 }])
    removeRuns(app.deps, runId(n))
  }
  expect(await records()).toEqual([])
})

describe('POST /stats/best-efforts/recalculate', () => {
  test('makes the rows out of samples, removes wrong ones and leaves workouts without samples', async () => {
    addRun(1, pairs('1000,3 500,5 1000,3'))
    addRun(2, [[100, 3]])
    addWorkout(app.deps, { id: runId(3) })
    for (const [n, index] of pairs('1,0 1,12 2,0 3,6')) add(n, index, n === 3 ? 2_400_000 : 1)
    // 8.5 km: 400 m to 5K; with the 10K of the archive seven distances
    expect(await recalculated()).toEqual({ status: 200, body: { ...DONE, count: 7 } })
    // docs/algorithms.md 1, oracle of 1000 s@3, 500 s@5, 1000 s@3
    const stored = efforts(app.deps).map(([id, index, timeMs]) => [Number(id.slice(-2)), index, timeMs])
    expect(stored.map(([n, index]) => `${n}/${index}`).join(' ')).toBe('1/0 1/1 1/2 1/3 1/4 1/5 3/6')
    expect([2, 4, 5].map((index) => stored[index]![2])).toEqual([200_000, 739_563, 1_333_333])
    const [kilometre] = rowsOf(app.deps, 'workout_best_effort').filter((row) => row.distance_index === 2)
    expect(kilometre!.start_ms).toBe(1_000_000)
    expect(app.emitted).toEqual([{ event: 'workout.updated', data: { id: null } }])
  })

  test('a failure to write is a 500 without details and leaves the old records', async () => {
    for (const n of [1, 2, 3]) addRun(n)
    add(3, 0, 77_777)
    const before = efforts(app.deps)
    const failed = { status: 500, body: { error: 'Internal server error', code: 'internal' } }
    // the last workout cannot be written
    const mend = refuse(app.deps, ['DELETE', 'workout_best_effort'])
    expect([await recalculated(), efforts(app.deps)]).toEqual([failed, before])
    mend()
    expect((await recalculated()).body).toEqual({ ...DONE, count: 4 })
    expect(efforts(app.deps)).toHaveLength(12)
  })
})

// docs/api.md 6 and 12.2
describe('an effort that only an archive knows', () => {
  /** 400 m in 90 s, as an archive says; of samples it is 100 s. */
  function addOfArchive(n: number, hasSamples = true): void {
    if (hasSamples) addRun(n, [[600, 4]])
    else addWorkout(app.deps, { id: runId(n) })
    const id = addArchived(app.deps, { id: runId(n), index: 0, timeMs: 90_000 })
    const [head] = rowsOf(app.deps, 'document').filter((row) => row.id === runId(n))
    const body = JSON.parse(String(head!.body))
    const carried = { ...body.carried, efforts: [{ id, distanceIndex: 0, timeMs: 90_000, calculatedAt: NOW_MS }] }
    addRows(app.deps, 'document', [{ ...head, body: JSON.stringify({ ...body, carried }) }])
  }
  const archived = () => rowsOf(app.deps, 'archived_best_effort', 'workout_id').map((row) => row.workout_id)

  test('is forgotten by a rebuild beside samples, else kept, all or none', async () => {
    addOfArchive(1)
    const mend = refuse(app.deps, ['DELETE', 'archived_best_effort'])
    expect((await recalculated()).status).toBe(500)
    expect([efforts(app.deps), await fastest400()]).toEqual([[], 90_000])
    mend()
    addOfArchive(2, false)
    expect((await recalculated()).status).toBe(200)
    expect([archived(), efforts(app.deps)[0]![2]]).toEqual([[runId(2)], 100_000])
  })

  test('is no record when it is faster than anyone ever ran, unless the runner counts it', async () => {
    // 43.03 s is the fastest 400 m ever run
    for (const [n, timeMs] of pairs('1,43030 2,43029')) {
      addWorkout(app.deps, { id: runId(n), startedAt: NOW_MS + n })
      addArchived(app.deps, { id: runId(n), index: 0, timeMs })
    }
    expect(await fastest400()).toBe(43_030)
    for (const isRecord of [true, false]) {
      sayRecord(app.deps, { id: runId(2), index: 0 }, isRecord)
      const impossible = { timeMs: 43_029, isPlausible: false, implausibleReason: 'fasterThanRecord' }
      expect(await records()).toMatchObject([isRecord ? impossible : { timeMs: 43_030 }])
    }
  })
})
