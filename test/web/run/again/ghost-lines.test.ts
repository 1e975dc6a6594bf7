import { expect, test } from 'bun:test'
import { ghostLines } from '../../../../src/web/run/again/sections.ts'
import { runSeries } from '../../../../src/web/run/charts/series.ts'
import { samplesOf } from '../samples.ts'

/** A run of 600 m at a steady speed whose heart rate is its distance. */
function steady(mps: number, startS = 0) {
  const seconds = Array.from({ length: 600 / mps + 1 }, (_, k) => k)
  const samples = samplesOf({
    elapsedS: seconds.map((s) => s + startS),
    distanceM: seconds.map((s) => s * mps),
    paceS: seconds.map(() => 1000 / mps),
    heartRateBpm: seconds.map((s) => s * mps),
  })
  return runSeries(samples)!
}

/** Places from 100 m to 500 m, without those from 200 m to 400 m. */
function places(mps: number, ghostMps: number) {
  const distanceM = Array.from({ length: 21 }, (_, k) => 100 + 20 * k).filter((m) => m <= 200 || m >= 400)
  const none = distanceM.map(() => 0)
  const elapsedS = distanceM.map((m) => m / mps)
  const ghostElapsedS = distanceM.map((m) => 50 + m / ghostMps)
  return { distanceM, elapsedS, ghostElapsedS, gapS: none, stopsS: none, climbS: none, paceS: none }
}

test('the ghost has at each place what it measured there, and nothing where it was not', () => {
  const run = steady(3)
  const { pace, heartRate } = ghostLines({ places: places(3, 2) }, run, steady(2, 50))
  const rowAt = (metres: number) => metres / 3
  expect([150, 198, 402, 450].map((metres) => pace![rowAt(metres)])).toEqual([500, 500, 500, 500])
  for (const metres of [102, 150, 198, 402, 498]) {
    expect(Math.abs(heartRate![rowAt(metres)]! - metres)).toBeLessThanOrEqual(1)
  }
  expect([0, 99, 201, 300, 399, 501, 600].filter((metres) => !Number.isNaN(pace![rowAt(metres)]!))).toEqual([])
  expect(ghostLines({ places: places(3, 2) }, run, { ...run, metrics: { ...run.metrics, pace: null } }).pace).toBeNull()
})
