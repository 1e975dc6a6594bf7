import { expect, test } from 'bun:test'
import { stretchOf } from '../../../src/engine/route/stretch.ts'
import { workoutTrack } from '../../../src/library/recordings.ts'
import { type TestApp, testApp } from '../../app.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { oraclePasses } from '../../fixtures/pass-oracle.ts'
import { type CornerRun, cornerRun } from '../../fixtures/routes.ts'
import { indoorRun, START_MS } from '../../fixtures/runs.ts'
import { madeRoutes } from '../../library/route-library.ts'
import { withRun } from '../../with-run.ts'

const DAY_MS = 86_400_000

const STREET = pairs('-400,0 995,0')
/** 500 m of the street. */
const HALF = 'fromM=500&toM=1000'

const streetRun = (run: Partial<CornerRun> & { startMs: number }) => cornerRun({ corners: STREET, ...run })

const passes = (app: TestApp, id: string, query = HALF) => app.ok('GET', `/workouts/${id}/passes?${query}`)

test('the first time here: the pass of the run itself, whole; sections that are none, or without a route, are refused', async () => {
  const { app, id } = await withRun(streetRun({ startMs: START_MS }), 'a.gpx')
  await app.ok('PATCH', `/workouts/${id}`, { name: 'Street' })
  const own = {
    ...{ workoutId: id, name: 'Street', startedAt: '2025-11-01T07:00:00Z', utcOffsetMinutes: 60, direction: 'same' },
    ...{ startElapsedS: expect.closeTo(166.7, 0), endElapsedS: expect.closeTo(333.3, 0), elapsedS: 167 },
    ...{ movingTimeS: 167, avgHeartRateBpm: 140, rank: 1 },
  }
  expect(await passes(app, id)).toEqual({
    ...{ fromM: 500, toM: 1000, lengthM: expect.closeTo(500, 0), count: 1, sameCount: 1, runCount: 1 },
    ...{ own, best: own, atSamePulse: null, passes: [own] },
  })
  expect(await passes(app, id, '')).toMatchObject({ fromM: 0, toM: 1395, own: { startElapsedS: 0, elapsedS: 465 } })
  const indoor = await app.run(indoorRun(START_MS + DAY_MS))
  for (const [of, query, named] of [
    [id, 'fromM=100&toM=199', 'toM must be at least 100 m after fromM'],
    [id, 'fromM=400&toM=100', 'toM must be at least 100 m after fromM'],
    [id, 'fromM=100&toM=4000', 'fromM and toM must lie within the 1395'],
    [id, 'fromM=3000&toM=4000', 'fromM must be at least 100 m before the end'],
    [id, 'fromM=1300', 'fromM must be at least 100 m before the end'],
    [indoor, 'fromM=100&toM=400', 'The workout has no route, so it has no sections'],
  ]) {
    const { status, json } = await app.call('GET', `/workouts/${of}/passes?${query}`)
    expect([query, status, json.error]).toEqual([query, 400, expect.stringContaining(named!)])
  }
})

test('faster and slower ones before and after, the other way round separately', async () => {
  await using app = await testApp()
  const add = (day: number, run: Partial<CornerRun> = {}) => {
    return app.run(streetRun({ startMs: START_MS + day * DAY_MS, ...run }), 'a.gpx')
  }
  const fastest = await add(-30, { speedMps: 4 })
  const slow = await add(-20, { speedMps: 2.5 })
  const back = await add(-10, { corners: STREET.toReversed(), speedMps: 5 })
  const elsewhere = await add(-5, { corners: STREET.map(([x, y]) => [x!, y! + 40]) })
  const id = await add(0)
  const later = await add(3, { speedMps: 3.5 })
  const found = await passes(app, id)
  expect(found).toMatchObject({ count: 5, sameCount: 4, runCount: 5, own: { workoutId: id, rank: 3 } })
  expect(found.best).toMatchObject({ workoutId: fastest, elapsedS: 125, startedAt: '2025-10-02T07:00:00Z' })
  const shown = found.passes.map((pass: Record<string, unknown>) => [
    ...[pass.workoutId, pass.direction, pass.elapsedS, pass.rank],
  ])
  expect(shown).toEqual([
    [later, 'same', 143, 2],
    [id, 'same', 167, 3],
    [back, 'reverse', 100, 1],
    [slow, 'same', 200, 4],
    [fastest, 'same', 125, 1],
  ])
  expect(JSON.stringify(found)).not.toContain(elsewhere)
  const few = await passes(app, id, `${HALF}&maxResults=2`)
  expect(few).toEqual({ ...found, passes: found.passes.slice(0, 2) })
  // seen from the other run the directions change places
  expect(await passes(app, back, 'fromM=400&toM=900')).toMatchObject({ count: 5, sameCount: 1, own: { rank: 1 } })
})

test('at this pulse eight seconds faster than last autumn', async () => {
  await using app = await testApp()
  // 500 m take 170 s at 140 bpm and 2 s less a beat
  for (const [k, hr] of [130, 135, 140, 145, 150].entries()) {
    const startMs = Date.UTC(2024, 9, 1 + k, 7)
    await app.run(streetRun({ startMs, hr, speedMps: 500 / (170 - 2 * (hr - 140)) }), 'a.gpx')
  }
  const id = await app.run(streetRun({ startMs: START_MS, hr: 145, speedMps: 500 / 152 }), 'a.gpx')
  const { atSamePulse } = await passes(app, id)
  expect(atSamePulse).toMatchObject({ season: 'autumn', year: 2024, passes: 5, heartRateBpm: 145 })
  expect(Math.abs(atSamePulse.differenceS - -8)).toBeLessThan(0.5)
  expect(Math.abs(atSamePulse.secondsPerBpm - -2)).toBeLessThan(0.1)
})

test('equal to a brute force over the tracks of the library', async () => {
  await using app = await testApp()
  const routes = madeRoutes(60, 31)
  const ids: string[] = []
  for (const [k, { latDeg, lonDeg }] of routes.entries()) {
    const points = Array.from(latDeg, (lat, i) => ({
      ...{ lat, lon: lonDeg[i]!, timeMs: START_MS - (60 - k) * DAY_MS + i * 3000, hr: 140 },
    }))
    ids.push(await app.run(gpxFile({ points }), `${k}.gpx`))
  }
  const random = seededRandom(3)
  let others = 0
  for (let k = 0; k < 12; k += 1) {
    const id = ids[Math.floor(random() * ids.length)]!
    const track = workoutTrack(app.deps.db, id)!
    const lengthM = [120, 400, 900][k % 3]!
    const fromM = Math.floor(random() * (track.distanceM.at(-1)! - lengthM))
    const { stretch } = stretchOf(track, fromM, fromM + lengthM)!
    const found = await passes(app, id, `fromM=${fromM}&toM=${fromM + lengthM}&maxResults=1000`)
    const expected = ids.flatMap((other) => {
      if (other === id) return []
      const { tS, ...positions } = workoutTrack(app.deps.db, other)!
      return oraclePasses(stretch, tS, positions).map(({ direction, startS, endS }) => {
        return [other, direction, startS.toFixed(3), endS.toFixed(3)].join(' ')
      })
    })
    const shown = found.passes.flatMap((pass: Record<string, number | string>) => {
      const [startS, endS] = [Number(pass.startElapsedS).toFixed(3), Number(pass.endElapsedS).toFixed(3)]
      return pass.workoutId === id ? [] : [[pass.workoutId, pass.direction, startS, endS].join(' ')]
    })
    expect(shown.toSorted()).toEqual(expected.toSorted())
    others += expected.length
  }
  expect(others).toBeGreaterThan(30)
}, 120_000)

test('a run that is left out holds no record and counts for no other; its own passes are still shown', async () => {
  await using app = await testApp()
  const fast = await app.run(streetRun({ startMs: START_MS - DAY_MS, speedMps: 5 }), 'a.gpx')
  const slow = await app.run(streetRun({ startMs: START_MS - 2 * DAY_MS, speedMps: 2.5 }), 'a.gpx')
  const id = await app.run(streetRun({ startMs: START_MS }), 'a.gpx')
  const before = await passes(app, id)
  expect(before).toMatchObject({ count: 3, own: { rank: 2 }, best: { workoutId: fast } })
  await app.ok('PATCH', `/workouts/${fast}`, { leftOut: true })
  const without = await passes(app, id)
  expect(without).toMatchObject({ count: 2, runCount: 2, own: { rank: 1 }, best: { workoutId: id } })
  expect(without.passes.map(({ workoutId }: { workoutId: string }) => workoutId)).toEqual([id, slow])
  // seen from itself it is there, but the best is one that counts
  const own = await passes(app, fast)
  expect(own).toMatchObject({ count: 3, own: { workoutId: fast, rank: 1 }, best: { workoutId: id } })
  await app.ok('PATCH', `/workouts/${fast}`, { leftOut: false })
  expect(await passes(app, id)).toEqual(before)
})
