import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { fitRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { done, imported, seen, tried } from './repairing.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const METRE = 1 / 111_170

/** Twenty minutes at 3 m/s, of which the sensor says the steps of both feet for three minutes. */
function locked(): Uint8Array {
  const samples = Array.from({ length: 1201 }, (_, t) => {
    const distanceM = t < 700 ? t * 3 : 2100 + (t - 700) * 4
    const isLocked = t >= 600 && t < 780
    return { t, lat: 47 + distanceM * METRE, lon: 8, distanceM, hr: isLocked ? 170 : 140, cadence: 85 }
  })
  return fitFile({ startMs: START_MS, samples, session: { avgHr: 146, maxHr: 170 } })
}

describe('a heart rate that counts steps', () => {
  test('is found, fixed as suggested, and fixed back', async () => {
    const id = await imported(app, locked())
    const before = await seen(app, id)
    const oddities = await done(app, 'GET', `/workouts/${id}/oddities`)
    expect(oddities).toEqual([
      {
        kind: 'heart_rate_lock',
        ...{ fromElapsedS: 600, toElapsedS: 779 },
        detail: 'The heart rate is the number of steps for 179 s',
        suggest: { fromElapsedS: 600, toElapsedS: 779, channel: 'heartRate', fill: 'gap' },
      },
    ])
    const { after } = await tried(app, id, 'POST /mend', oddities[0].suggest)
    expect(after).toMatchObject({ avgHeartRateBpm: 140, maxHeartRateBpm: 140, minHeartRateBpm: 140 })
    const { avgHeartRateBpm: _, maxHeartRateBpm: __, minHeartRateBpm: ___, ...rest } = before.detail
    const { relativeEffort: ____, hrZoneSeconds: _____, splits: ______, rawFitData: _______, load, ...kept } = rest
    const { suggestedRunType: ________, ...others } = kept
    expect(after).toMatchObject(others)
    // the load is of the heart rate as well: without the three minutes at 170 bpm it is less
    expect(load).toBe(18.2)
    expect(after.load).toBe(15.7)
    expect(await done(app, 'GET', `/workouts/${id}/oddities`)).toEqual([])
    app.clock.nowMs += 1000
    await done(app, 'POST', `/workouts/${id}/revert`)
    expect(await seen(app, id)).toEqual(before)
  })

  test('is found at an even pace as well, where the rest of the run at that pace has a lower one', async () => {
    const found = async (usualBpm: number, startMs: number) => {
      const samples = Array.from({ length: 1201 }, (_, t) => ({
        ...{ t, lat: 47 + 3 * t * METRE, lon: 8, distanceM: 3 * t, cadence: 85 },
        hr: t >= 600 && t < 780 ? 170 : usualBpm,
      }))
      const id = await imported(app, fitFile({ startMs, samples }))
      return (await done(app, 'GET', `/workouts/${id}/oddities`)).map(({ kind }: { kind: string }) => kind)
    }
    expect(await found(140, START_MS)).toEqual(['heart_rate_lock'])
    expect(await found(161, START_MS + 86_400_000)).toEqual([])
  })

  test('on a straight line it rises from the one side to the other', async () => {
    const samples = Array.from({ length: 101 }, (_, t) => ({
      t,
      lat: 47 + t * 3 * METRE,
      lon: 8,
      hr: t < 50 ? 120 : 160,
    }))
    const id = await imported(app, fitFile({ startMs: START_MS, samples }))
    await done(app, 'POST', `/workouts/${id}/mend`, {
      ...{ fromElapsedS: 41, toElapsedS: 59, channel: 'heartRate', fill: 'interpolate' },
    })
    const { heartRateBpm } = (await seen(app, id)).samples
    expect([heartRateBpm[40], heartRateBpm[50], heartRateBpm[60]]).toEqual([120, 140, 160])
  })
})

describe('a route that jumps', () => {
  /** Ten minutes due north at 3 m/s; from 300 s on for 8 s it lies 60 m to the east. */
  function jumping(): Uint8Array {
    const points = straightPoints({ n: 601, startMs: START_MS, speedMps: 3, hr: 140 })
    const east = 60 / (111_320 * Math.cos((47 * Math.PI) / 180))
    return gpxFile({
      points: points.map((point, t) => (t >= 300 && t < 308 ? { ...point, lon: (point.lon ?? 0) + east } : point)),
      creator: null,
    })
  }

  test('is laid on a line, and the distance follows', async () => {
    const id = await imported(app, jumping(), 'a.gpx')
    const straight = await imported(
      app,
      gpxFile({ points: straightPoints({ n: 601, startMs: START_MS + 864e5, speedMps: 3, hr: 140 }), creator: null }),
      'b.gpx',
    )
    const { distanceM } = await done(app, 'GET', `/workouts/${straight}`)
    const { before, after } = await tried(app, id, 'POST /mend', {
      ...{ fromElapsedS: 300, toElapsedS: 307, channel: 'position', fill: 'interpolate' },
    })
    // out and back, beyond what it ran meanwhile
    expect(before.distanceM - distanceM).toBeGreaterThan(100)
    expect(Math.abs(after.distanceM - distanceM)).toBeLessThan(0.05)
    const best = (await seen(app, id)).efforts.distances
    expect(best[0].distance).toBe('400m')
    expect(Math.abs(best[0].timeMs - 133_333)).toBeLessThan(200)
  })

  test('of a watch the distance is as long as the line', async () => {
    const samples = Array.from({ length: 601 }, (_, t) => {
      // the watch believed the jump
      const distanceM = t * 3 + (t >= 300 ? 60 : 0) + (t >= 308 ? 60 : 0)
      return { t, lat: 47 + t * 3 * METRE, lon: 8 + (t >= 300 && t < 308 ? 8e-4 : 0), distanceM, speedMps: 3 }
    })
    const id = await imported(app, fitFile({ startMs: START_MS, samples, session: { totalDistanceM: 1920 } }))
    const { before, after } = await tried(app, id, 'POST /mend', {
      ...{ fromElapsedS: 300, toElapsedS: 307, channel: 'position', fill: 'interpolate' },
    })
    expect(before.distanceM).toBe(1920)
    expect(Math.abs(after.distanceM - 1800)).toBeLessThan(0.1)
    expect(after.maxSpeedMps).toBeLessThan(3.1)
  })

  test('a speed spike is reported with the section that fixes it', async () => {
    const samples = Array.from({ length: 601 }, (_, t) => ({
      ...{ t, lat: 47 + (t * 3 + (t >= 300 ? 20 : 0) + (t >= 301 ? 20 : 0)) * METRE, lon: 8 },
      ...{ distanceM: t * 3 + (t >= 300 ? 20 : 0) + (t >= 301 ? 20 : 0), hr: 140 },
    }))
    const id = await imported(app, fitFile({ startMs: START_MS, samples }))
    const [spike] = await done(app, 'GET', `/workouts/${id}/oddities`)
    expect(spike).toMatchObject({ kind: 'speed_spike', fromElapsedS: 299, toElapsedS: 301 })
    expect(spike.suggest).toEqual({
      fromElapsedS: 299.001,
      toElapsedS: 300.999,
      channel: 'position',
      fill: 'interpolate',
    })
    expect((await app.call('POST', `/workouts/${id}/mend`, { json: spike.suggest })).status).toBe(200)
  })
})

test('a fixed altitude climbs less, and everything else stays', async () => {
  const samples = Array.from({ length: 601 }, (_, t) => ({
    ...{ t, lat: 47 + t * 3 * METRE, lon: 8, distanceM: t * 3, elevM: t >= 300 && t < 320 ? 440 : 400, hr: 140 },
  }))
  const id = await imported(app, fitFile({ startMs: START_MS, samples }))
  const found = await done(app, 'GET', `/workouts/${id}/oddities`)
  expect(found.map(({ kind }: { kind: string }) => kind)).toEqual(['elevation_jump', 'elevation_jump'])
  const { before, after } = await tried(app, id, 'POST /mend', {
    ...{ fromElapsedS: 300, toElapsedS: 319, channel: 'elevation', fill: 'interpolate' },
  })
  expect(before.elevGainM).toBeGreaterThan(10)
  expect(after).toMatchObject({ elevGainM: 0, maxElevM: 400, distanceM: before.distanceM, durationS: before.durationS })
})

describe('also reported', () => {
  /** Ten minutes of the seconds given, at 3 m/s by the watch's own count. */
  const recorded = (seconds: readonly number[], of: (t: number) => { lat?: number; hr?: number } = () => ({})) =>
    fitFile({
      startMs: START_MS,
      samples: seconds.map((t) => ({ t, lat: 47 + t * 3 * METRE, lon: 8, distanceM: t * 3, hr: 150, ...of(t) })),
    })
  const everySecond = Array.from({ length: 601 }, (_, t) => t)
  const odditiesIn = async (bytes: Uint8Array) => {
    const app = await testApp()
    await using _ = app
    return await done(app, 'GET', `/workouts/${await imported(app, bytes)}/oddities`)
  }

  test('a position that jumps and stays there, which no mending helps', async () => {
    const jumped = recorded(everySecond, (t) => ({ lat: 47 + (t * 3 + (t < 300 ? 0 : 500)) * METRE }))
    expect(await odditiesIn(jumped)).toEqual([
      { kind: 'position_jump', fromElapsedS: 299, toElapsedS: 300, detail: '503 m in 1 s', suggest: null },
    ])
  })

  test('a heart rate that drops at once and comes back, with what fixes it', async () => {
    const dropped = (bpm: number) => recorded(everySecond, (t) => (t >= 300 && t < 315 ? { hr: bpm } : {}))
    expect(await odditiesIn(dropped(120))).toEqual([
      {
        kind: 'heart_rate_drop',
        ...{ fromElapsedS: 300, toElapsedS: 314 },
        detail: 'From 150 to 120 bpm at once, and back',
        suggest: { fromElapsedS: 300, toElapsedS: 314, channel: 'heartRate', fill: 'interpolate' },
      },
    ])
    expect(await odditiesIn(dropped(121))).toEqual([])
  })

  test('a clock that jumps while the timer runs, which no mending helps', async () => {
    const paused = (seconds: number) => everySecond.map((t) => (t < 300 ? t : t - 1 + seconds))
    expect(await odditiesIn(recorded(paused(601)))).toEqual([
      {
        kind: 'clock_jump',
        ...{ fromElapsedS: 299, toElapsedS: 900 },
        detail: 'Nothing was recorded for 601 s',
        suggest: null,
      },
    ])
    expect(await odditiesIn(recorded(paused(600)))).toEqual([])
  })
})

test('a run of every day has nothing odd', async () => {
  for (const [day, bytes] of [fitRun(), hillyRun(START_MS + 864e5)].entries()) {
    const id = await imported(app, bytes, `${day}.fit`)
    expect(await done(app, 'GET', `/workouts/${id}/oddities`)).toEqual([])
  }
})
