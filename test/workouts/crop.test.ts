import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { routeIndexes } from '../../src/db/schema.ts'
import { workoutBestEfforts } from '../../src/db/schema-efforts.ts'
import { runHead } from '../../src/library/documents/run.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun, gpxRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { withRun } from '../with-run.ts'

const START = 'removeFromStartSeconds'
const END = 'removeFromEndSeconds'

async function detail(app: TestApp, id: string) {
  return (await app.call('GET', `/workouts/${id}?includeRaw=false`)).json
}

async function cropped(app: TestApp, id: string, body: object) {
  const { status, json, text } = await app.call('POST', `/workouts/${id}/crop`, { json: body })
  expect(status, text).toBe(200)
  return json
}

describe('refused, with nothing changed', () => {
  const cases: [string, unknown, number][] = [
    ['neither number', {}, 400],
    ['both null', { [START]: null, [END]: null }, 400],
    ['a negative number', { [START]: -1 }, 400],
    ['text', { [START]: '5' }, 400],
    ['a truth value', { [END]: true }, 400],
    ['no object', [1, 2], 400],
    ['9.5 s left', { [START]: 300.5, [END]: 290 }, 400],
    ['nothing left', { [START]: 600 }, 400],
    ['more than all', { [START]: 1e308, [END]: 1e308 }, 400],
  ]
  for (const [what, json, status] of cases) {
    test(what, async () => {
      const { app, id } = await withRun(fitRun())
      const before = await detail(app, id)
      const answer = await app.call('POST', `/workouts/${id}/crop`, { json })
      expect([answer.status, typeof answer.json.error]).toEqual([status, 'string'])
      expect(await detail(app, id)).toEqual(before)
    })
  }

  test('an indoor run has no route to crop', async () => {
    const { app, id } = await withRun(indoorRun(START_MS))
    const { status, json } = await app.call('POST', `/workouts/${id}/crop`, { json: { [START]: 5 } })
    expect([status, json]).toEqual([400, { error: 'The workout has no route, so it cannot be cropped' }])
    expect((await app.call('GET', '/workouts/recalculate-splits/count')).json).toEqual({ count: 0 })
  })
})

test('the answer is the detail of the cut run, without raw data', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 1201 }, (_, t) => ({
    t,
    lat: 47 + (t * 3) / 111_170,
    lon: 8,
    distanceM: t * 3,
    elevM: 400,
    speedMps: 3,
    hr: t < 600 ? 120 : 160,
    cadence: 85,
  }))
  const session = { calories: 240, avgHr: 150, maxHr: 190, totalDistanceM: 3650, totalMovingS: 1100 }
  const id = await app.run(fitFile({ startMs: START_MS, samples, session }))
  expect(await detail(app, id)).toMatchObject({ distanceM: 3650, avgHeartRateBpm: 150, calories: 240 })
  await app.call('PATCH', `/workouts/${id}`, { json: { name: 'Mine', notes: 'n', rpe: 4, runType: 'Race' } })

  const answer = await cropped(app, id, { [START]: 300, [END]: 500 })
  expect(answer).toMatchObject({
    startedAt: '2025-11-01T07:05:00Z',
    durationS: 400,
    movingTimeS: 400,
    timerTimeS: 400,
    distanceM: 1200,
    avgPaceS: 333.33,
    avgSpeedMps: 3,
    maxSpeedMps: 3,
    // 300 s at 120 and 100 s at 160, the last sample for one second more
    avgHeartRateBpm: 130,
    maxHeartRateBpm: 160,
    minHeartRateBpm: 120,
    avgCadenceRpm: 85,
    // a third of 240
    calories: 80,
    elevGainM: 0,
    // zone 2 for 5 min, zone 4 for 101 s
    relativeEffort: 17,
    hrZoneSeconds: [0, 300, 0, 101, 0],
    splitsCount: 2,
    name: 'Mine',
    notes: 'n',
    rpe: 4,
    runType: 'Race',
    hasRoute: true,
    rawGpxData: null,
    rawFitData: null,
    rawStravaData: null,
  })
  expect(answer.splits.map(({ distanceM }: { distanceM: number }) => distanceM)).toEqual([1000, 200])
  expect(answer.route.coordinates).toHaveLength(401)
  expect(answer).toEqual(await detail(app, id))
  expect((await app.call('GET', `/workouts/${id}`)).json.rawFitData.session.totalDistance).toBe(3650)
  const series = (await app.call('GET', `/workouts/${id}/time-series`)).json
  expect([series.totalCount, series.items[0].elapsedSeconds]).toEqual([401, 0])
})

test('fractions of a second cut between two samples', async () => {
  const { app, id } = await withRun(fitRun({ seconds: 100 }))
  const answer = await cropped(app, id, { [START]: 20.25, [END]: 10.5 })
  // 69.25 s at 3 m/s
  expect(answer).toMatchObject({ startedAt: '2025-11-01T07:00:20.250Z', durationS: 69, distanceM: 207.75 })
  expect(answer.splits).toMatchObject([{ startElapsedS: 0, endElapsedS: 69.25, durationS: 69 }])
})

test('one number alone, null beside it and the names of earlier clients are read', async () => {
  const { app, id } = await withRun(fitRun())
  expect((await cropped(app, id, { [START]: 10 })).durationS).toBe(590)
  expect((await cropped(app, id, { [START]: null, [END]: 20 })).durationS).toBe(570)
  expect((await cropped(app, id, { startTrimSeconds: 30, EndTrimSeconds: 40 })).durationS).toBe(500)
  expect((await cropped(app, id, { [END]: 490 })).durationS).toBe(10)
})

test('a crop of nothing changes nothing and leaves no receipt: the totals of the device still count', async () => {
  const samples = Array.from({ length: 601 }, (_, t) => ({
    ...{ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3, hr: 140 },
  }))
  const session = { totalDistanceM: 2000, totalElapsedS: 605 }
  const { app, id } = await withRun(fitFile({ startMs: START_MS, samples, session }))
  const before = await detail(app, id)
  const { items } = await app.ok('GET', '/receipts')
  for (const body of [{ [START]: 0, [END]: 0 }, { [END]: 0 }]) {
    expect(await cropped(app, id, body)).toEqual(before)
    expect(await cropped(app, id, { ...body, dryRun: true })).toMatchObject({
      before: { distanceM: 2000 },
      after: { distanceM: 2000 },
    })
  }
  expect([await detail(app, id), (await app.ok('GET', '/receipts')).items]).toEqual([before, items])
  const none = await app.call('POST', `/workouts/${crypto.randomUUID()}/crop`, { json: { [START]: 0 } })
  expect([none.status, none.json]).toEqual([404, { error: 'Workout not found' }])
  const indoor = await app.run(indoorRun(START_MS + 864e5), 'b.fit')
  expect((await app.call('POST', `/workouts/${indoor}/crop`, { json: { [START]: 0 } })).status).toBe(400)
})

test('after a crop the original is still recognised', async () => {
  const { app, id } = await withRun(fitRun())
  await cropped(app, id, { [START]: 100, [END]: 100 })
  const { json } = await app.upload('/workouts/import', [{ name: 'again.fit', bytes: fitRun() }])
  expect(json).toMatchObject({ id, action: 'skipped' })
  expect((await app.call('GET', '/workouts')).json.totalCount).toBe(1)
})

test('cropping the record holder hands the record on, and dates keep their time', async () => {
  await using app = await testApp()
  const fast = await app.run(fitRun({ speedMps: 4, startMs: START_MS }))
  const slow = await app.run(fitRun({ speedMps: 3, startMs: START_MS + 86_400_000 + 1_234_000 }), 'b.fit')
  const of = async (distance: string) =>
    (await app.call('GET', '/stats/best-efforts')).json.distances.find(
      (record: { distance: string }) => record.distance === distance,
    )
  expect(await of('1 mile')).toMatchObject({ workoutId: fast, timeMs: 402_336, workoutDate: '2025-11-01T07:00:00Z' })
  // 300 s at 4 m/s are 1200 m: no mile any more, a kilometre still
  await cropped(app, fast, { [START]: 100, [END]: 200 })
  expect(await of('1 mile')).toMatchObject({ workoutId: slow, timeMs: 536_448, workoutDate: '2025-11-02T07:20:34Z' })
  expect(await of('1K')).toMatchObject({ workoutId: fast, timeMs: 250_000, workoutDate: '2025-11-01T07:01:40Z' })
  expect((await app.call('DELETE', `/workouts/${fast}`)).status).toBe(204)
  expect(await of('1K')).toMatchObject({ workoutId: slow, workoutDate: '2025-11-02T07:20:34Z' })
})

test('the stored unit decides the splits of a crop, not that of the import', async () => {
  const { app, id } = await withRun(fitRun({ seconds: 1500 }))
  await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
  const { splits } = await cropped(app, id, { [START]: 100 })
  const lengths = splits.map(({ distanceM }: { distanceM: number }) => distanceM)
  expect(lengths).toEqual([1609.344, 1609.344, 981.312])
})

test('a run with a single row of its own per 5 s is cut where no sample is', async () => {
  await using app = await testApp()
  const points = straightPoints({ n: 601, startMs: START_MS }).filter((_, t) => t % 5 === 0)
  const id = await app.run(gpxFile({ points }), 'a.gpx')
  const before = await detail(app, id)
  const answer = await cropped(app, id, { [START]: 62, [END]: 63 })
  expect(answer.durationS).toBe(475)
  // the pace is even, so 475 of 600 s are as much of the way; coordinates have 7 decimals, 1 cm
  expect(Math.abs(answer.distanceM - (before.distanceM * 475) / 600)).toBeLessThan(0.05)
  expect(answer.route.coordinates).toHaveLength(97)
  expect(answer.startedAt).toBe('2025-11-01T07:01:02Z')
})

test('the local offset follows the new start over a change of the clocks', async () => {
  await using app = await testApp()
  // 26 October 2025, 00:50 UTC: summer time ends in Zurich at 01:00 UTC
  const id = await app.run(gpxRun({ startMs: Date.UTC(2025, 9, 26, 0, 50), seconds: 1200 }), 'a.gpx')
  expect((await detail(app, id)).utcOffsetMinutes).toBe(120)
  expect((await cropped(app, id, { [START]: 900 })).utcOffsetMinutes).toBe(60)
})

test('the index of similar routes and the best efforts are those of the cut', async () => {
  const { app, id } = await withRun(fitRun({ seconds: 1200 }))
  await cropped(app, id, { [START]: 600 })
  const row = app.deps.db.select().from(routeIndexes).where(eq(routeIndexes.workoutId, id)).get()!
  expect(row.startedAt).toBe(START_MS + 600_000)
  expect(Math.abs(row.lengthM - 1800)).toBeLessThan(5)
  const efforts = app.deps.db.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, id)).all()
  // 400 m, half a mile, 1 km and a mile at 3 m/s
  expect(efforts.map(({ distanceIndex, timeMs }) => [distanceIndex, timeMs])).toEqual([
    [0, 133_333],
    [1, 268_224],
    [2, 333_333],
    [3, 536_448],
  ])
})

test('two crops at once both count', async () => {
  const { app, id } = await withRun(fitRun())
  await Promise.all([cropped(app, id, { [START]: 60 }), cropped(app, id, { [END]: 60 })])
  expect(await detail(app, id)).toMatchObject({ durationS: 480, distanceM: 1440 })
})

test('a crop never adds calories, even where the samples last longer than the device said', async () => {
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3 }))
  const session = { calories: 100, totalElapsedS: 590, totalTimerS: 590, totalDistanceM: 1800 }
  const { app, id } = await withRun(fitFile({ startMs: START_MS, samples, session }))
  expect((await detail(app, id)).durationS).toBe(590)
  expect(await cropped(app, id, { [START]: 0.25 })).toMatchObject({ durationS: 600, calories: 100 })
  expect(await cropped(app, id, { [END]: 300 })).toMatchObject({ durationS: 300, calories: 50 })
})

test('a crop that is refused names its seconds without the noise of binary fractions', async () => {
  const { app, id } = await withRun(fitRun())
  const { status, text } = await app.call('POST', `/workouts/${id}/crop`, { json: { [START]: 590.1, [END]: 5.2 } })
  expect([status, text]).toEqual([400, expect.stringContaining('Cannot crop 595.3 s from a workout of 600 s')])
})

/** A run with hills and noise in place and altitude, now and then standing. */
function hillyRun(seed: number, startMs: number): Uint8Array {
  const random = seededRandom(seed)
  const noise = (size: number) => (random() + random() + random() - 1.5) * size
  const altitudeNoiseM = [0.2, 1, 4][seed % 3]!
  const wave = 20 + random() * 100
  let alongM = 0
  const points = straightPoints({ n: 500 + Math.floor(random() * 300), startMs }).map((point, t) => {
    if (t % 200 < 180) alongM += 3 + noise(0.4)
    const ele = 400 + 12 * Math.sin(alongM / wave) + noise(altitudeNoiseM)
    return {
      ...point,
      lat: 47 + (alongM + noise(1.5)) / 111_170,
      lon: 8 + noise(1.5) / 75_900,
      ele: Number(ele.toFixed(1)),
    }
  })
  return gpxFile({ points })
}

describe('of 30 seeded runs, each cropped three times', () => {
  for (let block = 0; block < 3; block += 1) {
    test(`runs ${block * 10} to ${block * 10 + 9}: one cut, splits that add up, no climb gained`, async () => {
      await using app = await testApp()
      let limited = 0
      for (let seed = block * 10; seed < block * 10 + 10; seed += 1) {
        const random = seededRandom(seed + 500)
        const id = await app.run(hillyRun(seed, START_MS + (seed - 90) * 86_400_000), 'a.gpx')
        let before = await detail(app, id)
        for (let round = 0; round < 3; round += 1) {
          const body = { [START]: Math.floor(random() * 100), [END]: Math.floor(random() * 100_000) / 1000 }
          const after = await cropped(app, id, body)
          expect(after.elevGainM).toBeLessThanOrEqual(before.elevGainM)
          expect(after.elevLossM).toBeLessThanOrEqual(before.elevLossM)
          expect(after.movingTimeS).toBeLessThanOrEqual(after.durationS)
          const sum = (name: string) =>
            after.splits.reduce((total: number, split: Record<string, number>) => total + split[name]!, 0)
          expect(sum('durationS')).toBe(after.durationS)
          expect(sum('movingTimeS')).toBe(after.movingTimeS)
          for (const name of ['distanceM', 'elevGainM', 'elevLossM']) {
            expect(Math.abs(sum(name) - after[name]), name).toBeLessThan(1e-6)
          }
          before = after
        }
        const { repairs } = runHead(app.deps.db, id)!.body.track
        if (repairs.some((repair) => repair.kind === 'crop' && repair.climbLimit !== null)) limited += 1
      }
      // the limit is not idle: without it some of these crops would climb more than the whole
      expect(limited).toBeGreaterThan(0)
    }, 20_000)
  }
})
