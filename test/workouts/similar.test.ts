import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { routeIndexes, workouts } from '../../src/db/schema.ts'
import { decodePath, type RoutePath } from '../../src/engine/route/path.ts'
import { SIMILAR_SCORE, similarTo } from '../../src/engine/route/similarity.ts'
import { startJobs } from '../../src/jobs.ts'
import { routeIndex } from '../../src/workers/route-index.ts'
import { yearsBefore } from '../../src/workouts/same-ground/similar.ts'
import { type TestApp, testApp } from '../app.ts'
import { addWorkout } from '../fixtures/feature-app.ts'
import { addRouteIndex, madeRoutes } from '../fixtures/route-library.ts'
import { type CornerRun, cornerRun } from '../fixtures/routes.ts'
import { fitRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { withRun } from '../with-run.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
const LOOP = [
  [0, 0],
  [1500, 0],
  [1500, 900],
  [700, 900],
  [700, 1600],
  [0, 1600],
  [0, 0],
]

const loopRun = (run: Partial<CornerRun> & { startMs: number }) => cornerRun({ corners: LOOP, ...run })

async function similar(app: TestApp, id: string, query = '') {
  const { status, json, text } = await app.call('GET', `/workouts/${id}/similar-routes${query}`)
  expect(status, text).toBe(200)
  return json
}

describe('refusals', () => {
  test('queries of the wrong form', async () => {
    const { app, id } = await withRun(loopRun({ startMs: START_MS }), 'a.gpx')
    for (const name of ['maxResults', 'maxYears']) {
      for (const value of ['0', '-1', '1.5', 'x', '', '1e400']) {
        const { status, json } = await app.call('GET', `/workouts/${id}/similar-routes?${name}=${value}`)
        expect([name, value, status]).toEqual([name, value, 400])
        expect(json.error).toContain(name)
      }
      expect(await similar(app, id, `?${name}=101`)).toEqual([])
      expect(await similar(app, id, `?${name}=9007199254740991`)).toEqual([])
    }
  })

  test('a run without route', async () => {
    const { app, id } = await withRun(indoorRun(START_MS))
    const { status, json } = await app.call('GET', `/workouts/${id}/similar-routes`)
    expect([status, json]).toEqual([400, { error: 'The workout has no route, so none is similar' }])
  })
})

test('an earlier run of the same loop, whole', async () => {
  const earlier = await app.run(loopRun({ startMs: START_MS - 7 * DAY_MS }), 'a.gpx')
  const later = await app.run(loopRun({ startMs: START_MS, speedMps: 4 }), 'a.gpx')
  await app.call('PATCH', `/workouts/${earlier}`, { json: { name: 'Loop', runType: 'Easy Run' } })
  const stored = (await app.call('GET', `/workouts/${earlier}`)).json
  const current = (await app.call('GET', `/workouts/${later}`)).json
  expect(await similar(app, later)).toEqual([
    {
      workoutId: earlier,
      similarityScore: 100,
      direction: 'same',
      distanceDifferenceM: 0,
      timeDifferenceS: stored.durationS - current.durationS,
      // 1000 / 3 - 1000 / 4 s, of whole durations over rounded metres: within 0.2 s
      paceDifferenceS: Math.round((stored.avgPaceS - current.avgPaceS) * 100) / 100,
      startedAt: '2025-10-25T07:00:00Z',
      name: 'Loop',
      runType: 'Easy Run',
      durationS: stored.durationS,
      distanceM: stored.distanceM,
      avgPaceS: stored.avgPaceS,
      avgHeartRateBpm: 140,
      relativeEffort: stored.relativeEffort,
      elevGainM: null,
    },
  ])
  expect(Math.abs(stored.avgPaceS - current.avgPaceS - 1000 / 12)).toBeLessThan(0.7)
})

test('a later run is never similar, and a reversed loop is known from the same one', async () => {
  const first = await app.run(loopRun({ startMs: START_MS - 3 * DAY_MS }), 'a.gpx')
  const reversed = await app.run(loopRun({ startMs: START_MS - 2 * DAY_MS, corners: [...LOOP].reverse() }), 'a.gpx')
  const middle = await app.run(loopRun({ startMs: START_MS - DAY_MS }), 'a.gpx')
  await app.run(loopRun({ startMs: START_MS }), 'a.gpx')
  const found = (await similar(app, middle)) as { workoutId: string; direction: string; similarityScore: number }[]
  expect(found.map(({ workoutId, direction }) => [workoutId, direction])).toEqual([
    [first, 'same'],
    [reversed, 'reverse'],
  ])
  // docs/algorithms.md 6: 89.97 for a reversed loop
  expect(Math.abs(found[1]!.similarityScore - 90)).toBeLessThan(0.3)
  expect(await similar(app, first)).toEqual([])
})

test('of one score the latest comes first, and only as many as asked', async () => {
  const ids: string[] = []
  for (let day = 5; day > 0; day -= 1) ids.push(await app.run(loopRun({ startMs: START_MS - day * DAY_MS }), 'a.gpx'))
  const id = await app.run(loopRun({ startMs: START_MS }), 'a.gpx')
  const order = async (query: string) =>
    (await similar(app, id, query)).map(({ workoutId }: { workoutId: string }) => workoutId)
  expect(await order('')).toEqual([...ids].reverse())
  expect(await order('?maxResults=2')).toEqual([ids[4]!, ids[3]!])
})

test('calendar years back from the run, to the millisecond', async () => {
  const runMs = Date.UTC(2024, 1, 29, 7)
  const exact = await app.run(loopRun({ startMs: Date.UTC(2023, 1, 28, 7) }), 'a.gpx')
  const before = await app.run(loopRun({ startMs: Date.UTC(2023, 1, 28, 7) - 1 }), 'a.gpx')
  const id = await app.run(loopRun({ startMs: runMs }), 'a.gpx')
  const ids = async (query: string) =>
    (await similar(app, id, query)).map(({ workoutId }: { workoutId: string }) => workoutId)
  expect(await ids('?maxYears=1')).toEqual([exact])
  expect(await ids('?maxYears=2')).toEqual([exact, before])
  expect(new Date(yearsBefore(Date.UTC(2025, 11, 31, 23, 59), 2)).toISOString()).toBe('2023-12-31T23:59:00.000Z')
})

test('two laps are not one, a parallel street is not this one, and across the antimeridian all is the same', async () => {
  const place = [-34, 179.995] as const
  await app.run(loopRun({ startMs: START_MS - 3 * DAY_MS, corners: [...LOOP, ...LOOP.slice(1)], place }), 'a.gpx')
  await app.run(
    loopRun({ startMs: START_MS - 2 * DAY_MS, corners: LOOP.map(([x, y]) => [x!, y! + 65]), place }),
    'a.gpx',
  )
  const same = await app.run(loopRun({ startMs: START_MS - DAY_MS, place }), 'a.gpx')
  const id = await app.run(loopRun({ startMs: START_MS, place }), 'a.gpx')
  expect((await similar(app, id)).map(({ workoutId }: { workoutId: string }) => workoutId)).toEqual([same])
})

test('a crop changes what is similar, a deletion takes it away', async () => {
  const straight = (metres: number) => [
    [0, 0],
    [metres, 0],
  ]
  const long = await app.run(loopRun({ startMs: START_MS - 2 * DAY_MS, corners: straight(6000) }), 'a.gpx')
  const id = await app.run(loopRun({ startMs: START_MS, corners: straight(3000) }), 'a.gpx')
  expect(await similar(app, id)).toEqual([])
  await app.call('POST', `/workouts/${long}/crop`, { json: { removeFromEndSeconds: 1000 } })
  expect((await similar(app, id))[0]).toMatchObject({ workoutId: long, direction: 'same' })
  await app.call('DELETE', `/workouts/${long}`)
  expect(await similar(app, id)).toEqual([])
})

test('routes of a database older than the index are put into it at the start', async () => {
  const earlier = await app.run(loopRun({ startMs: START_MS - DAY_MS }), 'a.gpx')
  const broken = await app.run(fitRun({ startMs: START_MS - 2 * DAY_MS }), 'b.fit')
  const id = await app.run(loopRun({ startMs: START_MS }), 'a.gpx')
  const rows = () => app.deps.db.select().from(routeIndexes).orderBy(routeIndexes.workoutId).all()
  const whole = rows().filter(({ workoutId }) => workoutId !== broken)
  app.deps.db.delete(routeIndexes).run()
  app.deps.db.$client.run('UPDATE workout SET engine_version = 1')
  app.deps.db.$client.run("UPDATE samples SET track = x'00' WHERE recording_id = ?", [broken])
  // the run that is asked for needs no index of its own
  expect(await similar(app, id)).toEqual([])
  const jobs = startJobs(app.deps, 0)
  for (let i = 0; i < 100 && rows().length < 2; i += 1) await Bun.sleep(10)
  await jobs.stop()
  expect(rows()).toEqual(whole)
  expect((await similar(app, id))[0]).toMatchObject({ workoutId: earlier, similarityScore: 100 })
  expect(app.logged.filter((line) => line.includes(broken))).toHaveLength(1)
})

describe('the first ten are those of scoring every route', () => {
  const ROUTES = 1000
  const idOf = (k: number) => `0198a000-0000-7000-8000-${k.toString(16).padStart(12, '0')}`

  /** Every run half a day after the one before. */
  function fill(app: TestApp): void {
    app.deps.db.transaction((tx) => {
      for (const [k, route] of madeRoutes(ROUTES, 11).entries()) {
        const startedAt = START_MS - (ROUTES - k) * (DAY_MS / 2)
        addWorkout(app.deps, {
          id: idOf(k),
          startedAt,
          routePreview: [
            [0, 0],
            [1, 1],
          ],
        })
        addRouteIndex(tx, idOf(k), { startedAtMs: startedAt, index: routeIndex(route) })
      }
    })
  }

  test('of 1,000 made ones, laps of a track among them', async () => {
    fill(app)
    const paths = app.deps.db.select().from(routeIndexes).all()
    const byId = new Map<string, RoutePath>(paths.map((row) => [row.workoutId, decodePath(row.path, row.lengthM)]))
    let matches = 0
    for (let k = 3; k < ROUTES; k += 23) {
      const path = byId.get(idOf(k))!
      const score = similarTo(path)
      const all = Array.from({ length: k }, (_, earlier) => {
        const { score: exact, direction } = score(byId.get(idOf(earlier))!)
        return { k: earlier, exact, similarityScore: Math.floor(exact * 10 + 0.5) / 10, direction }
      })
      const best = all
        .filter(({ exact }) => exact >= SIMILAR_SCORE)
        .sort((a, b) => b.similarityScore - a.similarityScore || b.k - a.k)
        .slice(0, 10)
      const found = await similar(app, idOf(k))
      expect(
        found.map((match: Record<string, unknown>) => [match.workoutId, match.similarityScore, match.direction]),
      ).toEqual(best.map((match) => [idOf(match.k), match.similarityScore, match.direction]))
      matches += best.length
    }
    // it compared something: 44 runs have some matches each
    expect(matches).toBeGreaterThan(100)
    expect(
      app.deps.db
        .select()
        .from(workouts)
        .where(eq(workouts.id, idOf(0)))
        .all(),
    ).toHaveLength(1)
  }, 120_000)
})

describe('long routes', () => {
  /** Rounds of the loop of 6.2 km. */
  const rounds = (count: number) => [LOOP[0]!, ...Array.from({ length: count }, () => LOOP.slice(1)).flat()]

  async function library(): Promise<{ app: TestApp; ids: string[]; asked: string[] }> {
    const app = await testApp()
    const ids: string[] = []
    for (const [day, count] of [5, 6, 4, 1, 5].entries()) {
      const startMs = START_MS - (10 - day) * DAY_MS
      ids.push(await app.run(loopRun({ startMs, corners: rounds(count) }), 'a.gpx'))
    }
    const asked: string[] = []
    const { derive } = app.deps.analyzer
    app.deps.analyzer.derive = (job) => {
      asked.push(job.what)
      return derive(job)
    }
    return { app, ids, asked }
  }

  test('are compared by the Worker, each pair in a turn of its own, and score as here', async () => {
    const { app, ids, asked } = await library()
    const paths = ids.map((id) => {
      const stored = app.deps.db.select().from(routeIndexes).where(eq(routeIndexes.workoutId, id)).get()!
      return decodePath(stored.path, stored.lengthM)
    })
    const score = similarTo(paths[4]!)
    const scored = paths.slice(0, 4).map((path, at) => ({ id: ids[at]!, score: score(path).score }))
    const best = scored.filter((one) => one.score >= SIMILAR_SCORE).sort((a, b) => b.score - a.score)
    expect(best.map(({ id }) => id)).toEqual([ids[0]!, ids[1]!, ids[2]!])
    const found = await similar(app, ids[4]!)
    expect(found.map(({ workoutId }: { workoutId: string }) => workoutId)).toEqual(best.map(({ id }) => id))
    expect(found.map(({ similarityScore }: { similarityScore: number }) => similarityScore)).toEqual(
      best.map((one) => Math.round(one.score * 10) / 10),
    )
    expect(asked).toEqual(['routeBounds', 'similarity', 'similarity', 'similarity'])
    asked.length = 0
    await similar(app, ids[3]!)
    expect(asked).toEqual([])
    await app.close()
  })

  test('whose index is still being built are made by the Worker, with the same result', async () => {
    const { app, ids, asked } = await library()
    const before = await similar(app, ids[4]!)
    app.deps.db.delete(routeIndexes).where(eq(routeIndexes.workoutId, ids[4]!)).run()
    asked.length = 0
    expect(await similar(app, ids[4]!)).toEqual(before)
    expect(asked[0]).toBe('routeIndex')
    await app.close()
  })
})
