import { describe, expect, test } from 'bun:test'
import { corpusFile, corpusTest } from '../../corpus.ts'
import { type FitSample, fitFile } from '../../fixtures/fit.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { removeRows } from '../../library/as-stored.ts'
import { withRun } from '../../with-run.ts'

const COLUMNS = [
  ...['elapsedS', 'distanceM', 'lat', 'lon', 'elevationM', 'heartRateBpm', 'cadenceRpm', 'powerWatts', 'speedMps'],
  ...['paceS', 'gapPaceS', 'gradePercent', 'temperatureC'],
]

/** 3 m/s for 1,000 s but for one stretch of 200 s at 4 m/s; flat; heart rate 140 with one reading of 181 and one of 92. */
function madeSamples(): FitSample[] {
  let distanceM = 0
  return Array.from({ length: 1001 }, (_, t) => {
    const speedMps = t > 400 && t <= 600 ? 4 : 3
    if (t > 0) distanceM += speedMps
    const hr = t === 777 ? 181 : t === 123 ? 92 : 140
    const place = { lat: 47 + distanceM / 111_170, lon: 8 }
    return { t, ...place, distanceM, elevM: t === 555 ? 410 : 400, hr, cadence: 85, powerW: 250, speedMps }
  })
}

describe('GET /workouts/{id}/samples', () => {
  test('has every recorded value at its second, thinned where asked, and the best efforts with where they are', async () => {
    const samples = madeSamples()
    const { app, id } = await withRun(fitFile({ startMs: START_MS, samples }))
    const { json } = await app.call('GET', `/workouts/${id}/samples`)
    expect([json.totalCount, json.count]).toEqual([1001, 1001])
    expect(Object.keys(json)).toEqual(['totalCount', 'count', ...COLUMNS, 'pauses', 'bestEfforts'])
    const columns = { elapsedS: 't', distanceM: 'distanceM', heartRateBpm: 'hr', cadenceRpm: 'cadence' } as const
    for (const [name, of] of Object.entries({ ...columns, powerWatts: 'powerW', speedMps: 'speedMps' } as const))
      expect([name, json[name]]).toEqual([name, samples.map((sample) => sample[of])])
    expect(json.temperatureC).toBeNull()
    // 800 m at 4 m/s from 400 s to 600 s, the rest at 3 m/s
    expect(json.bestEfforts).toHaveLength(4)
    expect(json.bestEfforts.slice(0, 2)).toEqual([
      {
        ...{ distance: '400m', distanceM: 400, timeS: 100, timeMs: 100_000, startS: 400, endS: 500 },
        ...{ isPlausible: true, implausibleReason: null, isRecord: null, counts: true, isRaceResult: false },
      },
      expect.objectContaining({ distance: '1/2 mile', timeMs: Math.round(200_000 + (4.672 / 3) * 1000) }),
    ])
    // a semicircle is 8.4e-8 degrees
    for (const [i, { lat, lon }] of samples.entries()) {
      expect(Math.abs(json.lat[i] - (lat ?? 0))).toBeLessThan(1e-7)
      expect(Math.abs(json.lon[i] - (lon ?? 0))).toBeLessThan(1e-7)
    }
    // thinned, the ends and the extremes are kept
    const thinned = (maxPoints: number) => app.ok('GET', `/workouts/${id}/samples?maxPoints=${maxPoints}`)
    for (const maxPoints of [10, 50, 333, 1000]) {
      const few = await thinned(maxPoints)
      expect([few.totalCount, few.count]).toEqual([1001, maxPoints])
      expect([few.elapsedS[0], few.elapsedS.at(-1), Math.min(...few.paceS)]).toEqual([0, 1000, 250])
      expect(few.elapsedS).toEqual(expect.arrayContaining([123, 555, 777]))
      // every row is one of the workout's, whole
      for (const name of COLUMNS.filter((name) => few[name] !== null))
        expect(few[name]).toEqual(few.elapsedS.map((t: number) => json[name][t]))
    }
    expect(await thinned(1001)).toEqual(json)
    removeRows(app.deps, 'samples')
    expect(await thinned(100)).toEqual({
      ...{ totalCount: 0, count: 0, pauses: [], bestEfforts: expect.any(Array) },
      ...Object.fromEntries(COLUMNS.map((name) => [name, null])),
    })
  })

  test('says pace in seconds per km of the 10 s around, and what it would be when the ground is level', async () => {
    const flat = madeSamples().map((sample) => ({ ...sample, elevM: 400 }))
    const { app, id } = await withRun(fitFile({ startMs: START_MS, samples: flat }))
    const level = await app.ok('GET', `/workouts/${id}/samples`)
    // 1000 / 3, 1000 / 4; at 400 s ten seconds of each: 20 s for 70 m
    expect([0, 200, 400, 500, 1000].map((t) => level.paceS[t])).toEqual([333.3, 333.3, 285.7, 250, 333.3])
    expect([level.gapPaceS, new Set(level.gradePercent)]).toEqual([level.paceS, new Set([0])])
    // 1 + 2.9294 i + 17.5405 i^2 - 1.6962 i^3 - 31.1845 i^4 at i = 0.05 is 1.18991 (docs/algorithms.md 8)
    const speedMps = 1000 / 360
    const climb = Array.from({ length: 721 }, (_, t) => ({
      ...{ t, lat: 47 + (t * speedMps) / 111_170, lon: 8, distanceM: t * speedMps, elevM: 100 + t * speedMps * 0.05 },
    }))
    const up = await app.run(fitFile({ startMs: START_MS + 864e5, samples: climb, manufacturer: 1, product: 1967 }))
    const steep = await app.ok('GET', `/workouts/${up}/samples`)
    expect(steep.gradePercent[360]).toBeCloseTo(5, 0)
    expect(steep.paceS[360]).toBeCloseTo(360, 0)
    expect(Math.abs(steep.gapPaceS[360] - 360 / 1.18991)).toBeLessThan(1)
  })

  test('has no pace within a pause and where the runner stands, and names the pauses', async () => {
    const samples = Array.from({ length: 601 }, (_, t) => ({
      t,
      lat: 47,
      lon: 8,
      // standing from 100 to 160 s with the timer on; the timer is off from 300 to 360 s
      distanceM: 3 * (t - Math.min(60, Math.max(0, t - 100)) - Math.min(60, Math.max(0, t - 300))),
    }))
    const timer = pairs('0,0 300,4 360,0')
    const { app, id } = await withRun(fitFile({ startMs: START_MS, samples, timer }))
    const { json } = await app.call('GET', `/workouts/${id}/samples`)
    expect(json.pauses).toEqual([{ startS: 300, endS: 360 }])
    expect([130, 310, 330, 359].map((t) => json.paceS[t])).toEqual([null, null, null, null])
    // the pause is not part of the time before and after it
    expect([295, 300, 360, 365].map((t) => json.paceS[t])).toEqual([333.3, 333.3, 333.3, 333.3])
  })

  corpusTest('a treadmill run has no place and no slope, but a pace', async () => {
    const { app, id } = await withRun(corpusFile('fit/6860622783-treadmill-fr945.fit'), 'treadmill.fit')
    const { json } = await app.call('GET', `/workouts/${id}/samples`)
    expect([json.lat, json.lon, json.gradePercent, json.gapPaceS]).toEqual([null, null, null, null])
    expect(json.paceS.filter((pace: number | null) => pace !== null).length).toBeGreaterThan(json.count / 2)
  })
})
