// A run of a day: what is made of it is the Worker's, and the answers are those of any other run.
import { expect, spyOn, test } from 'bun:test'
import { workoutTrack } from '../../src/library/recordings.ts'
import { type ComputeJob, compute } from '../../src/workers/compute.ts'
import { heartRatePage } from '../../src/workers/heart-rate-page.ts'
import * as pack from '../../src/workers/pack.ts'
import { sampleText } from '../../src/workers/sample-text.ts'
import type { TestApp } from '../app.ts'
import { fitRun } from '../fixtures/runs.ts'
import { withRun } from '../with-run.ts'

const LONG_S = 20_000
const ELEVATION = { thresholdM: 2, minDistanceM: 10 }

/** A run, and what the Worker was asked since its import. */
async function watched(seconds: number) {
  const { app, id } = await withRun(fitRun({ seconds }))
  const asked: ComputeJob['what'][] = []
  app.deps.analyzer.derive = (job) => {
    asked.push(job.what)
    return Promise.resolve(compute(job))
  }
  return { app, id, asked }
}

test('samples of a long track are written by the Worker, those of an hour here, both the same text', async () => {
  for (const [seconds, expected] of [
    [LONG_S, ['samples', 'samples']],
    [3600, []],
  ] as const) {
    const { app, id, asked } = await watched(seconds)
    const track = workoutTrack(app.deps.db, id)
    for (const maxPoints of [null, 500]) {
      const query = maxPoints === null ? '' : `?maxPoints=${maxPoints}`
      const { text, json } = await app.call('GET', `/workouts/${id}/samples${query}`)
      const bestEfforts = JSON.stringify(json.bestEfforts)
      expect(text).toBe([...sampleText(track, { elevation: ELEVATION, maxPoints, bestEfforts })].join(''))
      expect([json.totalCount, json.elapsedS.length]).toEqual([seconds + 1, maxPoints ?? seconds + 1])
    }
    expect([...asked]).toEqual([...expected])
  }
})

test('heart rates of a long track are looked up by the Worker, in the same pages', async () => {
  const { app, id, asked } = await watched(LONG_S)
  const track = workoutTrack(app.deps.db, id)!
  const { json } = await app.call('GET', `/workouts/${id}/time-series?page=20&pageSize=1000`)
  expect(json).toEqual({
    ...heartRatePage(track, { page: 20, pageSize: 1000 }),
    ...{ page: 20, pageSize: 1000, totalPages: 21 },
  })
  expect(json.items[0].elapsedSeconds).toBe(19_000)
  expect((await app.call('GET', `/workouts/${id}/time-series?page=22&pageSize=1000`)).status).toBe(404)
  expect(asked).toEqual(['heartRates', 'heartRates'])
})

/** How often samples are unpacked on this thread beside what the Worker does. */
async function unpackedHere(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  const unpacking = [spyOn(pack, 'unpackTrack'), spyOn(pack, 'unpackHeartRate')]
  const calls = () => unpacking.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  const { derive } = app.deps.analyzer
  let there = 0
  app.deps.analyzer.derive = async (job) => {
    const before = calls()
    const derived = await derive(job)
    there += calls() - before
    return derived
  }
  await work()
  app.deps.analyzer.derive = derive
  const here = calls() - there
  for (const one of unpacking) one.mockRestore()
  return here
}

test('a workout is cut, undone and recalculated by the Worker; this thread unpacks nothing', async () => {
  const { app, id, asked } = await watched(3600)
  await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 40 })
  for (const [path, body, expected] of [
    ['crop', { removeFromStartSeconds: 600 }, ['repair', 'everything']],
    ['recalculate-effort', undefined, ['effort']],
    ['recalculate-splits', undefined, ['splits']],
    ['revert', undefined, ['everything']],
  ] as const) {
    asked.length = 0
    const here = await unpackedHere(app, async () => {
      // the detail with its route is the answer of two of them
      const { status } = await app.call('POST', `/workouts/${id}/${path}`, body === undefined ? {} : { json: body })
      expect([path, status]).toEqual([path, 200])
    })
    // fitness follows every change
    expect([path, ...asked.filter((what) => what !== 'fitness')]).toEqual([path, ...expected])
    expect([path, here]).toEqual([path, 0])
  }
})

test('the route of a long repaired run is cut by the Worker; that of an hour here, out of its positions', async () => {
  for (const [seconds, expected] of [
    [LONG_S, ['route']],
    [3600, []],
  ] as const) {
    const { app, id, asked } = await watched(seconds)
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 600 })
    await app.ok('POST', `/workouts/${id}/cut`, { fromElapsedS: 900, toElapsedS: 1200 })
    asked.length = 0
    let route: unknown
    const here = await unpackedHere(app, async () => {
      route = (await app.ok('GET', `/workouts/${id}`)).route
    })
    expect([seconds, here, ...asked]).toEqual([seconds, 0, ...expected])
    const { latDeg, lonDeg } = workoutTrack(app.deps.db, id)!
    const rounded = (deg: number) => Number(deg.toFixed(7))
    expect(route).toEqual({
      type: 'LineString',
      coordinates: [...latDeg].flatMap((lat, row) =>
        Number.isNaN(lat) ? [] : [[rounded(lonDeg[row]!), rounded(lat)]],
      ),
    })
  }
})
