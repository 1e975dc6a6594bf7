import { describe, expect, test } from 'bun:test'
import type { TestApp } from '../../app.ts'
import { corpusFile, corpusTest } from '../../corpus.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../../fixtures/fit.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { tcxFile } from '../../fixtures/tcx.ts'
import { withRun } from '../../with-run.ts'

/** 20 min: 5 min at 3 m/s, 5 min at 4 m/s up by 30 m, 10 min at 3 m/s of which the timer stands for the third minute. */
function madeSamples(): FitSample[] {
  let distanceM = 0
  return Array.from({ length: 1201 }, (_, t) => {
    if (t > 0 && !(t > 720 && t <= 780)) distanceM += t > 300 && t <= 600 ? 4 : 3
    const elevM = 400 + Math.max(0, Math.min(300, t - 300)) / 10
    const place = { lat: 47 + distanceM / 111_170, lon: 8 }
    return { t, ...place, distanceM, elevM, hr: t >= 300 && t < 600 ? 170 : 140, cadence: 85, powerW: 250 + (t % 2) }
  })
}

const LAPS = [
  { startS: 0, elapsedS: 300, intensity: 2, trigger: 0 },
  { startS: 300, elapsedS: 300, intensity: 0, trigger: 1 },
  { startS: 600, elapsedS: 600, intensity: 3, trigger: 7 },
]
const TIMER = pairs('0,0 720,4 780,0')
const WATCH: FitFileOptions = { startMs: START_MS, samples: madeSamples(), laps: LAPS, timer: TIMER, manufacturer: 1 }

type Lap = Record<string, number>
const lapsOf = (app: TestApp, id: string) => app.ok('GET', `/workouts/${id}/laps`)

describe('GET /workouts/{id}/laps', () => {
  test('gives every lap the numbers that its part of the run has', async () => {
    const { app, id } = await withRun(fitFile(WATCH))
    const [warmup, hill, cooldown] = await lapsOf(app, id)
    expect(warmup).toEqual({
      ...{ idx: 0, startElapsedS: 0, endElapsedS: 300, distanceM: 900, durationS: 300, timerTimeS: 300 },
      ...{ movingTimeS: 300, paceS: 333.33, gapPaceS: expect.any(Number), avgHeartRateBpm: 140, maxHeartRateBpm: 140 },
      ...{ avgCadenceRpm: 85, avgPowerWatts: 251, elevGainM: expect.any(Number), elevLossM: 0 },
      ...{ trigger: 'manual', intensity: 'warmup', series: 0 },
    })
    expect(hill).toMatchObject({
      ...{ idx: 1, startElapsedS: 300, endElapsedS: 600, distanceM: 1200, durationS: 300, paceS: 250 },
      ...{ avgHeartRateBpm: 170, maxHeartRateBpm: 170, trigger: 'time', intensity: 'active' },
    })
    expect(hill.elevGainM).toBeGreaterThan(28)
    // 2.5 % uphill at 4 m/s is as hard as faster on the flat
    expect(hill.gapPaceS).toBeLessThan(235)
    expect(cooldown).toMatchObject({ durationS: 600, timerTimeS: 540, movingTimeS: 540, distanceM: 1620 })
    expect(cooldown).toMatchObject({ trigger: 'sessionEnd', intensity: 'cooldown' })
  })

  test('add up to the run that they fill', async () => {
    const edges = [0, 100.3, 333.7, 512.2, 700.6, 741, 999.9, 1200]
    const laps = edges.slice(1).map((endS, k) => ({ startS: edges[k]!, elapsedS: endS - edges[k]! }))
    const { app, id } = await withRun(fitFile({ ...WATCH, laps, session: { totalTimerS: 1140 } }))
    const answered = await lapsOf(app, id)
    // as recorded: the starts in whole seconds
    const recorded = laps.map(({ startS, elapsedS }) => [Math.floor(startS), Math.floor(startS) + elapsedS])
    const times = answered.map((lap: Lap) => [lap.startElapsedS, lap.endElapsedS])
    expect(times.flat()).toEqual(recorded.flat().map((atS) => expect.closeTo(Math.min(atS, 1200), 3)))
    const run = await app.ok('GET', `/workouts/${id}`)
    for (const name of ['durationS', 'timerTimeS', 'movingTimeS', 'distanceM', 'elevGainM', 'elevLossM']) {
      const sum = answered.reduce((before: number, lap: Lap) => before + lap[name]!, 0)
      expect(sum, name).toBeCloseTo(run[name], 1)
    }
  })

  test('nested in others are a second series, with numbers of their own', async () => {
    const sets = [0, 600].map((startS) => ({ startS, elapsedS: 600, trigger: 0 }))
    const { app, id } = await withRun(fitFile({ ...WATCH, laps: [...LAPS, ...sets] }))
    const stated = (await lapsOf(app, id)).map((lap: Lap) => [lap.series, lap.startElapsedS, lap.distanceM].join())
    expect(stated).toEqual(['0,0,900', '0,300,1200', '0,600,1620', '1,0,2100'])
  })

  test('of a TCX without points are what the device said', async () => {
    const lap = { startMs: START_MS, totalTimeS: 300, distanceM: 1000, avgHr: 150, intensity: 'Active', tracks: [] }
    const next = { ...lap, startMs: START_MS + 300_000, totalTimeS: 60, distanceM: 100, intensity: 'Resting' }
    const { app, id } = await withRun(tcxFile([{ laps: [lap, next] }]), 'a.tcx')
    expect(await lapsOf(app, id)).toMatchObject([
      { startElapsedS: 0, endElapsedS: 300, distanceM: 1000, paceS: 300, avgHeartRateBpm: 150, intensity: 'active' },
      { startElapsedS: 300, endElapsedS: 360, distanceM: 100, paceS: 600, movingTimeS: null, intensity: 'rest' },
    ])
  })
})

test('laps are cut with the run, and whole again when the crop is reverted', async () => {
  const { app, id } = await withRun(fitFile(WATCH))
  const before = await lapsOf(app, id)
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 450, removeFromEndSeconds: 100 })
  expect(await lapsOf(app, id)).toMatchObject([
    { idx: 0, startElapsedS: 0, endElapsedS: 150, distanceM: 600, trigger: 'time', intensity: 'active' },
    { idx: 1, startElapsedS: 150, endElapsedS: 650, intensity: 'cooldown' },
  ])
  await app.ok('POST', `/workouts/${id}/revert`)
  expect(await lapsOf(app, id)).toEqual(before)
})

corpusTest('the laps of a watch have the length that the watch says', async () => {
  const { app, id } = await withRun(corpusFile('fit/6914538454-suunto9-no-hr.fit'))
  const laps = await lapsOf(app, id)
  const stated = [793, 27, 854, 43, 834, 32, 850, 44, 853]
  for (const [k, metres] of stated.entries()) expect(Math.abs(laps[k].distanceM - metres)).toBeLessThan(6)
})
