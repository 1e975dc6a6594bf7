import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { seen, tried } from './repairing.ts'

const METRE = 1 / 111_170

/** Ten minutes at 3 m/s, a bus ride of five minutes at 12 m/s and 60 m up, and again twenty minutes at 3 m/s. */
function withBus(): Uint8Array {
  const samples = Array.from({ length: 2101 }, (_, t) => {
    const bus = Math.min(300, Math.max(0, t - 600))
    const distanceM = 3 * (t - bus) + 12 * bus
    return {
      ...{ t, lat: 47 + distanceM * METRE, lon: 8, distanceM, elevM: 400 + bus / 5 },
      ...{ hr: bus > 0 && bus < 300 ? 90 : 150, cadence: 85, speedMps: bus > 0 && bus < 300 ? 12 : 3 },
    }
  })
  return fitFile({ startMs: START_MS, samples, session: { calories: 2100, totalDistanceM: 9010 } })
}

test('a bus ride is taken out: its time stays as a pause, or the later part moves up against the earlier', async () => {
  await using app = await testApp()
  const id = await app.run(withBus())
  const ride = { fromElapsedS: 600, toElapsedS: 900 }
  const { before, after } = await tried(app, id, 'POST /cut', ride)
  expect(before).toMatchObject({ distanceM: 9010, durationS: 2100, calories: 2100 })
  expect(before.elevGainM).toBeCloseTo(60, 0)
  expect(after).toMatchObject({
    ...{ startedAt: '2025-11-01T07:00:00Z', durationS: 2100, timerTimeS: 1800, movingTimeS: 1800 },
    // of the 9,000 m that were recorded 3,600 by bus
    ...{ distanceM: 5400, avgPaceS: 388.89, elevGainM: 0, maxSpeedMps: 3 },
    // six sevenths of 2,100
    ...{ calories: 1800, avgHeartRateBpm: 150, minHeartRateBpm: 150 },
  })
  expect(after.splits.at(-1).distanceM).toBeCloseTo(400, 1)
  // 1,800 m lie before the ride and 3,600 m after it: two miles fit once, 5 km nowhere
  const best = [
    { distance: '1K', timeMs: 333_333 },
    { distance: '1 mile', timeMs: 536_448 },
    { distance: '2 mile', timeMs: 1_072_896 },
  ]
  expect((await seen(app, id)).efforts.distances.slice(-3)).toMatchObject(best)
  await app.ok('POST', `/workouts/${id}/revert`)
  const closed = (await tried(app, id, 'POST /cut', { ...ride, closeGap: true })).after
  expect(closed).toMatchObject({ durationS: 1800, timerTimeS: 1800, distanceM: 5400, elevGainM: 0, avgPaceS: 333.33 })
  expect((await seen(app, id)).efforts.distances.at(-1).distance).toBe('2 mile')
})

test('what is left and what was cut add up to the whole, of watches and of phones', async () => {
  await using app = await testApp()
  const points = straightPoints({ n: 1801, startMs: START_MS + 864e5, speedMps: 2.9, hr: 140 }).map((point, t) => ({
    ...point,
    lat: (point.lat ?? 0) + 2 * METRE * Math.sin(t / 20),
    ele: 300 + 12 * Math.sin(t / 70),
  }))
  const runs: [string, Uint8Array][] = [
    ['a.fit', withBus()],
    ['b.gpx', gpxFile({ points, creator: null })],
  ]
  for (const [name, bytes] of runs) {
    const id = await app.run(bytes, name)
    const whole = await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 1 })
    const { distanceM } = (await app.ok('GET', `/workouts/${id}/samples`)) as { distanceM: number[] }
    const after = await app.ok('POST', `/workouts/${id}/cut`, { fromElapsedS: 500, toElapsedS: 700 })
    const cutM = distanceM[700]! - distanceM[500]!
    expect(Math.abs(after.distanceM + cutM - whole.distanceM)).toBeLessThanOrEqual(0.011)
    expect(after.durationS).toBe(whole.durationS)
    expect(after.splits.reduce((sum: number, split: { distanceM: number }) => sum + split.distanceM, 0)).toBeCloseTo(
      after.distanceM,
      1,
    )
    expect(after.elevGainM).toBeLessThanOrEqual(whole.elevGainM)
  }
})

test('a crop, then a cut, then a crop: each refers to the run as it was then', async () => {
  await using app = await testApp()
  const id = await app.run(withBus())
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100 })
  // the ride is now from 500 to 800
  await app.ok('POST', `/workouts/${id}/cut`, { fromElapsedS: 500, toElapsedS: 800, closeGap: true })
  const after = await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 200 })
  expect(after).toMatchObject({ startedAt: '2025-11-01T07:01:40Z', durationS: 1500, distanceM: 4500, elevGainM: 0 })
  const { repairs } = await app.ok('GET', `/workouts/${id}/sources`)
  // all on the clock of the recording
  expect(repairs).toMatchObject([
    { data: { fromMs: 100_000, toMs: 2_100_000 } },
    { data: { fromMs: 600_000, toMs: 900_000 } },
    { data: { fromMs: 100_000, toMs: 1_900_000 } },
  ])
})

test('laps of the device keep to the run', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 1201 }, (_, t) => ({ t, lat: 47 + t * 3 * METRE, lon: 8, distanceM: t * 3 }))
  const laps = [0, 400, 800].map((startS) => ({ startS, elapsedS: 400, distanceM: 1200 }))
  const id = await app.run(fitFile({ startMs: START_MS, samples, laps }))
  await app.ok('POST', `/workouts/${id}/cut`, { fromElapsedS: 100, toElapsedS: 200, closeGap: true })
  const whole = { durationS: 400, distanceM: 1200 }
  expect(await app.ok('GET', `/workouts/${id}/laps`)).toMatchObject([{ durationS: 300, distanceM: 900 }, whole, whole])
})

test('a treadmill run is cut as well', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, distanceM: t * 3, hr: 140 }))
  const id = await app.run(fitFile({ startMs: START_MS, samples, session: { subSport: 1 } }))
  const { after } = await tried(app, id, 'POST /cut', { fromElapsedS: 100, toElapsedS: 200 })
  expect(after).toMatchObject({ durationS: 600, distanceM: 1500 })
})
