import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { fitRun, indoorRun, START_MS } from '../../fixtures/runs.ts'
import { withRun } from '../../with-run.ts'

const START = 'removeFromStartSeconds'
const END = 'removeFromEndSeconds'

const detail = (app: TestApp, id: string) => app.ok('GET', `/workouts/${id}?includeRaw=false`)
const cropped = (app: TestApp, id: string, body: object) => app.ok('POST', `/workouts/${id}/crop`, body)

test('refused, with nothing changed: neither number, less than ten seconds left, and a run without a route', async () => {
  const { app, id } = await withRun(fitRun())
  const indoor = await app.run(indoorRun(START_MS + 864e5), 'b.fit')
  const before = await detail(app, id)
  for (const [of, json, error] of [
    [id, { [START]: null, [END]: null }, /./],
    [id, { [START]: 300.5, [END]: 290 }, /./],
    [id, { [START]: 600 }, /./],
    [id, { [START]: 1e308, [END]: 1e308 }, /./],
    // without the noise of binary fractions
    [id, { [START]: 590.1, [END]: 5.2 }, /Cannot crop 595.3 s from a workout of 600 s/],
    [indoor, { [START]: 5 }, /^The workout has no route, so it cannot be cropped$/],
    [indoor, { [START]: 0 }, /no route/],
  ] as const) {
    const answer = await app.call('POST', `/workouts/${of}/crop`, { json })
    expect([answer.status, answer.json]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringMatching(error) }),
    ])
  }
  expect(await detail(app, id)).toEqual(before)
})

test('the answer is the detail of the cut run, without raw data', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 1201 }, (_, t) => ({
    ...{ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3, elevM: 400, speedMps: 3 },
    ...{ hr: t < 600 ? 120 : 160, cadence: 85 },
  }))
  const session = { calories: 240, avgHr: 150, maxHr: 190, totalDistanceM: 3650, totalMovingS: 1100 }
  const id = await app.run(fitFile({ startMs: START_MS, samples, session }))
  expect(await detail(app, id)).toMatchObject({ distanceM: 3650, avgHeartRateBpm: 150, calories: 240 })
  await app.ok('PATCH', `/workouts/${id}`, { name: 'Mine', notes: 'n', rpe: 4, runType: 'Race' })

  const answer = await cropped(app, id, { [START]: 300, [END]: 500 })
  expect(answer).toMatchObject({
    ...{ startedAt: '2025-11-01T07:05:00Z', durationS: 400, movingTimeS: 400, timerTimeS: 400, distanceM: 1200 },
    ...{ avgPaceS: 333.33, avgSpeedMps: 3, maxSpeedMps: 3, avgCadenceRpm: 85, elevGainM: 0, splitsCount: 2 },
    // 300 s at 120 and 100 s at 160, the last sample for one second more
    ...{ avgHeartRateBpm: 130, maxHeartRateBpm: 160, minHeartRateBpm: 120 },
    // a third of 240; zone 2 for 5 min, zone 4 for 101 s
    ...{ calories: 80, relativeEffort: 17, hrZoneSeconds: [0, 300, 0, 101, 0] },
    ...{ name: 'Mine', notes: 'n', rpe: 4, runType: 'Race', hasRoute: true },
    ...{ rawGpxData: null, rawFitData: null, rawStravaData: null },
  })
  expect(answer.splits.map(({ distanceM }: { distanceM: number }) => distanceM)).toEqual([1000, 200])
  expect(answer.route.coordinates).toHaveLength(401)
  expect(answer).toEqual(await detail(app, id))
  expect((await app.ok('GET', `/workouts/${id}`)).rawFitData.session.totalDistance).toBe(3650)
  const series = await app.ok('GET', `/workouts/${id}/time-series`)
  expect([series.totalCount, series.items[0].elapsedSeconds]).toEqual([401, 0])
})

test('fractions of a second, one number alone, null beside it and the names of earlier clients are read', async () => {
  const { app, id } = await withRun(fitRun())
  const answer = await cropped(app, id, { [START]: 20.25, [END]: 10.5 })
  // 569.25 s at 3 m/s, cut between two samples
  expect(answer).toMatchObject({ startedAt: '2025-11-01T07:00:20.250Z', durationS: 569, distanceM: 1707.75 })
  expect(answer.splits.at(-1)).toMatchObject({ endElapsedS: 569.25 })
  await app.ok('POST', `/workouts/${id}/revert`)
  expect((await cropped(app, id, { [START]: 10 })).durationS).toBe(590)
  expect((await cropped(app, id, { [START]: null, [END]: 20 })).durationS).toBe(570)
  // two at once both count
  await Promise.all([cropped(app, id, { startTrimSeconds: 30 }), cropped(app, id, { EndTrimSeconds: 40 })])
  expect(await detail(app, id)).toMatchObject({ durationS: 500, distanceM: 1500 })
  expect((await cropped(app, id, { [END]: 490 })).durationS).toBe(10)
})

test('a crop of nothing changes nothing and leaves no receipt: the totals of the device still count', async () => {
  const samples = Array.from({ length: 601 }, (_, t) => ({
    ...{ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3, hr: 140 },
  }))
  const session = { totalDistanceM: 1900, totalElapsedS: 605 }
  const { app, id } = await withRun(fitFile({ startMs: START_MS, samples, session }))
  const before = await detail(app, id)
  const { items } = await app.ok('GET', '/receipts')
  for (const body of [{ [START]: 0, [END]: 0 }, { [END]: 0 }]) {
    expect(await cropped(app, id, body)).toEqual(before)
    expect(await cropped(app, id, { ...body, dryRun: true })).toMatchObject({
      before: { distanceM: 1900 },
      after: { distanceM: 1900 },
    })
  }
  expect([await detail(app, id), (await app.ok('GET', '/receipts')).items]).toEqual([before, items])
})

test('cropping the record holder hands the record on, and dates keep their time', async () => {
  await using app = await testApp()
  const fast = await app.run(fitRun({ speedMps: 4, startMs: START_MS }))
  const slow = await app.run(fitRun({ speedMps: 3, startMs: START_MS + 86_400_000 + 1_234_000 }), 'b.fit')
  const of = async (distance: string) =>
    (await app.ok('GET', '/stats/best-efforts')).distances.find(
      (record: { distance: string }) => record.distance === distance,
    )
  expect(await of('1 mile')).toMatchObject({ workoutId: fast, timeMs: 402_336, workoutDate: '2025-11-01T07:00:00Z' })
  // 300 s at 4 m/s are 1200 m: no mile any more, a kilometre still
  await cropped(app, fast, { [START]: 100, [END]: 200 })
  expect(await of('1 mile')).toMatchObject({ workoutId: slow, timeMs: 536_448, workoutDate: '2025-11-02T07:20:34Z' })
  expect(await of('1K')).toMatchObject({ workoutId: fast, timeMs: 250_000, workoutDate: '2025-11-01T07:01:40Z' })
})

test('a run with a point every 5 s is cut where no point is, and the local offset follows the new start', async () => {
  // 26 October 2025, 00:50 UTC: summer time ends in Zurich at 01:00 UTC
  const startMs = Date.UTC(2025, 9, 26, 0, 50)
  const points = straightPoints({ n: 1201, startMs }).filter((_, t) => t % 5 === 0)
  const { app, id } = await withRun(gpxFile({ points }), 'a.gpx')
  const before = await detail(app, id)
  const after = await cropped(app, id, { [START]: 602, [END]: 123 })
  expect([before.utcOffsetMinutes, after.utcOffsetMinutes, after.durationS]).toEqual([120, 60, 475])
  // the pace is even, so 475 of 1200 s are as much of the way; coordinates have 7 decimals, 1 cm
  expect(Math.abs(after.distanceM - (before.distanceM * 475) / 1200)).toBeLessThan(0.05)
  expect([after.route.coordinates.length, after.startedAt]).toEqual([97, '2025-10-26T01:00:02Z'])
})

test('a crop never adds calories, even where the samples last longer than the device said', async () => {
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3 }))
  const session = { calories: 100, totalElapsedS: 590, totalTimerS: 590, totalDistanceM: 1800 }
  const { app, id } = await withRun(fitFile({ startMs: START_MS, samples, session }))
  expect((await detail(app, id)).durationS).toBe(590)
  expect(await cropped(app, id, { [START]: 0.25 })).toMatchObject({ durationS: 600, calories: 100 })
  expect(await cropped(app, id, { [END]: 300 })).toMatchObject({ durationS: 300, calories: 50 })
})

test('noise in altitude never makes a crop climb more than the whole', async () => {
  await using app = await testApp()
  // with these the limit is not idle
  for (const seed of [8, 9, 10, 14]) {
    const random = seededRandom(seed)
    const noise = (size: number) => (random() + random() + random() - 1.5) * size
    const points = straightPoints({ n: 700, startMs: START_MS - seed * 864e5 }).map((point, t) => ({
      ...point,
      ele: Number((400 + 12 * Math.sin(t / 20) + noise(4)).toFixed(1)),
    }))
    const id = await app.run(gpxFile({ points }), 'a.gpx')
    let before = await detail(app, id)
    for (let round = 0; round < 3; round += 1) {
      const after = await cropped(app, id, { [START]: Math.floor(random() * 100), [END]: random() * 100 })
      expect(after.elevGainM).toBeLessThanOrEqual(before.elevGainM)
      expect(after.elevLossM).toBeLessThanOrEqual(before.elevLossM)
      before = after
    }
  }
})
