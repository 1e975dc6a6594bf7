// The job beside a runner who continues using the service, a Worker at work, broken rows and a full disk.
import { describe, expect, test } from 'bun:test'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { startJobs } from '../../src/jobs.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { samplesOf } from '../../src/library/recordings.ts'
import { workerAnalyzer } from '../../src/workers/analyzer.ts'
import { type TestApp, testApp } from '../app.ts'
import { addRecording, firstRecording } from '../fixtures/recordings.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { addRows, countOf, rowsOf, setRows } from './as-stored.ts'
import { ALL, falsify, NEVER } from './falsified.ts'
import { done, stored as imported } from './ledger.ts'

const DAY_MS = 86_400_000

const versions = ({ deps }: TestApp) =>
  rowsOf(deps, 'workout', 'engine_version').map(({ engine_version }) => engine_version)
const errors = ({ logged }: TestApp) => logged.filter((line) => line.startsWith('error'))

/** Runs of a day each; everything derived of them is wrong. */
async function falsifiedRuns(app: TestApp, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let day = 0; day < count; day += 1) {
    ids.push(await imported(app, 'a.gpx', gpxRun({ seconds: 1200, startMs: START_MS - day * DAY_MS })))
  }
  for (const id of ids) falsify(app.deps, id, ALL)
  return ids
}

/** Something happens after the nth workout was computed whole and before it is written. */
function meanwhile(app: TestApp, nth: number, happen: () => unknown): { asked: number } {
  const seen = { asked: 0 }
  const derive = app.deps.analyzer.derive.bind(app.deps.analyzer)
  app.deps.analyzer.derive = async (job) => {
    const derived = await derive(job)
    if (job.what !== 'everything') return derived
    seen.asked += 1
    if (seen.asked === nth) await happen()
    return derived
  }
  return seen
}

describe('what happens meanwhile', () => {
  test('a crop, a deletion and an edit win', async () => {
    await using app = await testApp()
    const [cropped, deleted, edited] = await falsifiedRuns(app, 3)
    const things = [
      () => done(app, `POST /workouts/${cropped}/crop`, { removeFromEndSeconds: 600 }),
      () => done(app, `DELETE /workouts/${deleted}`),
      () => done(app, `PATCH /workouts/${edited}`, { name: 'Mine' }),
    ]
    const { analyzer } = app.deps
    let step = 0
    // of the upgrade alone: the cut is computed there, too
    const derive: typeof analyzer.derive = async (job) => {
      const derived = await analyzer.derive(job)
      await things[step++]?.()
      return derived
    }
    await upgradeWorkouts({ ...app.deps, analyzer: { ...analyzer, derive } }, NEVER)
    // what was cropped is computed once more
    expect(step).toBe(4)
    expect(versions(app)).toEqual([ENGINE_VERSION, ENGINE_VERSION])
    expect(await done(app, `GET /workouts/${cropped}`)).toMatchObject({ durationS: 600, splitsCount: 2 })
    expect(await done(app, `GET /workouts/${edited}`)).toMatchObject({ durationS: 1200, name: 'Mine', splitsCount: 4 })
    expect(errors(app)).toEqual([])
  })

  const zones = [60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 }))
  const stored = { calculationMethod: 'Custom', zones }
  /** What is computed how often, and gives which splits and effort: 20 min of 140 bpm are in zone 3, or in 5. */
  const changes: readonly [string, (id: string) => string, object | undefined, number, [number, number, number]][] = [
    ['another length of splits', (id) => `POST /workouts/${id}/recalculate-splits`, undefined, 2, [1609.344, 3, 60]],
    [
      'zones that score all workouts again',
      () => 'POST /settings/heart-rate-zones/update-with-recalc',
      { ...stored, recalculateExisting: true },
      2,
      [1000, 4, 100],
    ],
    ['zones alone, beside which its own stay', () => 'PUT /settings/heart-rate-zones', stored, 1, [1000, 4, 60]],
    ['zones alone, of one whose own are not known,', () => 'PUT /settings/heart-rate-zones', stored, 2, [1000, 4, 100]],
  ]
  test.each(changes)('%s', async (name, path, body, asked, expected) => {
    await using app = await testApp()
    const [id] = await falsifiedRuns(app, 1)
    if (name.includes('not known'))
      app.deps.db.$client.run("UPDATE document SET asked = json_set(asked, '$.zones', NULL)")
    await done(app, 'PUT /settings/unit-preference', { unitPreference: 'imperial' })
    const seen = meanwhile(app, 1, () => done(app, path(id!), body))
    await upgradeWorkouts(app.deps, NEVER)
    const { splits: cut, relativeEffort } = await done(app, `GET /workouts/${id}`)
    expect([seen.asked, cut[0].distanceM, cut.length, relativeEffort]).toEqual([asked, ...expected])
  })
})

describe('a workout that cannot be read', () => {
  test('is logged once, keeps its numbers, and does not affect the others', async () => {
    await using app = await testApp()
    const [broken, rowless, fine] = await falsifiedRuns(app, 3)
    setRows(app.deps, 'samples', { track: Buffer.from('no samples') }, { recording_id: broken! })
    setRows(app.deps, 'recording', { totals: 'no JSON' }, { id: rowless! })
    await upgradeWorkouts(app.deps, NEVER)
    expect(errors(app)).toHaveLength(2)
    for (const id of [broken, rowless]) expect(errors(app).filter((line) => line.includes(id!))).toHaveLength(1)
    const durations = rowsOf(app.deps, 'workout').map(({ id, duration_s }) => [id, duration_s])
    expect(Object.fromEntries(durations)).toEqual({ [broken!]: 1207, [rowless!]: 1207, [fine!]: 1200 })
    const before = app.logged.length
    await upgradeWorkouts(app.deps, NEVER)
    expect(app.logged).toHaveLength(before)
  })

  test('is not assumed on a full disk: the job ends, and continues at the next start', async () => {
    await using app = await testApp()
    const ids = await falsifiedRuns(app, 4)
    const stated: unknown[] = []
    app.deps.events.subscribe((event) => stated.push(event))
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    // the clock is asked when a workout is about to be written
    let written = 0
    Object.defineProperty(app.clock, 'nowMs', {
      get: () => {
        written += 1
        if (written === 2) throw new Error('Failed query', { cause: full })
        return START_MS
      },
    })
    await upgradeWorkouts(app.deps, NEVER)
    expect(written).toBe(2)
    expect(app.logged).toEqual([
      'info Deriving 4 runs again',
      'error The numbers of workouts of an older engine could not be derived again Failed query',
    ])
    // whoever looks at the first is notified, too
    expect(stated).toEqual([{ event: 'workout.updated', data: { id: null } }])
    await upgradeWorkouts(app.deps, NEVER)
    expect(versions(app)).toEqual(ids.map(() => ENGINE_VERSION))
  })
})

describe('the job', () => {
  test('works in batches of 50 with one event each, stops on request and continues at the next start', async () => {
    await using app = await testApp()
    const [first] = await falsifiedRuns(app, 1)
    const { route_id: _, ...workout } = rowsOf(app.deps, 'workout')[0]!
    const document = rowsOf(app.deps, 'document')[0]!
    const { totals } = firstRecording(app.deps, first!)
    for (let k = 1; k < 120; k += 1) {
      const id = `0198a000-0000-7000-8000-${String(k).padStart(12, '0')}`
      addRows(app.deps, 'workout', [{ ...workout, id, started_at: Number(workout.started_at) + k }])
      addRows(app.deps, 'document', [{ ...document, id }])
      addRecording(app.deps, id, { totals, samples: samplesOf(app.deps.db, first!) })
    }
    const stated: unknown[] = []
    app.deps.events.subscribe((event) => stated.push(event))
    const stop = new AbortController()
    const seen = meanwhile(app, 60, () => stop.abort())
    const toldBefore: number[] = []
    const derive = app.deps.analyzer.derive.bind(app.deps.analyzer)
    app.deps.analyzer.derive = (job) => {
      toldBefore.push(stated.length)
      return derive(job)
    }
    await upgradeWorkouts(app.deps, stop.signal)
    const event = { event: 'workout.updated', data: { id: null } }
    expect(stated).toEqual([event, event])
    // a few lie ahead with the Worker
    const ahead = seen.asked - 60
    expect(ahead).toBeWithin(0, 4)
    expect(toldBefore).toEqual([...Array(50).fill(0), ...Array(toldBefore.length - 50).fill(1)])
    const upgraded = versions(app).filter((version) => version === ENGINE_VERSION).length
    expect(upgraded).toBeWithin(55, 61)

    await upgradeWorkouts(app.deps, NEVER)
    expect(stated).toHaveLength(4)
    expect(versions(app)).toEqual(Array.from({ length: 120 }, () => ENGINE_VERSION))
    expect(new Set(rowsOf(app.deps, 'workout').map((run) => run.duration_s))).toEqual(new Set([1200]))
    expect(countOf(app.deps, 'workout_split')).toBe(480)
  })

  test('does not wait at the end for a Worker that has another file at work', async () => {
    await using app = await testApp()
    await falsifiedRuns(app, 1)
    let asked = 0
    app.deps.analyzer.derive = () => {
      asked += 1
      return new Promise(() => {})
    }
    const jobs = startJobs(app.deps, 0)
    while (asked === 0) await Bun.sleep(1)
    await jobs.stop()
    expect([asked, versions(app)]).toEqual([1, [0]])
  })

  test('without older runs starts no Worker and emits no event', async () => {
    await using app = await testApp({ env: { WEATHER_ENABLED: 'false' } })
    await imported(app, 'a.gpx', gpxRun())
    const stated: unknown[] = []
    // squares that the import before changed
    app.deps.events.subscribe((event) => event.event !== 'ground.updated' && stated.push(event))
    const seen = meanwhile(app, -1, () => {})
    const jobs = startJobs(app.deps, 0)
    await Bun.sleep(50)
    await jobs.stop()
    expect([seen.asked, stated, app.logged]).toEqual([0, [], []])
  })

  test('computes in the Worker: requests are answered meanwhile', async () => {
    await using app = await testApp()
    // 11 hours each, a fraction of a second of computing
    for (const day of [0, 1]) {
      const bytes = fitRun({ seconds: 40_000, startMs: START_MS - day * DAY_MS })
      falsify(app.deps, await imported(app, `${day}.fit`, bytes), ALL)
    }
    const analyzer = workerAnalyzer(app.deps.log)
    let isDone = false
    const work = upgradeWorkouts({ ...app.deps, analyzer }, NEVER).finally(() => {
      isDone = true
    })
    let turns = 0
    for (; !isDone; turns += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    await work
    analyzer.close()
    expect([errors(app), versions(app)]).toEqual([[], [ENGINE_VERSION, ENGINE_VERSION]])
    // computed on this thread each run would be one long turn
    expect(turns).toBeGreaterThan(20)
  }, 90_000)
})
