import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { workoutLoads, workoutTrainings } from '../../src/db/schema-training.ts'
import { decodedHistogram, decodedTenths, type Histogram } from '../../src/engine/training/run/histograms.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { changeSettings } from '../../src/library/settings.ts'
import { DEFAULT_TRAINING } from '../../src/library/training/profile.ts'
import { createLoadRefresher, trainingState } from '../../src/library/training/refresh.ts'
import { type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { removeRows, setRows } from './as-stored.ts'
import { NEVER } from './falsified.ts'
import { stored } from './ledger.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000

const trainings = ({ deps }: TestApp) =>
  deps.db.select().from(workoutTrainings).orderBy(workoutTrainings.workoutId).all()
const sumOf = ({ counts }: Histogram) => counts.reduce((sum, count) => sum + count, 0)

async function loads({ deps }: TestApp) {
  await createLoadRefresher(deps).refresh()
  return deps.db.select().from(workoutLoads).orderBy(workoutLoads.workoutId).all()
}

const loadOf = async (app: TestApp, id: string) => (await loads(app)).find(({ workoutId }) => workoutId === id)!
const crop = (app: TestApp, id: string, removeFromStartSeconds: number) =>
  app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds })
function setMaximum({ deps }: TestApp, ...entries: readonly (readonly [from: string | null, bpm: number])[]): void {
  const others = { restingHeartRateBpm: null, lthrBpm: null, thresholdPaceS: null, massKg: null, heightCm: null }
  const known = entries.map(([from, maxHeartRateBpm]) => ({ ...others, from, maxHeartRateBpm }))
  changeSettings(deps.db, deps, { training: { ...DEFAULT_TRAINING, entries: known } })
}

describe('what is kept of a run', () => {
  test('comes with the import, follows a crop and its end, and goes with the run', async () => {
    const id = await stored(app, 'a.fit', hillyRun(START_MS))
    const [whole] = trainings(app)
    expect(whole).toMatchObject({ workoutId: id, decouplingReason: 'tooShort', indoor: false })
    expect(whole!.hrHist.length).toBeGreaterThan(20)
    expect(whole!.speedHist.length).toBeGreaterThan(2)
    await crop(app, id, 600)
    const [cut] = trainings(app)
    expect((sumOf(decodedTenths(whole!.hrHist)) - sumOf(decodedTenths(cut!.hrHist))) / 10).toBeCloseTo(590, -1)
    expect(sumOf(decodedHistogram(whole!.speedHist)) - sumOf(decodedHistogram(cut!.speedHist))).toBeCloseTo(590, -1)
    await app.ok('POST', `/workouts/${id}/revert`)
    expect(trainings(app)).toEqual([whole!])
    await app.ok('DELETE', `/workouts/${id}`)
    expect(trainings(app)).toEqual([])
    expect(await loads(app)).toEqual([])
  })

  test('is made again where it is missing or of an older engine, the same as at the import', async () => {
    await stored(app, 'a.fit', hillyRun(START_MS))
    await stored(app, 'b.gpx', gpxRun({ startMs: START_MS + DAY_MS }))
    const row = { 'Activity ID': 5, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
    await stored(app, 'activities.csv', stravaCsv([{ ...row, 'Elapsed Time#2': 1800, 'Distance#2': 5000 }]))
    const before = trainings(app)
    expect(before).toHaveLength(3)
    removeRows(app.deps, 'workout_training', { workout_id: before[0]!.workoutId! })
    setRows(app.deps, 'workout_training', { peaks: Buffer.of(1) })
    setRows(app.deps, 'workout', { engine_version: 0 })
    await upgradeWorkouts(app.deps, NEVER)
    expect(trainings(app)).toEqual(before)
    const { revision } = trainingState(app.deps.db)
    await upgradeWorkouts(app.deps, NEVER)
    expect(trainingState(app.deps.db).revision).toBe(revision)
  })
})

describe('loads', () => {
  test('are those of the heart rate, the same after being computed again', async () => {
    setMaximum(app, [null, 190])
    const id = await stored(app, 'a.fit', fitRun({ seconds: 3600, hr: 140 }))
    const found = await loadOf(app, id)
    expect(found).toMatchObject({ source: 'heartRate', coverage: 1, suspect: false })
    expect(found.load!).toBeCloseTo(47, 0)
    expect(found.load).toBe(found.heartRate)
    removeRows(app.deps, 'workout_load')
    setRows(app.deps, 'workout', { rpe: 3 })
    expect({ ...(await loadOf(app, id)), rpe: null }).toEqual({ ...found, rpe: null })
  })

  test('a strap that fails after 45 of 60 min gives the load of the hour, one that fails after 20 that of the pace', async () => {
    const run = (day: number, withHeartS: number) =>
      fitFile({
        startMs: START_MS - day * DAY_MS,
        samples: Array.from({ length: 3601 }, (_, t) => ({
          ...{ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3, elevM: 400, speedMps: 3 },
          ...(t < withHeartS ? { hr: 140 } : {}),
        })),
      })
    const whole = await stored(app, 'a.fit', run(0, 3601))
    const most = await stored(app, 'b.fit', run(1, 2700))
    const little = await stored(app, 'c.fit', run(2, 1200))
    for (const day of [3, 4, 5]) await stored(app, `${day}.fit`, run(day, 3601))
    const full = await loadOf(app, whole)
    const lost = await loadOf(app, most)
    expect(lost.source).toBe('heartRate')
    expect(lost.coverage).toBeCloseTo(0.75, 3)
    expect(lost.load!).toBeCloseTo(full.load!, 1)
    const paced = await loadOf(app, little)
    expect(paced).toMatchObject({ source: 'pace', heartRate: null })
    expect(paced.load).toBe(paced.pace)
  })

  test('a maximum from today on changes no load before today, one since ever changes all', async () => {
    setMaximum(app, [null, 190])
    const first = await stored(app, 'a.fit', fitRun({ startMs: START_MS }))
    const second = await stored(app, 'b.fit', fitRun({ startMs: START_MS + 5 * DAY_MS }))
    const [a, b] = [await loadOf(app, first), await loadOf(app, second)]
    setMaximum(app, [null, 190], ['2025-11-06', 200])
    expect((await loadOf(app, first)).load).toBe(a.load)
    expect((await loadOf(app, second)).load).not.toBe(b.load)
    setMaximum(app, [null, 200])
    expect((await loadOf(app, first)).load).not.toBe(a.load)
  })

  test('a chosen source is kept through a crop, and a run that is left out has no load', async () => {
    const id = await stored(app, 'a.fit', fitRun({ seconds: 1200, speedMps: 4 }))
    await app.ok('PATCH', `/workouts/${id}`, { loadSource: 'duration' })
    expect((await loadOf(app, id)).source).toBe('duration')
    await crop(app, id, 60)
    expect((await loadOf(app, id)).source).toBe('duration')
    await app.ok('PATCH', `/workouts/${id}`, { leftOut: true })
    expect(await loads(app)).toEqual([])
  })
})
