import { expect, test } from 'bun:test'
import { effortVdot } from '../../../src/engine/training/chosen-efforts.ts'
import { logModel, logModelTimeS } from '../../../src/engine/training/log-model.ts'
import { marathonShape } from '../../../src/engine/training/marathon-shape.ts'
import { cameron, riegel } from '../../../src/engine/training/race-prediction.ts'
import { speedAtShare, timeOfVdot, vdotOf } from '../../../src/engine/training/vdot.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

const { vo2max, prediction } = oracles
const METRES: Readonly<Record<string, number>> = {
  ...{ '1500': 1500, '1 mile': 1609.344, '3000': 3000, '2 mile': 3218.688, '5K': 5000, '10K': 10_000 },
  ...{ '15K': 15_000, Half: 21_097.5, Marathon: 42_195 },
}

test('VDOT, its times and speeds are those of the vectors', () => {
  for (const { distanceM, timeS, vdot } of vo2max.vdotOfEffort) expectNear(vdotOf(distanceM, timeS), vdot)
  for (const { vdot, timesS } of vo2max.timesOfVdot)
    for (const [name, timeS] of Object.entries(timesS)) expectNear(timeOfVdot(vdot, METRES[name]!), timeS, name)
  for (const { vdot, fraction, mPerMin, paceS } of vo2max.speedAtFraction) {
    expectNear(60 * speedAtShare(vdot, fraction), mPerMin)
    expectNear(1000 / speedAtShare(vdot, fraction), paceS)
  }
})

test('the printed table of VDOT is met within 0.19 %', () => {
  let worst = 0
  for (const { vdot, distance, publishedS, formulaS } of vo2max.publishedTable.rows) {
    const timeS = timeOfVdot(vdot, METRES[distance]!)
    expectNear(timeS, formulaS, `${distance} of ${vdot}`)
    worst = Math.max(worst, Math.abs(100 * (timeS / publishedS - 1)))
  }
  expectNear(worst, vo2max.publishedTable.worstDifferencePct)
  expect(worst).toBeLessThan(0.19)
})

test('marathon shape after Runalyze, Riegel and Cameron are those of the vectors', () => {
  const { weekTargetKm, longTargetKm, shapePct, longRuns, ...training } = vo2max.marathonShapeAfterRunalyze
  const runs = longRuns.map(([km, ageDays]) => ({ km: km!, ageDays: ageDays! }))
  expectAllNear(marathonShape({ ...training, longRuns: runs }), { weekTargetKm, longTargetKm, shapePct })
  for (const { timeS, from, to, k, predictS } of prediction.riegel) expectNear(riegel(timeS, from, to, k), predictS)
  for (const { timeS, from, to, predictS } of prediction.cameron) expectNear(cameron(timeS, from, to), predictS)
})

test('a downhill mile is not a gift where altitude counts; too short and too long efforts have no VDOT', () => {
  const mile = { distanceM: 1609.344, timeS: 300 }
  expectNear(effortVdot({ ...mile, gradedM: 1450 })!, vdotOf(1450, 300))
  expect(effortVdot({ ...mile, gradedM: null })!).toBeGreaterThan(vdotOf(1450, 300))
  expect(effortVdot({ distanceM: 1500, gradedM: null, timeS: 300 })).toBeNull()
  expect(effortVdot({ ...mile, gradedM: null, timeS: 209 })).toBeNull()
  expect(effortVdot({ distanceM: 42_195, gradedM: null, timeS: 21_601 })).toBeNull()
})

test.each(prediction.emig)('log model: $name', ({ points, fit }) => {
  const model = logModel(points.map(([distanceM, timeS]) => ({ distanceM: distanceM!, timeS: timeS! })))
  if (fit === null) return expect(model).toBeNull()
  const { times, plausible, ...numbers } = fit
  expectAllNear(model!, numbers)
  expect(model!.plausible).toBe(plausible)
  for (const [metres, timeS] of Object.entries(times)) expectNear(logModelTimeS(model!, Number(metres)), timeS)
})
