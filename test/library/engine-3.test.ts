// The distance of GPS tracks is stored with their samples: engine 3 makes it anew where an older one made it otherwise.
import { expect, test } from 'bun:test'
import { samples, workouts } from '../../src/db/schema.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { samplesOf } from '../../src/library/recordings.ts'
import { packTrack, unpackTrack } from '../../src/workers/pack.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { firstRecording, replaceSamples } from '../fixtures/recordings.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { imported, NEVER, ok } from './falsified.ts'

/** Ten minutes of running as GPX. */
const RUN = gpxFile({ points: straightPoints({ n: 601, startMs: START_MS }) })

/** Stores the distance as an older engine would have made it: a tenth of it lost. */
function shorten(app: TestApp, id: string): void {
  const { id: recordingId } = firstRecording(app.deps, id)
  const track = unpackTrack(samplesOf(app.deps.db, recordingId)!)
  const distanceM = track.distanceM.map((metres) => Math.round(metres * 90) / 100)
  replaceSamples(app.deps, recordingId, packTrack({ ...track, distanceM }))
}

const everything = async (app: TestApp, id: string) => [
  await ok(app, 'GET', `/workouts/${id}`),
  await ok(app, 'GET', `/workouts/${id}/samples`),
]

test('samples and numbers of an older engine are made anew, of this one they are left alone', async () => {
  await using app = await testApp()
  const id = await imported(app, 'a.gpx', RUN)
  const before = await everything(app, id)
  shorten(app, id)
  await upgradeWorkouts(app.deps, NEVER)
  const shortened = await everything(app, id)
  expect(shortened[1].distanceM.at(-1)).toBeCloseTo(0.9 * before[1].distanceM.at(-1), 1)
  app.deps.db.update(workouts).set({ engineVersion: 2, distanceM: 1, splitsCount: 0 }).run()
  app.deps.db.update(samples).set({ engineVersion: 2 }).run()
  await upgradeWorkouts(app.deps, NEVER)
  expect(await everything(app, id)).toEqual(before)
})

test('a crop of a run that still waits for the new engine is one of the new distance', async () => {
  await using app = await testApp()
  const [waiting, other] = [await testApp(), app]
  const crop = { removeFromStartSeconds: 100, removeFromEndSeconds: 50 }
  const id = await imported(other, 'a.gpx', RUN)
  const old = await imported(waiting, 'a.gpx', RUN)
  shorten(waiting, old)
  waiting.deps.db.update(workouts).set({ engineVersion: 2 }).run()
  waiting.deps.db.update(samples).set({ engineVersion: 2 }).run()
  const cut = async (target: TestApp, which: string) => {
    const { distanceM, movingTimeS, splitsCount } = await ok(target, 'POST', `/workouts/${which}/crop`, crop)
    return { distanceM, movingTimeS, splitsCount }
  }
  expect(await cut(waiting, old)).toEqual(await cut(other, id))
  const reverted = await ok(waiting, 'POST', `/workouts/${old}/revert`)
  expect(reverted.distanceM).toBe((await ok(other, 'POST', `/workouts/${id}/revert`)).distanceM)
  await waiting[Symbol.asyncDispose]()
})

test('the distance of a device is never made anew', async () => {
  await using app = await testApp()
  const id = await imported(app, 'a.fit', fitRun())
  shorten(app, id)
  const before = (await everything(app, id))[1].distanceM
  app.deps.db.update(workouts).set({ engineVersion: 2 }).run()
  await upgradeWorkouts(app.deps, NEVER)
  expect((await everything(app, id))[1].distanceM).toEqual(before)
})
