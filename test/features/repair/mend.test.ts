import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { type FitSample, fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../../fixtures/runs.ts'
import { butUpdated } from '../../fixtures/updated.ts'
import { seen, tried } from './repairing.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const METRE = 1 / 111_170

/** Records of these seconds due north at 3 m/s with 150 bpm, and what is otherwise; `alongM` moves place and distance. */
function made(
  seconds: number | readonly number[],
  of: (t: number) => Partial<FitSample> & { alongM?: number },
  session = {},
): Uint8Array {
  const times = typeof seconds === 'number' ? Array.from({ length: seconds + 1 }, (_, t) => t) : seconds
  const samples = times.map((t) => {
    const { alongM = t * 3, ...other } = of(t)
    return { t, lat: 47 + alongM * METRE, lon: 8, distanceM: alongM, hr: 150, ...other }
  })
  return fitFile({ startMs: START_MS, samples, session })
}

/** Whether a second is from `from` on for `count`. */
const isIn = (t: number, from: number, count: number) => t >= from && t < from + count
const suggested = (fromElapsedS: number, toElapsedS: number, channel: string, fill: string) => ({
  ...{ fromElapsedS, toElapsedS, channel, fill },
})
const oddities = (id: string) => app.ok('GET', `/workouts/${id}/oddities`)
const mended = (id: string, ...mend: Parameters<typeof suggested>) => tried(app, id, 'POST /mend', suggested(...mend))

/** Twenty minutes, of which the sensor says the steps of both feet for three. */
const locked = (bpm: number, alongM = (t: number) => 3 * t) =>
  made(1200, (t) => ({ alongM: alongM(t), hr: isIn(t, 600, 180) ? 170 : bpm, cadence: 85 }), { avgHr: 146, maxHr: 170 })
const faster = (t: number) => (t < 700 ? t * 3 : 2100 + (t - 700) * 4)
const dropped = (bpm: number) => made(600, (t) => (isIn(t, 300, 15) ? { hr: bpm } : {}))
const paused = (seconds: number) =>
  made(
    Array.from({ length: 601 }, (_, t) => (t < 300 ? t : t - 1 + seconds)),
    () => ({}),
  )
/** Ten minutes by the watch's own count, which jumps by `m` at 300 s and again after some seconds. */
const jumping = (m: number, after: number) =>
  made(600, (t) => ({ alongM: t * 3 + (t >= 300 ? m : 0) + (t >= 300 + after ? m : 0) }))

const ODDITIES: Readonly<Record<string, readonly [bytes: Uint8Array, found: readonly object[]]>> = {
  'a heart rate that counts steps': [
    locked(140, faster),
    [
      {
        ...{ kind: 'heart_rate_lock', fromElapsedS: 600, toElapsedS: 779 },
        detail: 'The heart rate is the number of steps for 179 s',
        suggest: suggested(600, 779, 'heartRate', 'gap'),
      },
    ],
  ],
  'one at an even pace, where the rest at that pace has a lower one': [locked(140), [{ kind: 'heart_rate_lock' }]],
  'but not where it has nearly the same': [locked(161), []],
  'a speed spike, with the section that fixes it': [
    jumping(20, 1),
    [
      {
        ...{ kind: 'speed_spike', fromElapsedS: 299, toElapsedS: 301 },
        suggest: suggested(299.001, 300.999, 'position', 'interpolate'),
      },
    ],
  ],
  'a position that jumps and stays there, which no mending helps': [
    made(600, (t) => ({ lat: 47 + (t * 3 + (t < 300 ? 0 : 500)) * METRE })),
    [{ kind: 'position_jump', fromElapsedS: 299, toElapsedS: 300, detail: '503 m in 1 s', suggest: null }],
  ],
  'a heart rate that drops at once and comes back': [
    dropped(120),
    [
      {
        ...{ kind: 'heart_rate_drop', fromElapsedS: 300, toElapsedS: 314 },
        detail: 'From 150 to 120 bpm at once, and back',
        suggest: suggested(300, 314, 'heartRate', 'interpolate'),
      },
    ],
  ],
  'but not by less than 30': [dropped(121), []],
  'a clock that jumps while the timer runs, which no mending helps': [
    paused(601),
    [
      {
        ...{ kind: 'clock_jump', fromElapsedS: 299, toElapsedS: 900 },
        ...{ detail: 'Nothing was recorded for 601 s', suggest: null },
      },
    ],
  ],
  'but not for ten minutes': [paused(600), []],
  'an altitude that jumps': [
    made(600, (t) => ({ elevM: isIn(t, 300, 20) ? 440 : 400 })),
    [{ kind: 'elevation_jump' }, { kind: 'elevation_jump' }],
  ],
  'nothing in a run of every day': [fitRun(), []],
  'nor in one over hills': [hillyRun(START_MS), []],
}

test.each(Object.entries(ODDITIES))('odd is %s', async (_, [bytes, expected]) => {
  const found = await oddities(await app.run(bytes))
  expect(found).toHaveLength(expected.length)
  expect(found).toMatchObject([...expected])
})

test('a heart rate that counts steps is fixed as suggested, with all that follows from it, and fixed back', async () => {
  const id = await app.run(locked(140, faster))
  const before = await seen(app, id)
  const [{ suggest }] = await oddities(id)
  const after = butUpdated((await tried(app, id, 'POST /mend', suggest)).after)
  const heart = { avgHeartRateBpm: 140, maxHeartRateBpm: 140, minHeartRateBpm: 140 }
  expect(after).toMatchObject(heart)
  const { relativeEffort, hrZoneSeconds, splits, rawFitData, load, suggestedRunType } = after
  const follows = { relativeEffort, hrZoneSeconds, splits, rawFitData, load, suggestedRunType }
  expect(after).toEqual({ ...before.detail, ...heart, ...follows })
  // the load is of the heart rate as well: without the three minutes at 170 bpm it is less
  expect([before.detail.load, load]).toEqual([18.2, 15.7])
  expect(await oddities(id)).toEqual([])
  app.clock.nowMs += 1000
  await app.ok('POST', `/workouts/${id}/revert`)
  expect(await seen(app, id)).toEqual(before)
})

test('on a straight line a heart rate rises from the one side to the other', async () => {
  const id = await app.run(made(100, (t) => ({ hr: t < 50 ? 120 : 160 })))
  await mended(id, 41, 59, 'heartRate', 'interpolate')
  const { heartRateBpm } = (await seen(app, id)).samples
  expect([40, 50, 60].map((t) => heartRateBpm[t])).toEqual([120, 140, 160])
})

describe('a route that jumps', () => {
  test('is laid on a line, and the distance follows', async () => {
    const east = 60 / (111_320 * Math.cos((47 * Math.PI) / 180))
    const points = straightPoints({ n: 601, startMs: START_MS, speedMps: 3, hr: 140 }).map((point, t) =>
      isIn(t, 300, 8) ? { ...point, lon: (point.lon ?? 0) + east } : point,
    )
    const id = await app.run(gpxFile({ points, creator: null }), 'a.gpx')
    const straight = await app.run(gpxRun({ startMs: START_MS + 864e5 }), 'b.gpx')
    const { distanceM } = await app.ok('GET', `/workouts/${straight}`)
    const { before, after } = await mended(id, 300, 307, 'position', 'interpolate')
    // out and back, beyond what it ran meanwhile
    expect(before.distanceM - distanceM).toBeGreaterThan(100)
    expect(Math.abs(after.distanceM - distanceM)).toBeLessThan(0.05)
    const [best] = (await seen(app, id)).efforts.distances
    expect(best.distance).toBe('400m')
    expect(Math.abs(best.timeMs - 133_333)).toBeLessThan(200)
  })

  test('of a watch the distance is as long as the line', async () => {
    // the watch believed the jump
    const watch = (t: number) => ({
      ...{ lat: 47 + t * 3 * METRE, lon: 8 + (isIn(t, 300, 8) ? 8e-4 : 0), speedMps: 3 },
      distanceM: t * 3 + (t >= 300 ? 60 : 0) + (t >= 308 ? 60 : 0),
    })
    const id = await app.run(made(600, watch, { totalDistanceM: 1920 }))
    const { before, after } = await mended(id, 300, 307, 'position', 'interpolate')
    expect(before.distanceM).toBe(1920)
    expect(Math.abs(after.distanceM - 1800)).toBeLessThan(0.1)
    expect(after.maxSpeedMps).toBeLessThan(3.1)
  })
})

test('a fixed altitude climbs less, and everything else stays', async () => {
  const id = await app.run(ODDITIES['an altitude that jumps']![0])
  const { before, after } = await mended(id, 300, 319, 'elevation', 'interpolate')
  expect(before.elevGainM).toBeGreaterThan(10)
  const { distanceM, durationS } = before
  expect(after).toMatchObject({ elevGainM: 0, maxElevM: 400, distanceM, durationS })
})
