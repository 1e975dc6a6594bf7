import { describe, expect, test } from 'bun:test'
import { chosenEfforts, type HardEffort } from '../../../src/engine/training/chosen-efforts.ts'
import { criticalSpeed } from '../../../src/engine/training/critical-speed.ts'
import {
  correctingRaces,
  correctionOf,
  marathonShape,
  shapeOf,
  shareOfVo2maxSpeed,
  vo2maxOfHeartRate,
} from '../../../src/engine/training/effective-vo2max.ts'
import { logModel, logModelTimeS } from '../../../src/engine/training/log-model.ts'
import { cameron, powerLaw, predicted, riegel } from '../../../src/engine/training/race-prediction.ts'
import { speedAtShare, timeOfVdot, vdotOf } from '../../../src/engine/training/vdot.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

const { vo2max, prediction } = oracles
const METRES: Readonly<Record<string, number>> = {
  ...{ '1500': 1500, '1 mile': 1609.344, '3000': 3000, '2 mile': 3218.688, '5K': 5000, '10K': 10_000 },
  ...{ '15K': 15_000, Half: 21_097.5, Marathon: 42_195 },
}

describe('VDOT', () => {
  for (const { distanceM, timeS, vdot } of vo2max.vdotOfEffort) {
    test(`of ${distanceM} m in ${timeS} s`, () => expectNear(vdotOf(distanceM, timeS), vdot))
  }
  for (const { vdot, timesS } of vo2max.timesOfVdot) {
    test(`times of ${vdot}`, () => {
      for (const [name, timeS] of Object.entries(timesS)) expectNear(timeOfVdot(vdot, METRES[name]!), timeS, name)
    })
  }
  test('the printed table is met within 0.19 %', () => {
    let worst = 0
    for (const { vdot, distance, publishedS, formulaS } of vo2max.publishedTable.rows) {
      const timeS = timeOfVdot(vdot, METRES[distance]!)
      expectNear(timeS, formulaS, `${distance} of ${vdot}`)
      worst = Math.max(worst, Math.abs(100 * (timeS / publishedS - 1)))
    }
    expectNear(worst, vo2max.publishedTable.worstDifferencePct)
    expect(worst).toBeLessThan(0.19)
  })
  test('speeds at shares of it', () => {
    for (const { vdot, fraction, mPerMin, paceS } of vo2max.speedAtFraction) {
      expectNear(60 * speedAtShare(vdot, fraction), mPerMin)
      expectNear(1000 / speedAtShare(vdot, fraction), paceS)
    }
  })
})

describe('effective VO2max', () => {
  for (const { speedMps, heartRateBpm, maxHeartRateBpm, fractionOfVvo2max, vo2max: expected } of vo2max.fromHeartRate) {
    test(`of ${speedMps} m/s at ${heartRateBpm} of ${maxHeartRateBpm}`, () => {
      expectNear(shareOfVo2maxSpeed(heartRateBpm, maxHeartRateBpm), fractionOfVvo2max)
      expectNear(vo2maxOfHeartRate(speedMps, heartRateBpm, maxHeartRateBpm), expected)
    })
  }
  const points = vo2max.shape.points.map(([ageDays, minutes, value]) => {
    return { ageDays: ageDays!, minutes: minutes!, value: value! }
  })
  test('shape with and without a race to correct it', () => {
    expectAllNear(shapeOf(points, false)!, vo2max.shape.uncalibrated)
    expectAllNear(shapeOf(points, true)!, vo2max.shape.calibrated)
    expect(shapeOf(points.slice(0, 3), true)).toBeNull()
  })
  test('correction', () => {
    const races = vo2max.correction.races.map(([vdot, estimate]) => ({ vdot: vdot!, estimate: estimate! }))
    expectNear(correctionOf(races), vo2max.correction.factor)
    expect(correctingRaces(races)).toEqual(races.slice(0, 3))
    expect(correctionOf([])).toBe(1)
    expect(correctionOf([{ vdot: 60, estimate: 30 }])).toBe(1.25)
  })
  test('marathon shape', () => {
    const { weekTargetKm, longTargetKm, shapePct, longRuns, ...training } = vo2max.marathonShapeAfterRunalyze
    const runs = longRuns.map(([km, ageDays]) => ({ km: km!, ageDays: ageDays! }))
    const found = marathonShape({ ...training, longRuns: runs })
    expectAllNear(found, { weekTargetKm, longTargetKm, shapePct })
  })
})

describe('race prediction', () => {
  test('Riegel and Cameron', () => {
    for (const { timeS, from, to, k, predictS } of prediction.riegel) expectNear(riegel(timeS, from, to, k), predictS)
    for (const { timeS, from, to, predictS } of prediction.cameron) expectNear(cameron(timeS, from, to), predictS)
  })
  const efforts = prediction.choose.efforts.map(
    ([workoutId, distanceM, timeS, ageDays, isRace]): HardEffort => ({
      ...{ workoutId: String(workoutId), distanceM: Number(distanceM), gradedM: null, timeS: Number(timeS) },
      ...{ ageDays: Number(ageDays), isRace: isRace === true },
    }),
  )
  test('of each workout the best effort alone, near the best of all', () => {
    const { efforts: found, isStale, judged } = chosenEfforts(efforts)
    const rows = found.map(({ distanceM, timeS, ageDays }) => [distanceM, timeS, ageDays])
    expect(rows.toSorted((a, b) => a[0]! - b[0]!)).toEqual(prediction.choose.chosen)
    expect(isStale).toBe(false)
    const reasonOf = (id: string) => judged.filter(({ effort }) => effort.workoutId === id).map(({ reason }) => reason)
    expect(reasonOf('a')).toEqual([null, 'oneRun', 'oneRun'])
    expect(reasonOf('c')).toEqual(['uncertain'])
    expect(reasonOf('f')).toEqual(['stale'])
  })
  test('a year ago is better than nothing, and at most eight count', () => {
    const one: HardEffort = { workoutId: 'x', distanceM: 5000, gradedM: null, timeS: 1200, ageDays: 200, isRace: true }
    expect(chosenEfforts([one])).toMatchObject({ efforts: [one], isStale: true })
    expect(chosenEfforts([{ ...one, ageDays: 366 }])).toMatchObject({ efforts: [], isStale: false })
    const many = Array.from({ length: 10 }, (_, i) => ({ ...one, workoutId: `${i}`, ageDays: 1, timeS: 1200 + i }))
    expect(chosenEfforts(many).efforts).toMatchObject(many.slice(0, 8))
  })
  test('a downhill mile is not a gift where altitude counts', () => {
    const of = { workoutId: 'd', distanceM: 1609.344, timeS: 300, ageDays: 3, isRace: false }
    const downhill: HardEffort = { ...of, gradedM: 1450 }
    const honest = chosenEfforts([downhill]).efforts[0]!.vdot
    expectNear(honest, vdotOf(1450, 300))
    expect(chosenEfforts([{ ...downhill, gradedM: null }]).efforts[0]!.vdot).toBeGreaterThan(honest)
  })
  for (const { name, efforts: given, beta, sdK, predictions } of prediction.powerLaw) {
    const rated = given.map(([distanceM, timeS, ageDays]) => {
      return { distanceM: distanceM!, timeS: timeS!, ageDays: ageDays!, vdot: vdotOf(distanceM!, timeS!) }
    })
    test(`power law: ${name}`, () => {
      const law = powerLaw(rated)!
      for (const [i, expected] of beta.entries()) expectNear(law.beta[i], expected)
      expectNear(law.exponentDeviation, sdK)
      for (const [metres, expected] of Object.entries(predictions)) {
        expectAllNear(predicted(law, Number(metres)), expected, metres)
      }
    })
    test(`times grow with the distance, bands away from the efforts, and each is in its own: ${name}`, () => {
      const law = powerLaw(rated)!
      const all = Object.keys(predictions)
        .map(Number)
        .toSorted((a, b) => a - b)
        .map((metres) => predicted(law, metres))
      for (const [i, { timeS }] of all.entries()) if (i > 0) expect(timeS).toBeGreaterThan(all[i - 1]!.timeS)
      const best = rated.toSorted((a, b) => b.vdot - a.vdot)[0]!
      const own = predicted(law, best.distanceM)
      expect(own.lowS < best.timeS && best.timeS < own.highS).toBe(true)
      const farthest = Math.max(...rated.map(({ distanceM }) => distanceM))
      expect(predicted(law, 3 * farthest).relativeSd).toBeGreaterThan(predicted(law, 2 * farthest).relativeSd)
      expect(law.isExponentOwn).toBe(rated.length > 1)
    })
  }
  test('no effort, no law', () => expect(powerLaw([])).toBeNull())
})

describe('critical speed', () => {
  const speedOf = (points: readonly (readonly number[])[], workouts = points.length) =>
    criticalSpeed(
      points.map(([distanceM, timeS], i) => ({ workoutId: `${i % workouts}`, distanceM: distanceM!, timeS: timeS! })),
    )
  for (const { name, points, workouts, fit: expected } of prediction.criticalSpeed) {
    test(name, () => {
      const found = speedOf(points, workouts)
      const { reason, n, used, ...numbers } = { used: undefined, ...expected }
      expect([found.reason, found.n]).toEqual([reason as typeof found.reason, n])
      if (used !== undefined) expect(found.used.map(({ distanceM, timeS }) => [distanceM, timeS])).toEqual(used)
      if (reason === null) expectAllNear(found.fit!, numbers as Record<string, number>)
    })
  }
  test('weights instead of the older fit', () => {
    const { points, weighted } = prediction.criticalSpeedOlsOfAlgorithms8[1]!
    const found = speedOf(points)
    const { n, used, reason, ...numbers } = weighted!
    expect(found.n).toBe(n)
    expect(found.used.map(({ distanceM, timeS }) => [distanceM, timeS])).toEqual(used)
    expect(reason).toBeNull()
    expectAllNear(found.fit!, numbers)
  })
  test('the older fit, of distance on time, is another on points that are not on a line', () => {
    for (const { points, csMps } of prediction.criticalSpeedOlsOfAlgorithms8) {
      const x = points.map(([, timeS]) => timeS!)
      const y = points.map(([distanceM]) => distanceM!)
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
      const [meanX, meanY] = [mean(x), mean(y)]
      const sxy = mean(x.map((value, i) => (value - meanX) * (y[i]! - meanY)))
      const older = sxy / mean(x.map((value) => (value - meanX) ** 2))
      expectNear(older, csMps)
      const found = speedOf(points)
      // the same where every point is on it; 1.5% where they are not
      const off = found.fit!.csMps / older - 1
      if (points.length === 3) expect(Math.abs(off)).toBeLessThan(1e-6)
      else expect(off).toBeCloseTo(0.0145, 3)
    }
  })
  test('refusals', () => {
    const reasonOf = (points: string) => speedOf(pairs(points)).reason
    expect(reasonOf('1000,200 1609.344,340 2000,450')).toBe('spanTooShort')
    expect(reasonOf('804.672,150 1609.344,360 5000,1150')).toBe('uncertain')
    expect(reasonOf('804.672,198 1609.344,399.2 5000,1246.9')).toBe('dPrimeImplausible')
  })
})

describe('log model', () => {
  for (const { name, points, fit } of prediction.emig) {
    test(name, () => {
      const model = logModel(points.map(([distanceM, timeS]) => ({ distanceM: distanceM!, timeS: timeS! })))
      if (fit === null) {
        expect(model).toBeNull()
        return
      }
      const { times, plausible, ...numbers } = fit
      expectAllNear(model!, numbers)
      expect(model!.plausible).toBe(plausible)
      for (const [metres, timeS] of Object.entries(times)) expectNear(logModelTimeS(model!, Number(metres)), timeS)
    })
  }
})
