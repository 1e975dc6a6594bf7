import { beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { workoutBestEfforts } from '../../src/db/schema-efforts.ts'
import { runHead } from '../../src/library/documents/run.ts'
import { type EffortDifference, writeDifferences } from '../../src/library/effort-rows.ts'
import { statsRoutes } from '../../src/stats/routes.ts'
import { testApp } from '../app.ts'
import { addWorkout, type FeatureApp, featureApp, NOW_MS } from '../fixtures/feature-app.ts'
import { gpxFile } from '../fixtures/gpx.ts'
import { knots } from '../fixtures/knots.ts'
import { pairs } from '../fixtures/pairs.ts'
import { degreesAt } from '../fixtures/recording.ts'
import { removeRuns, replaceSamples, touchRun } from '../fixtures/recordings.ts'
import { addTrack, runId } from './library.ts'

const RECALCULATE = '/stats/best-efforts/recalculate'
/** What is said of an effort that can be. */
const PLAUSIBLE = { isPlausible: true, implausibleReason: null, isUnconfirmed: false }
const DONE = { message: 'Best efforts recalculated successfully' }

let app: FeatureApp
beforeEach(() => {
  app = featureApp(statsRoutes)
})

const addRun = (n: number, parts: readonly (readonly number[])[]) => addTrack(app.deps, n, parts)

function addEffort(workoutId: string, distanceIndex: number, timeMs: number): void {
  app.deps.db.insert(workoutBestEfforts).values({ workoutId, distanceIndex, timeMs, startMs: 0, calculatedAt: 0 }).run()
}

function stored() {
  const { workoutId, distanceIndex, timeMs, startMs } = workoutBestEfforts
  return app.deps.db
    .select({ workoutId, distanceIndex, timeMs, startMs })
    .from(workoutBestEfforts)
    .orderBy(workoutBestEfforts.workoutId, workoutBestEfforts.distanceIndex)
    .all()
}

async function records(): Promise<Record<string, unknown>[]> {
  const { status, body } = await app.ask('GET', '/stats/best-efforts')
  expect(status).toBe(200)
  return (body as { distances: Record<string, unknown>[] }).distances
}

describe('GET /stats/best-efforts', () => {
  test('one item a distance that has a result, shortest first, with time and day of its workout', async () => {
    addWorkout(app.deps, { id: runId(1), startedAt: Date.parse('2025-01-15T10:30:00Z') })
    addWorkout(app.deps, { id: runId(2), startedAt: Date.parse('2025-02-15T10:30:00.250Z') })
    addEffort(runId(1), 5, 1_311_640)
    addEffort(runId(2), 5, 1_311_641)
    addEffort(runId(2), 12, 12_000_500)
    addEffort(runId(1), 1, 170_499)
    const first = { workoutId: runId(1), workoutDate: '2025-01-15T10:30:00Z', ...PLAUSIBLE }
    const second = { workoutId: runId(2), workoutDate: '2025-02-15T10:30:00.250Z', ...PLAUSIBLE }
    expect(await records()).toEqual([
      { distance: '1/2 mile', distanceM: 804.672, timeS: 170, timeMs: 170_499, ...first },
      { distance: '5K', distanceM: 5000, timeS: 1312, timeMs: 1_311_640, ...first },
      { distance: 'Marathon', distanceM: 42_195, timeS: 12_001, timeMs: 12_000_500, ...second },
    ])
  })

  test('a tie keeps the earlier workout, whatever was stored first', async () => {
    addWorkout(app.deps, { id: runId(1), startedAt: NOW_MS })
    addWorkout(app.deps, { id: runId(2), startedAt: NOW_MS - 1 })
    addWorkout(app.deps, { id: runId(3), startedAt: NOW_MS + 1 })
    for (const n of [1, 2, 3]) addEffort(runId(n), 0, 90_000)
    expect(await records()).toMatchObject([{ workoutId: runId(2), timeMs: 90_000 }])
  })

  test('deleting the record holder hands the record to the next best workout at once', async () => {
    addWorkout(app.deps, { id: runId(1) })
    addWorkout(app.deps, { id: runId(2) })
    addEffort(runId(1), 0, 80_000)
    addEffort(runId(2), 0, 81_000)
    removeRuns(app.deps, runId(1))
    expect(await records()).toMatchObject([{ workoutId: runId(2), timeMs: 81_000 }])
    removeRuns(app.deps, runId(2))
    expect(await records()).toEqual([])
  })
})

/** A GPX file that runs east, where degrees have one length throughout. */
function alongTheParallel(startMs: number, { tS, distanceM }: ReturnType<typeof knots>): Uint8Array {
  const { perEastM } = degreesAt(10)
  const points = Array.from(tS, (seconds, i) => ({
    lat: 10,
    lon: Number((20 + distanceM[i]! * perEastM).toFixed(7)),
    timeMs: startMs + seconds * 1000,
  }))
  return gpxFile({ points })
}

describe('through the whole service', () => {
  const run = (startedAt: string, parts: readonly (readonly number[])[]) =>
    alongTheParallel(Date.parse(startedAt), knots(parts, 5))

  test('best efforts of a GPX run with a fast middle kilometre find it', async () => {
    await using service = await testApp()
    // 2.5 km at 2.5 m/s, 1.2 km at 4 m/s, 2.5 km at 2.5 m/s: the kilometre is within the fast part
    const file = run('2025-05-01T06:30:00Z', pairs('1000,2.5 300,4 1000,2.5'))
    await service.upload('/workouts/import', [{ name: 'run.gpx', bytes: file }])
    const { json } = await service.call('GET', '/stats/best-efforts')
    const kilometre = json.distances.find((item: { distance: string }) => item.distance === '1K')
    // GPX positions have 7 decimals (1 cm), and one record is 5 s: the fast part is known to about 2 cm of 1200 m
    expect(Math.abs(kilometre.timeMs - 250_000)).toBeLessThan(50)
    expect(kilometre.workoutDate).toBe('2025-05-01T06:30:00Z')
  })

  test('workoutDate keeps its time of day after recalculation and delete', async () => {
    await using service = await testApp()
    const slow = run('2025-05-01T06:31:07Z', [[600, 3]])
    const fast = run('2025-05-02T18:45:59Z', [[900, 4]])
    const files = [slow, fast].map((bytes, n) => ({ name: `run${n}.gpx`, bytes }))
    await service.upload('/workouts/import', files)
    const first = (await service.call('GET', '/stats/best-efforts')).json.distances
    expect(first[0].workoutDate).toBe('2025-05-02T18:45:59Z')
    expect((await service.call('POST', RECALCULATE)).json).toEqual({ ...DONE, count: 5 })
    expect((await service.call('GET', '/stats/best-efforts')).json.distances).toEqual(first)
    expect((await service.call('DELETE', `/workouts/${first[0].workoutId}`)).status).toBe(204)
    const second = (await service.call('GET', '/stats/best-efforts')).json.distances
    expect(second[0].workoutDate).toBe('2025-05-01T06:31:07Z')
    expect(second[0].workoutId).not.toBe(first[0].workoutId)
    expect((await service.call('POST', RECALCULATE)).json).toEqual({ ...DONE, count: 4 })
    expect((await service.call('GET', '/stats/best-efforts')).json.distances).toEqual(second)
  })

  test('an empty body of any content type is taken, and strangers are not', async () => {
    await using service = await testApp()
    const headers = { 'content-type': 'application/json' }
    expect((await service.call('POST', RECALCULATE, { headers })).status).toBe(200)
    expect((await service.call('POST', RECALCULATE, { token: null })).status).toBe(401)
    expect((await service.call('GET', '/stats/best-efforts', { token: null })).status).toBe(401)
  })
})

describe('POST /stats/best-efforts/recalculate', () => {
  test('makes the rows out of samples, removes wrong ones and leaves workouts without samples', async () => {
    addRun(1, pairs('1000,3 500,5 1000,3'))
    addRun(2, [[100, 3]])
    addWorkout(app.deps, { id: runId(3) })
    addEffort(runId(1), 0, 1)
    addEffort(runId(1), 12, 1)
    addEffort(runId(2), 0, 1)
    addEffort(runId(3), 6, 2_400_000)
    const answer = await app.ask('POST', RECALCULATE)
    // 8.5 km: 400 m to 5K; with the 10K of the archive seven distances
    expect(answer).toEqual({ status: 200, body: { ...DONE, count: 7 } })
    // docs/algorithms.md 1, oracle of 1000 s@3, 500 s@5, 1000 s@3
    const [, , kilometre, , twoMiles, fiveK] = stored()
    expect(stored().map(({ workoutId, distanceIndex }) => `${Number(workoutId.slice(-2))}/${distanceIndex}`)).toEqual([
      ...['1/0', '1/1', '1/2', '1/3', '1/4', '1/5'],
      '3/6',
    ])
    expect(kilometre).toEqual({ workoutId: runId(1), distanceIndex: 2, timeMs: 200_000, startMs: 1_000_000 })
    expect(twoMiles!.timeMs).toBe(739_563)
    expect(fiveK!.timeMs).toBe(1_333_333)
    expect(app.emitted).toEqual([{ event: 'workout.updated', data: { id: null } }])
  })

  test('writes nothing but its receipt when nothing differs', async () => {
    addRun(1, [[1000, 3]])
    await app.ask('POST', RECALCULATE)
    const writes = () => app.deps.db.$client.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
    const before = writes()
    app.deps.db.$client.run(
      `CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.workout_best_effort BEGIN SELECT raise(FAIL, 'written'); END`,
    )
    expect((await app.ask('POST', RECALCULATE)).body).toEqual({ ...DONE, count: 4 })
    expect(writes()).toBe(before + 1)
    expect(app.emitted).toHaveLength(1)
  })

  test('a failure is a 500 without details and leaves the old records', async () => {
    addRun(1, [[1000, 3]])
    addRun(2, [[1000, 3]])
    addEffort(runId(1), 0, 77_777)
    replaceSamples(app.deps, runId(2), { track: Buffer.from('damaged') })
    const before = stored()
    expect(await app.ask('POST', RECALCULATE)).toEqual({ status: 500, body: { error: 'Internal server error' } })
    expect(stored()).toEqual(before)
    removeRuns(app.deps, runId(2))
    expect((await app.ask('POST', RECALCULATE)).status).toBe(200)
  })

  test('a failure while writing leaves the old records', async () => {
    for (const n of [1, 2, 3]) addRun(n, [[1000, 3]])
    addEffort(runId(3), 0, 77_777)
    // the last workout cannot be written
    app.deps.db.$client.run(
      `CREATE TEMP TRIGGER refuse BEFORE UPDATE ON main.workout_best_effort BEGIN SELECT raise(ABORT, 'full'); END`,
    )
    const before = stored()
    expect((await app.ask('POST', RECALCULATE)).status).toBe(500)
    expect(stored()).toEqual(before)
    app.deps.db.$client.run('DROP TRIGGER temp.refuse')
    expect((await app.ask('POST', RECALCULATE)).body).toEqual({ ...DONE, count: 4 })
    expect(stored()).toHaveLength(12)
  })

  test('what others write, delete and replace meanwhile is newer and stays', async () => {
    for (let n = 0; n < 300; n += 1) addRun(n, [[11_000, 4]])
    setImmediate(() => {
      removeRuns(app.deps, runId(0))
      // a crop: other inputs and their efforts
      touchRun(app.deps, runId(1))
      addEffort(runId(1), 0, 123_456)
      addRun(300, [[200, 3]])
      addEffort(runId(300), 0, 133_333)
    })
    const two = await Promise.all([app.ask('POST', RECALCULATE), app.ask('POST', RECALCULATE)])
    expect(two).toEqual([two[0], two[0]])
    expect(two[0].body).toEqual({ ...DONE, count: 13 })
    const rows = stored()
    const timesOf = (n: number) => rows.filter(({ workoutId }) => workoutId === runId(n)).map(({ timeMs }) => timeMs)
    expect([0, 1, 300].map(timesOf)).toEqual([[], [123_456], [133_333]])
    expect(rows).toHaveLength(298 * 13 + 2)
  })
})

describe('many differences', () => {
  const RUNS = 500

  /** 500 runs with a wrong effort each, and all 13 right ones as differences. */
  function manyDifferences(): EffortDifference[] {
    const write = Array.from({ length: 13 }, (_, distanceIndex) => ({
      distanceIndex,
      timeMs: 1000 * (distanceIndex + 1),
      startMs: 5,
      implausibleReason: null,
    }))
    return Array.from({ length: RUNS }, (_, n) => {
      addWorkout(app.deps, { id: runId(n) })
      addEffort(runId(n), 0, 77_777)
      return { head: runHead(app.deps.db, runId(n))!, write, remove: [] }
    })
  }

  test('drop the rank and make it again: nothing else is lost, ids stay, and removals are done', async () => {
    const differences = manyDifferences()
    addWorkout(app.deps, { id: runId(RUNS) })
    addEffort(runId(RUNS), 3, 500)
    // of this one a record goes, and another stays as it is
    addWorkout(app.deps, { id: runId(RUNS + 1) })
    addEffort(runId(RUNS + 1), 4, 600)
    addEffort(runId(RUNS + 1), 5, 650)
    differences.push({ head: runHead(app.deps.db, runId(RUNS + 1))!, write: [], remove: [4] })
    const idOf = () =>
      app.deps.db
        .select({ id: workoutBestEfforts.id, calculatedAt: workoutBestEfforts.calculatedAt })
        .from(workoutBestEfforts)
        .where(and(eq(workoutBestEfforts.workoutId, runId(0)), eq(workoutBestEfforts.distanceIndex, 0)))
        .get()
    // of an archive
    const given =
      'UPDATE document SET body = json_set(body, \'$.carried.effortIds\', json(\'{"0":"given"}\')) WHERE id = ?'
    app.deps.db.$client.query(given).run(runId(0))
    const schema = tables()
    // meanwhile two were deleted, one changed, and one came
    for (const gone of [2, 450]) removeRuns(app.deps, runId(gone))
    touchRun(app.deps, runId(7))
    addWorkout(app.deps, { id: runId(9999) })
    addEffort(runId(9999), 7, 700)
    expect(writeDifferences(app.deps.db, differences, NOW_MS)).toBe(RUNS - 3 + 1)
    expect(idOf()).toEqual({ id: 'given', calculatedAt: NOW_MS })
    expect(stored()).toHaveLength((RUNS - 3) * 13 + 1 + 3)
    expect(stored()[0]).toEqual({ workoutId: runId(0), distanceIndex: 0, timeMs: 1000, startMs: 5 })
    expect(stored().filter(({ workoutId }) => workoutId === runId(7))).toMatchObject([{ timeMs: 77_777 }])
    expect(stored().slice(-3)).toMatchObject([{ timeMs: 500 }, { timeMs: 650 }, { timeMs: 700 }])
    expect(tables()).toEqual(schema)
    removeRuns(app.deps, runId(0))
    expect(stored()).toHaveLength((RUNS - 4) * 13 + 1 + 3)
    // and once more, with the rank that was made again
    writeDifferences(app.deps.db, differences.slice(3), NOW_MS)
    expect(tables()).toEqual(schema)
    const { $client: client } = app.deps.db
    const ranked = `EXPLAIN QUERY PLAN SELECT min(time_ms) FROM workout_best_effort WHERE distance_index = 3`
    const plan = client.query<{ detail: string }, []>(ranked).all()
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('workout_best_effort_rank')])
    expect(client.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  })

  test('a failure half-way leaves the old records and the rank', () => {
    const differences = manyDifferences()
    const [before, schema] = [stored(), tables()]
    app.deps.db.$client.run(
      `CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.workout_best_effort
       WHEN new.workout_id = '${runId(RUNS - 1)}' BEGIN SELECT raise(ABORT, 'the disk is full'); END`,
    )
    expect(() => writeDifferences(app.deps.db, differences, NOW_MS)).toThrow('the disk is full')
    app.deps.db.$client.run('DROP TRIGGER temp.refuse')
    expect(stored()).toEqual(before)
    expect(tables()).toEqual(schema)
  })
})

/** Tables, indexes and triggers, without what separates quoted from bare names. */
function tables(of: FeatureApp = app): string[] {
  const rows = of.deps.db.$client
    .prepare<{ sql: string }, []>(
      'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL UNION ALL SELECT sql FROM temp.sqlite_schema ORDER BY sql',
    )
    .all()
  return rows.map(({ sql }) => sql.replaceAll('"', '')).sort()
}
