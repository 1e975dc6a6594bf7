import { afterEach, beforeEach, expect, test } from 'bun:test'
import { SIMILAR_SCORE, similarTo } from '../../../src/engine/route/similarity.ts'
import { similarRoutes, yearsBefore } from '../../../src/features/workouts/same-ground/similar.ts'
import { pathOf, routeIndex } from '../../../src/workers/route-index.ts'
import { type TestApp, testApp } from '../../app.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { type CornerRun, cornerRun } from '../../fixtures/routes.ts'
import { indoorRun, START_MS } from '../../fixtures/runs.ts'
import { watched } from '../../fixtures/worker.ts'
import { removeRows, rowsOf } from '../../library/as-stored.ts'
import { addWorkout } from '../../library/feature-app.ts'
import { addRouteIndex, madeRoutes } from '../../library/route-library.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
const LOOP = pairs('0,0 1500,0 1500,900 700,900 700,1600 0,1600 0,0')

/** A run of the loop, so many days after the first of November. */
const loop = (day: number, run: Partial<CornerRun> = {}) =>
  app.run(cornerRun({ corners: LOOP, startMs: START_MS + day * DAY_MS, ...run }), 'a.gpx')
// biome-ignore lint/suspicious/noExplicitAny: members of an answer
const similar = (id: string, query = ''): Promise<any[]> => app.ok('GET', `/workouts/${id}/similar-routes${query}`)
const idsOf = async (id: string, query = '') => (await similar(id, query)).map(({ workoutId }) => workoutId)

/** As the database has them. */
const paths = (...ids: readonly string[]) => {
  const rows = new Map(rowsOf(app.deps, 'workout_route').map((row) => [row.workout_id as string, row]))
  const wanted = ids.map((id) => rows.get(id)!)
  return wanted.map(({ path, length_m }) => pathOf({ path: path as Uint8Array, lengthM: length_m as number }))
}

test('an earlier run of the same loop, whole; any number of results and years is taken, a run without route is refused', async () => {
  const [earlier, later] = [await loop(-7), await loop(0, { speedMps: 4 })]
  await app.ok('PATCH', `/workouts/${earlier}`, { name: 'Loop', runType: 'Easy Run' })
  const { durationS, distanceM, avgPaceS, relativeEffort } = await app.ok('GET', `/workouts/${earlier}`)
  const current = await app.ok('GET', `/workouts/${later}`)
  for (const query of ['', '?maxResults=101', '?maxYears=9007199254740991'])
    expect(await similar(later, query)).toEqual([
      {
        ...{ workoutId: earlier, similarityScore: 100, direction: 'same', distanceDifferenceM: 0 },
        timeDifferenceS: durationS - current.durationS,
        // 1000 / 3 - 1000 / 4 s, of whole durations over rounded metres: within 0.2 s
        paceDifferenceS: Math.round((avgPaceS - current.avgPaceS) * 100) / 100,
        ...{ startedAt: '2025-10-25T07:00:00Z', name: 'Loop', runType: 'Easy Run', durationS, distanceM, avgPaceS },
        ...{ avgHeartRateBpm: 140, relativeEffort, elevGainM: null, utcOffsetMinutes: 120, movingTimeS: durationS },
      },
    ])
  expect(Math.abs(avgPaceS - current.avgPaceS - 1000 / 12)).toBeLessThan(0.7)
  const { status, json } = await app.call('GET', `/workouts/${await app.run(indoorRun(START_MS))}/similar-routes`)
  expect([status, json]).toEqual([
    400,
    expect.objectContaining({ error: 'The workout has no route, so none is similar' }),
  ])
})

test('routes beyond 30 km are compared by the Worker, with the same result', async () => {
  const corners = [...Array.from({ length: 6 }, () => LOOP.slice(0, -1)).flat(), [0, 0]] as const
  const [earlier, later] = [await loop(-7, { corners, speedMps: 5 }), await loop(0, { corners, speedMps: 5 })]
  const jobs: string[] = []
  const worker = watched(app.deps.worker, { before: (job) => jobs.push(job) })
  const asked = () => similarRoutes({ ...app.deps, worker }, later, {})
  expect([(await asked())[0]?.workoutId, jobs]).toEqual([earlier, ['similarity']])
  // before its path is stored
  removeRows(app.deps, 'workout_route', { workout_id: later })
  expect([(await asked())[0]?.workoutId, jobs.at(-1)]).toEqual([earlier, 'similarity'])
})

test('a later run is never similar, and a reversed loop is known from the same one', async () => {
  const first = await loop(-3)
  const reversed = await loop(-2, { corners: LOOP.toReversed() })
  const middle = await loop(-1)
  await loop(0)
  // docs/algorithms.md 6: 89.97 for a reversed loop
  expect(await similar(middle)).toMatchObject([
    { workoutId: first, direction: 'same' },
    { workoutId: reversed, direction: 'reverse', similarityScore: expect.closeTo(90, 0) },
  ])
  expect(await idsOf(middle, '?maxResults=1')).toEqual([first])
  expect(await similar(first)).toEqual([])
})

test('calendar years back from the run, to the millisecond', async () => {
  const exact = await loop(0, { startMs: Date.UTC(2023, 1, 28, 7) })
  const before = await loop(0, { startMs: Date.UTC(2023, 1, 28, 7) - 1 })
  const id = await loop(0, { startMs: Date.UTC(2024, 1, 29, 7) })
  expect(await idsOf(id, '?maxYears=1')).toEqual([exact])
  expect(await idsOf(id, '?maxYears=2')).toEqual([exact, before])
  expect(new Date(yearsBefore(Date.UTC(2025, 11, 31, 23, 59), 2)).toISOString()).toBe('2023-12-31T23:59:00.000Z')
})

test('the first ten are those of scoring every route, of 1,000 made ones, laps of a track among them', async () => {
  const ids = Array.from({ length: 1000 }, (_, k) => `0198a000-0000-7000-8000-${k.toString(16).padStart(12, '0')}`)
  app.deps.db.transaction((tx) => {
    for (const [k, route] of madeRoutes(ids.length, 11).entries()) {
      // half a day after the one before
      const [id, startedAt] = [ids[k]!, START_MS - (ids.length - k) * (DAY_MS / 2)]
      const routePreview: [number, number][] = [0, 1].map((deg) => [deg, deg])
      addWorkout(app.deps, { id, startedAt, routePreview })
      addRouteIndex(tx, id, { startedAtMs: startedAt, index: routeIndex(route) })
    }
  })
  const all = paths(...ids)
  let matches = 0
  for (let k = 3; k < ids.length; k += 23) {
    const score = similarTo(all[k]!)
    const best = all
      .slice(0, k)
      .map((path, earlier) => ({ earlier, ...score(path) }))
      .filter((one) => one.score >= SIMILAR_SCORE)
      .map((one) => ({ ...one, rounded: Math.floor(one.score * 10 + 0.5) / 10 }))
      .sort((a, b) => b.rounded - a.rounded || b.earlier - a.earlier)
      .slice(0, 10)
    const found = (await similar(ids[k]!)).map((match) => [match.workoutId, match.similarityScore, match.direction])
    expect(found).toEqual(best.map(({ earlier, rounded, direction }) => [ids[earlier]!, rounded, direction]))
    matches += best.length
  }
  expect(matches).toBeGreaterThan(100)
}, 120_000)
