// Mistakes of earlier trackers, through the API.
import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { type GpxPoint, gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

/** North at `speedMps` with one point every `everyS` seconds. */
const points = (seconds: number, everyS: number, speedMps = 3): GpxPoint[] =>
  straightPoints({ n: seconds + 1, startMs: START_MS, speedMps }).filter((_, t) => t % everyS === 0)
const gpx = (of: (point: GpxPoint, t: number) => object, from = points(600, 1)) =>
  gpxFile({ points: from.map((point, t) => ({ ...point, ...of(point, t) })) })

const near = (value: number, within: number) => expect.closeTo(value, -Math.log10(2 * within))

// an hour later, 20 km further north
const AWAY = points(300, 1).map((point) => ({ ...point, lat: point.lat! + 0.18, timeMs: point.timeMs! + 3_900_000 }))

const RUNS: Readonly<Record<string, readonly [bytes: Uint8Array, detail: object, unit?: 'imperial']>> = {
  'an indoor run has no route': [
    fitFile({
      startMs: START_MS,
      samples: Array.from({ length: 601 }, (_, t) => ({ t, distanceM: t * 3, hr: 140, elevM: 400 })),
      session: { subSport: 1 },
    }),
    { hasRoute: false, route: null, distanceM: 1800, elevGainM: null, utcOffsetMinutes: null },
  ],
  'a pause between segments is duration but not moving time, and adds no distance': [
    gpxFile({ segments: [points(300, 1), AWAY] }),
    { durationS: 4200, movingTimeS: 600, distanceM: near(1800, 10) },
  ],
  'a teleport adds no distance': [
    gpx((_, t) => (t === 300 ? { lat: -33.9, lon: 151.2 } : {})),
    { distanceM: near(1800, 10), route: { coordinates: expect.not.arrayContaining([[151.2, -33.9]]) } },
  ],
  'a run of unknown type has no run type, and a heart rate of zeros is none': [
    fitRun({ hr: 0 }),
    { runType: null, avgHeartRateBpm: null, maxHeartRateBpm: null, relativeEffort: null, hrZoneSeconds: null },
  ],
  'full splits are exactly 1000 m': [
    fitRun({ seconds: 1200 }),
    { splits: [1000, 1000, 1000, 600].map((distanceM) => ({ distanceM })) },
  ],
  'or 1609.344 m': [
    fitRun({ seconds: 1200 }),
    { splits: [1609.344, 1609.344, 381.312].map((distanceM) => ({ distanceM })) },
    'imperial',
  ],
  'a run of 900 m has one split': [fitRun({ seconds: 300 }), { splits: [{ distanceM: 900 }] }],
  'a steady climb of 100 m with 0.3 m of noise is about 100 m': [
    gpx((_, i) => ({ ele: Number((100 + i * 0.1 + (i % 2 ? 0.3 : 0)).toFixed(2)) }), points(1000, 1)),
    { elevGainM: near(100, 1.5) },
  ],
  'a flat run climbs nothing': [gpx(() => ({})), { elevGainM: 0 }],
  'heart rate every second scores the hour': [gpx(() => ({ hr: 140 }), points(3600, 1)), { relativeEffort: 180 }],
  // the last sample stands for one interval, so that both cover the hour
  'and so does one every 15 s': [gpx(() => ({ hr: 140 }), points(3585, 15)), { relativeEffort: 180 }],
  'above the maximum it is zone 5': [gpx(() => ({ hr: 195 })), { relativeEffort: 50 }],
  'a FIT counts the steps of one foot': [fitRun(), { avgCadenceRpm: 85, avgCadenceSpm: 170 }],
  'a GPX those of both': [gpx(() => ({ cad: 170 })), { avgCadenceRpm: 85, avgCadenceSpm: 170 }],
  'or of one': [gpx(() => ({ cad: 85 })), { avgCadenceRpm: 85, avgCadenceSpm: 170 }],
}

test.each(Object.entries(RUNS))('%s', async (_, [bytes, detail, unitPreference = 'metric']) => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/unit-preference', { unitPreference })
  expect(await app.ok('GET', `/workouts/${await app.run(bytes, 'a.x')}?includeRaw=false`)).toMatchObject(detail)
})
