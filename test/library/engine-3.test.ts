// The distance of GPS tracks is stored with their samples: engine 3 makes it anew where an older one made it otherwise.
import { expect, test } from 'bun:test'
import { samples, workouts } from '../../src/db/schema.ts'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { samplesOf } from '../../src/library/recordings.ts'
import { packTrack, unpackTrack } from '../../src/workers/pack.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { firstRecording, replaceSamples } from '../fixtures/recordings.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { NEVER } from './falsified.ts'
import { done, stored } from './ledger.ts'

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
  await done(app, `GET /workouts/${id}`),
  await done(app, `GET /workouts/${id}/samples`),
]

test('samples and numbers of an older engine are made again, of this one they are left alone', async () => {
  await using app = await testApp()
  const id = await stored(app, 'a.gpx', RUN)
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
  const id = await stored(other, 'a.gpx', RUN)
  const old = await stored(waiting, 'a.gpx', RUN)
  shorten(waiting, old)
  waiting.deps.db.update(workouts).set({ engineVersion: 2 }).run()
  waiting.deps.db.update(samples).set({ engineVersion: 2 }).run()
  const cut = async (target: TestApp, which: string) => {
    const { distanceM, movingTimeS, splitsCount } = await done(target, `POST /workouts/${which}/crop`, crop)
    return { distanceM, movingTimeS, splitsCount }
  }
  expect(await cut(waiting, old)).toEqual(await cut(other, id))
  const reverted = await done(waiting, `POST /workouts/${old}/revert`)
  expect(reverted.distanceM).toBe((await done(other, `POST /workouts/${id}/revert`)).distanceM)
  await waiting[Symbol.asyncDispose]()
})

test('a join of runs that still wait for the new engine, and its undoing, have the new distance', async () => {
  await using app = await testApp()
  await using waiting = await testApp()
  const run = (startMs: number) => gpxFile({ points: straightPoints({ n: 601, startMs }) })
  const joined = async (target: TestApp) => {
    const ids = []
    for (const startMs of [START_MS, START_MS + 700_000]) ids.push(await stored(target, `${startMs}.gpx`, run(startMs)))
    if (target === waiting) {
      for (const id of ids) shorten(target, id)
      target.deps.db.update(workouts).set({ engineVersion: 2 }).run()
      target.deps.db.update(samples).set({ engineVersion: 2 }).run()
    }
    const { headers, json } = await target.call('POST', '/workouts/join', { json: { ids } })
    const together = await done(target, `GET /workouts/${json.id}`)
    await done(target, `POST /receipts/${headers.get('harrier-receipt')}/undo`)
    const alone = await Promise.all(ids.map((id) => done(target, `GET /workouts/${id}/samples`)))
    return [together.distanceM, ...alone.map(({ distanceM }) => distanceM.at(-1))]
  }
  expect(await joined(waiting)).toEqual(await joined(app))
  const versions = waiting.deps.db.selectDistinct({ version: samples.engineVersion }).from(samples).all()
  expect(versions).toEqual([{ version: ENGINE_VERSION }])
})

test('the distance of a device is never made again', async () => {
  await using app = await testApp()
  const id = await stored(app, 'a.fit', fitRun())
  shorten(app, id)
  const before = (await everything(app, id))[1].distanceM
  app.deps.db.update(workouts).set({ engineVersion: 2 }).run()
  await upgradeWorkouts(app.deps, NEVER)
  expect((await everything(app, id))[1].distanceM).toEqual(before)
})
