import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'

const LAST_S = 4000
/** A hundred seconds in which the runner stands. */
const [STOP_S, GO_S] = [1500, 1600]
const TIRED_S = 2000
const SPRINT_S = 3950

/** At 3 m/s, ten beats faster in the second half, with a stop, and 181 bpm at its end. */
function tiring(): Uint8Array {
  const samples = Array.from({ length: LAST_S + 1 }, (_, t) => {
    const distanceM = 3 * (t - Math.min(GO_S - STOP_S, Math.max(0, t - STOP_S)))
    const hr = t >= SPRINT_S ? 181 : t < TIRED_S ? 140 : 150
    const speedMps = t >= STOP_S && t < GO_S ? 0 : 3
    return { t, lat: 47 + distanceM / 111_170, lon: 8, distanceM, elevM: 400, speedMps, hr, cadence: speedMps * 28 }
  })
  return fitFile({ startMs: START_MS, samples, manufacturer: 1, product: 1967 })
}

const windows = (app: TestApp, id: string) => app.ok('GET', `/workouts/${id}/training/windows`)

test('what the numbers of a run were read from: halves without warming up and a stop, peak, half hour, a race of an hour', async () => {
  await using app = await testApp()
  const id = await app.run(tiring())
  const { halves, peakHeartRate, fastestHalfHour, hourRace } = await windows(app, id)
  const [first, second] = halves
  expect(first.fromElapsedS).toBeCloseTo(600, 0)
  // 3,180 s count: 900 before the stop, so that half of them end 690 s after the two minutes behind it
  expect(first.toElapsedS).toBeWithin(GO_S + 120 + 690 - 8, GO_S + 120 + 690 + 8)
  expect([second.fromElapsedS, second.toElapsedS]).toEqual([first.toElapsedS, LAST_S])
  const { decouplingPct } = await app.ok('GET', `/workouts/${id}/training`)
  // of efficiencies with three decimals
  expect(Math.abs((100 * (first.ef - second.ef)) / first.ef - decouplingPct)).toBeLessThan(0.15)
  expect(peakHeartRate).toEqual({ fromElapsedS: SPRINT_S, toElapsedS: SPRINT_S + 15, bpm: 181 })
  const { fromElapsedS } = fastestHalfHour
  expect(fastestHalfHour.toElapsedS - fromElapsedS).toBeCloseTo(1800, 6)
  expect(fastestHalfHour.testFromElapsedS - fromElapsedS).toBeCloseTo(600, 6)
  // clear of the stop
  expect(fromElapsedS).toBeGreaterThanOrEqual(GO_S - 8)
  expect(fastestHalfHour.paceS).toBeWithin(331, 335)
  expect(hourRace).toMatchObject({ fromElapsedS: 600, toElapsedS: LAST_S })

  const nothing = { halves: null, peakHeartRate: null, fastestHalfHour: null, hourRace: null }
  expect(await windows(app, await app.run(fitRun({ seconds: 600, hr: 90 })))).toEqual(nothing)
})
