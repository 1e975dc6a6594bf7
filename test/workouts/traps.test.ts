// Mistakes of earlier trackers, one test each, through the API.
import { expect, test } from 'bun:test'
import { weatherJobs } from '../../src/db/schema.ts'
import { startJobs } from '../../src/jobs.ts'
import { WeatherError } from '../../src/weather/client.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { type GpxPoint, gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'

async function detailOf(app: TestApp, name: string, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const { status, json, text } = await app.upload('/workouts/import', [{ name, bytes }], fields)
  expect(status, text).toBe(200)
  return (await app.call('GET', `/workouts/${json.id}?includeRaw=false`)).json
}

/** North at `speedMps` with one point every `everyS` seconds. */
function points(seconds: number, everyS: number, speedMps = 3, hr?: number): GpxPoint[] {
  return straightPoints({ n: seconds + 1, startMs: START_MS, speedMps })
    .filter((_, t) => t % everyS === 0)
    .map(({ hr: _, ...point }) => (hr === undefined ? point : { ...point, hr }))
}

test('an indoor run has no route', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, distanceM: t * 3, hr: 140, elevM: 400 }))
  const bytes = fitFile({ startMs: START_MS, samples, session: { subSport: 1 } })
  expect(await detailOf(app, 'a.fit', bytes)).toMatchObject({
    hasRoute: false,
    route: null,
    distanceM: 1800,
    elevGainM: null,
    utcOffsetMinutes: null,
  })
})

test('a pause between segments is duration but not moving time, and a teleport adds no distance', async () => {
  await using app = await testApp()
  const first = points(300, 1)
  // an hour later, 20 km further north
  const second = points(300, 1).map((p) => ({ ...p, lat: p.lat! + 0.18, timeMs: p.timeMs! + 3_900_000 }))
  const detail = await detailOf(app, 'a.gpx', gpxFile({ segments: [first, second] }))
  expect(detail.durationS).toBe(4200)
  expect(detail.movingTimeS).toBe(600)
  expect(Math.abs(detail.distanceM - 1800)).toBeLessThan(10)
  const jump = points(600, 1).map((p, t) => (t === 300 ? { ...p, lat: -33.9, lon: 151.2 } : p))
  const spiked = await detailOf(
    app,
    'b.gpx',
    gpxFile({ points: jump.map((p) => ({ ...p, timeMs: p.timeMs! + 86_400_000 })) }),
  )
  expect(Math.abs(spiked.distanceM - 1800)).toBeLessThan(10)
  expect(spiked.route.coordinates.every(([, lat]: [number, number]) => lat > 46)).toBe(true)
})

test('imports do not wait for a dead weather service, and it changes no answer', async () => {
  let asked = 0
  const dead = {
    hours: () => {
      asked++
      return Promise.reject(new WeatherError('dead', { retry: true }))
    },
  }
  await using app = await testApp({ weather: dead })
  const jobs = startJobs(app.deps, 0)
  const files = Array.from({ length: 5 }, (_, day) => ({
    name: 'a.fit',
    bytes: fitRun({ startMs: START_MS + day * 86_400_000 }),
  }))
  const { json } = await app.upload('/workouts/import', files)
  expect(json).toMatchObject({ successful: 5, errors: 0 })
  await jobs.stop()
  expect(app.deps.db.select().from(weatherJobs).all()).toHaveLength(5)
  expect((await app.call('GET', '/workouts')).json.totalCount).toBe(5)
  expect(asked).toBeLessThanOrEqual(1)
})

test('a run of unknown type has no run type, and a heart rate of zeros is none', async () => {
  await using app = await testApp()
  expect(await detailOf(app, 'a.fit', fitRun({ hr: 0 }))).toMatchObject({
    runType: null,
    avgHeartRateBpm: null,
    maxHeartRateBpm: null,
    relativeEffort: null,
    hrZoneSeconds: null,
  })
})

test('full splits are exactly 1000 m or 1609.344 m, and a run of 900 m has one', async () => {
  await using app = await testApp()
  const lengths = async (name: string, bytes: Uint8Array, unitPreference: string) =>
    (await detailOf(app, name, bytes, { unitPreference })).splits.map(
      ({ distanceM }: { distanceM: number }) => distanceM,
    )
  expect(await lengths('a.fit', fitRun({ seconds: 1200 }), 'metric')).toEqual([1000, 1000, 1000, 600])
  const nextDay = fitRun({ seconds: 1200, startMs: START_MS + 86_400_000 })
  expect(await lengths('b.fit', nextDay, 'imperial')).toEqual([1609.344, 1609.344, 381.312])
  expect(await lengths('c.fit', fitRun({ seconds: 300, startMs: START_MS + 2 * 86_400_000 }), 'metric')).toEqual([900])
})

test('a steady climb of 100 m with 0.3 m of noise is about 100 m, a flat run 0', async () => {
  await using app = await testApp()
  const climb = straightPoints({ n: 1001, startMs: START_MS }).map((p, i) => ({
    ...p,
    ele: Number((100 + i * 0.1 + (i % 2 ? 0.3 : 0)).toFixed(2)),
  }))
  const detail = await detailOf(app, 'a.gpx', gpxFile({ points: climb }))
  expect(Math.abs(detail.elevGainM - 100)).toBeLessThan(1.5)
  const flat = gpxRun({ startMs: START_MS + 86_400_000 })
  expect((await detailOf(app, 'b.gpx', flat)).elevGainM).toBe(0)
})

test('heart rate every 15 s scores like every second, and above the maximum as zone 5', async () => {
  await using app = await testApp()
  const dense = await detailOf(app, 'a.gpx', gpxFile({ points: points(3600, 1, 3, 140) }))
  // the last sample stands for one interval, so that both cover the hour
  const sparse = points(3585, 15, 3.01, 140)
  const thin = await detailOf(app, 'b.gpx', gpxFile({ points: sparse }))
  expect([dense.relativeEffort, thin.relativeEffort]).toEqual([180, 180])
  const above = await detailOf(app, 'c.gpx', gpxFile({ points: points(600, 1, 3.02, 195) }))
  expect(above.relativeEffort).toBe(50)
})

test('cadence of one run agrees between FIT, which counts one foot, and GPX that counts steps', async () => {
  await using app = await testApp()
  const fit = await detailOf(app, 'a.fit', fitRun())
  const steps = straightPoints({ n: 601, startMs: START_MS + 86_400_000 }).map((p) => ({ ...p, cad: 170 }))
  const gpx = await detailOf(app, 'a.gpx', gpxFile({ points: steps }))
  const oneFoot = steps.map((p) => ({ ...p, cad: 85, timeMs: p.timeMs! + 86_400_000 }))
  const other = await detailOf(app, 'b.gpx', gpxFile({ points: oneFoot }))
  for (const detail of [fit, gpx, other]) expect([detail.avgCadenceRpm, detail.avgCadenceSpm]).toEqual([85, 170])
})
