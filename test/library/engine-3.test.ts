// The distance of GPS tracks is stored with their samples: engine 3 makes it anew where an older one made it otherwise.
import { expect, test } from 'bun:test'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { samplesOf } from '../../src/library/recordings.ts'
import { packTrack, unpackTrack } from '../../src/workers/pack.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { firstRecording, replaceSamples } from '../fixtures/recordings.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { rowsOf, setRows } from './as-stored.ts'
import { NEVER } from './falsified.ts'
import { done, stored } from './ledger.ts'

/** Ten minutes of running as GPX. */
const RUN = gpxFile({ points: straightPoints({ n: 601, startMs: START_MS }) })

/** What is stored is of the second engine. */
function asSecond({ deps }: TestApp): void {
  for (const table of ['workout', 'samples']) setRows(deps, table, { engine_version: 2 })
}

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
  setRows(app.deps, 'workout', { distance_m: 1, splits_count: 0 })
  asSecond(app)
  await upgradeWorkouts(app.deps, NEVER)
  expect(await everything(app, id)).toEqual(before)
  // that of a device is never made again
  const device = await stored(app, 'a.fit', fitRun({ startMs: START_MS + 86_400_000 }))
  shorten(app, device)
  const short = (await everything(app, device))[1].distanceM
  setRows(app.deps, 'workout', { engine_version: 2 })
  await upgradeWorkouts(app.deps, NEVER)
  expect((await everything(app, device))[1].distanceM).toEqual(short)
})

test('a crop of a run that still waits for the new engine is one of the new distance, and so is its revert', async () => {
  const cut = async (isWaiting: boolean) => {
    await using app = await testApp()
    const id = await stored(app, 'a.gpx', RUN)
    if (isWaiting) {
      shorten(app, id)
      asSecond(app)
    }
    const crop = { removeFromStartSeconds: 100, removeFromEndSeconds: 50 }
    const { distanceM, movingTimeS, splitsCount } = await done(app, `POST /workouts/${id}/crop`, crop)
    return [distanceM, movingTimeS, splitsCount, (await done(app, `POST /workouts/${id}/revert`)).distanceM]
  }
  expect(await cut(true)).toEqual(await cut(false))
})

test('a join of runs that still wait for the new engine, and its undoing, have the new distance', async () => {
  await using app = await testApp()
  await using waiting = await testApp()
  const joined = async (target: TestApp) => {
    const ids = []
    for (const startMs of [START_MS, START_MS + 700_000]) {
      ids.push(await stored(target, `${startMs}.gpx`, gpxFile({ points: straightPoints({ n: 601, startMs }) })))
      if (target === waiting) shorten(target, ids.at(-1)!)
    }
    if (target === waiting) asSecond(target)
    const { headers, json } = await target.call('POST', '/workouts/join', { json: { ids } })
    const together = await done(target, `GET /workouts/${json.id}`)
    await done(target, `POST /receipts/${headers.get('harrier-receipt')}/undo`)
    const alone = await Promise.all(ids.map((id) => done(target, `GET /workouts/${id}/samples`)))
    return [together.distanceM, ...alone.map(({ distanceM }) => distanceM.at(-1))]
  }
  expect(await joined(waiting)).toEqual(await joined(app))
  const versions = rowsOf(waiting.deps, 'samples', 'engine_version').map(({ engine_version }) => engine_version)
  expect(new Set(versions)).toEqual(new Set([ENGINE_VERSION]))
})
