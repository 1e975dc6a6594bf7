import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { densified, onGlobe } from '../../fixtures/routes.ts'
import { indoorRun, START_MS } from '../../fixtures/runs.ts'
import { withRun } from '../../with-run.ts'

const DAY_MS = 86_400_000
const LOOP = pairs('0,0 900,0 900,600 0,600 0,0')

/** 3 km, a point every 3 m and second; a stop at a metre for some seconds. */
function loopRun(startMs: number, { corners = LOOP, stop = [0, 0] }: { corners?: number[][]; stop?: number[] } = {}) {
  const route = onGlobe(densified(corners, 3), 52, 13.4)
  const points = Array.from(route.latDeg, (lat, k) => ({
    ...{ lat, lon: route.lonDeg[k]!, timeMs: startMs + 1000 * (k + (3 * k > stop[0]! ? stop[1]! : 0)), hr: 140 },
  }))
  return gpxFile({ points })
}

test('refusals: without route, the other way round, elsewhere', async () => {
  const { app, id } = await withRun(loopRun(START_MS), 'a.gpx')
  const reversed = await app.run(loopRun(START_MS - DAY_MS, { corners: LOOP.toReversed() }), 'a.gpx')
  const away = { corners: LOOP.map(([x]) => [x + 9000, x]) }
  const elsewhere = await app.run(loopRun(START_MS - 2 * DAY_MS, away), 'a.gpx')
  const indoor = await app.run(indoorRun(START_MS))
  const none = 'A workout without a route has no ghost'
  const little = 'The two runs share too little of their route, go in opposite directions, or have no recorded times'
  for (const [one, other, error] of [
    [id, indoor, none],
    [indoor, id, none],
    [id, reversed, little],
    [id, elsewhere, little],
  ]) {
    const { status, json } = await app.call('GET', `/workouts/${one}/ghost/${other}`)
    expect([status, json]).toEqual([400, expect.objectContaining({ error })])
  }
})

test('31 s behind, all of them at the traffic light', async () => {
  await using app = await testApp()
  const ghost = await app.run(loopRun(START_MS - DAY_MS), 'a.gpx')
  await app.ok('PATCH', `/workouts/${ghost}`, { name: 'Loop' })
  const id = await app.run(loopRun(START_MS, { stop: [1200, 31] }), 'a.gpx')
  const json = await app.ok('GET', `/workouts/${id}/ghost/${ghost}`)
  const startedAt = '2025-10-31T07:00:00Z'
  expect(json.ghost).toEqual({ workoutId: ghost, name: 'Loop', startedAt, utcOffsetMinutes: 60 })
  expect(json).toMatchObject({ sharedShare: 1, climbS: null, stops: [{ of: 'run' }] })
  expect(json.stops).toHaveLength(1)
  expect(Math.abs(json.gapS - 31)).toBeLessThan(0.5)
  expect(Math.abs(json.stopsS - 31)).toBeLessThanOrEqual(1.5)
  const { distanceM, elapsedS, ghostElapsedS, gapS, stopsS, paceS } = json.places
  const columns: number[][] = [distanceM, elapsedS, ghostElapsedS, gapS, stopsS, paceS]
  expect(new Set(columns.map(({ length }) => length)).size).toBe(1)
  for (const [k, gap] of gapS.entries()) expect(Math.abs(gap - stopsS[k] - paceS[k])).toBeLessThan(0.06)
  // the other way: as far ahead
  const back = await app.ok('GET', `/workouts/${ghost}/ghost/${id}`)
  expect(Math.abs(back.gapS + json.gapS)).toBeLessThan(0.5)
})
