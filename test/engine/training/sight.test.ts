import { describe, expect, test } from 'bun:test'
import { parseDay } from '../../../src/engine/calendar/weeks.ts'
import { dewPoint, heatCostPct, simplifiedWbgt, windCostPct } from '../../../src/engine/training/conditions.ts'
import {
  bandConfidence,
  estimate,
  fitnessConfidence,
  type LoadBasis,
  loadConfidence,
} from '../../../src/engine/training/confidence.ts'
import { goalDeviation, goalProgress, levelBounds, levels } from '../../../src/engine/training/goals.ts'
import { consistency, runStreaks } from '../../../src/engine/training/habits.ts'
import {
  bandBounds,
  distribution,
  heartRateBands,
  paceBands,
  paceZoneSeconds,
  paceZones,
  sessionBand,
} from '../../../src/engine/training/intensity.ts'
import { trendOf } from '../../../src/engine/training/trend.ts'
import fitnessOracles from '../../fitness-oracles.json'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

describe('intensity', () => {
  test('pace zones, polarization and bands are those of the vectors', () => {
    for (const { vdot, boundsMps, boundPacesS, easyS, ...targets } of oracles.intensity.paceZones) {
      const zones = paceZones(vdot)
      expectAllNear(zones.boundsMps, boundsMps, `bounds of ${vdot}`)
      expectAllNear(zones.boundPacesS, boundPacesS, `paces of ${vdot}`)
      expectAllNear(zones.easyS, easyS, `easy of ${vdot}`)
      expectAllNear(zones, targets, `VDOT ${vdot}`)
    }
    for (const { zonesS, pi, kind } of oracles.intensity.polarization) {
      const found = distribution([zonesS[0]!, zonesS[1]!, zonesS[2]!])
      expectNear(found.polarizationIndex, pi)
      expect(found.kind as string | null).toBe(kind)
    }
    for (const { lthrBpm, ...bounds } of oracles.intensity.threeZoneBounds) expect(bandBounds(lthrBpm)).toEqual(bounds)
  })
  test('a border belongs to the zone above, and seconds add up', () => {
    const histogram = { first: 299, counts: [10, 20, 30, 40] }
    expect(paceZoneSeconds(histogram, [3, 3.01, 3.02, 5])).toEqual([10, 20, 30, 40, 0])
    expect(paceBands([10, 20, 30, 40, 5])).toEqual([10, 50, 45])
    const hearts = { first: 151, counts: [100, 200, 0, 5] }
    expect(heartRateBands(hearts, { lowBelowBpm: 152, highFromBpm: 154 })).toEqual([10, 20, 0.5])
  })
  test('a session is what it was hard for ten minutes', () => {
    const bands = [[3000, 599, 600] as const, [3000, 600, 599] as const, [600, 0, 0] as const, [599, 0, 0] as const]
    expect(bands.map((seconds) => sessionBand(seconds))).toEqual(['high', 'moderate', 'low', null])
  })
})

describe('goals', () => {
  for (const { name, target, done, totalDays, dayIndex, recent28, weekly12, expect: expected } of oracles.goals.cases) {
    test(name, () => {
      const state = { target, done, totalDays, dayIndex, recent: recent28, recentDays: 28, weeks: weekly12 }
      const { projectedLow: _, projectedHigh, ...rest } = expected
      const progress = goalProgress(state)
      expectAllNear(progress, rest)
      // the bands of these vectors are those of weeks about a known level: √w instead of √(w + w²/4)
      const wider = Math.sqrt(1 + (totalDays - dayIndex - 1) / 28)
      const half = (projectedHigh - rest.projected) * wider
      expectNear(progress.projectedHigh, rest.projected + half)
      expectNear(progress.projectedLow, Math.max(done, rest.projected - half))
    })
  }
  test('the bands of goals are those of the vectors', () => {
    for (const { sWeek, remainingDays, sd } of fitnessOracles.goalBand) {
      expectNear(goalDeviation(sWeek, remainingDays), sd)
      // two weeks below and two above the mean, so that their sample deviation is sWeek
      const off = sWeek * Math.sqrt(3 / 4)
      const weeks = [6 * sWeek - off, 6 * sWeek + off, 6 * sWeek - off, 6 * sWeek + off]
      const days = { totalDays: remainingDays, dayIndex: 0, recent: 24 * sWeek, recentDays: 28, weeks }
      const { projected, projectedLow, projectedHigh } = goalProgress({ target: 1, done: 0, ...days })
      expectNear(projectedHigh, projected! + 1.2816 * sd)
      expectNear(projectedLow, Math.max(0, projected! - 1.2816 * sd))
    }
  })
  test('status, and what is unknown of a short history', () => {
    const state = { target: 100, done: 10, totalDays: 30, dayIndex: 10, recent: 10, recentDays: 6, weeks: [] }
    expect(goalProgress(state)).toMatchObject({ status: 'behind', projected: null, projectedLow: null })
    expect(goalProgress({ ...state, done: 34 }).status).toBe('ahead')
    expect(goalProgress({ ...state, done: 100 }).status).toBe('reached')
    const steady = { ...state, recentDays: 28, weeks: [2, 3, 2, 3] }
    expect(goalProgress(steady)).toMatchObject({ status: 'outOfReach' })
    expect(goalProgress({ ...steady, weeks: [2, 3, 2] })).toMatchObject({ status: 'behind', projectedHigh: null })
  })
  test('levels of the heat map', () => {
    const { values, bounds } = oracles.goals.heatMapLevels
    for (const [i, bound] of bounds.entries()) expectNear(levelBounds(values)![i], bound)
    expect(levels([0, ...values])).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4])
    expect(levels([0, 1, 2, 3])).toEqual([0, 1, 1, 3])
    expect(levels([0, 0])).toEqual([0, 0])
    expect(levelBounds([])).toBeNull()
  })
})

describe('streaks and consistency', () => {
  const monday = parseDay('2026-05-18')!
  test('a day without a run has not broken anything yet', () => {
    const days = [monday - 3, monday - 2, monday - 1, monday - 1]
    expect(runStreaks(days, monday, 3)).toMatchObject({ currentDays: 3, longestDays: 3, currentWeeks: 1 })
    expect(runStreaks(days, monday + 1, 3).currentDays).toBe(0)
    expect(runStreaks(days, monday + 6, 3)).toMatchObject({ currentWeeks: 1, currentFullWeeks: 1 })
    expect(runStreaks(days, monday + 7, 3)).toMatchObject({ currentWeeks: 0, longestWeeks: 1 })
    expect(runStreaks(days, monday, 5)).toMatchObject({ currentFullWeeks: 0, longestFullWeeks: 0 })
    expect(runStreaks([], monday, 3).longestDays).toBe(0)
  })
  test('weeks without a run are 0, those before the first run none', () => {
    const runs = pairs('-21,10000 -7,20000 0,6000').map(([day, distanceM]) => ({ day: monday + day, distanceM }))
    expect(consistency(runs, monday)).toEqual({
      ...{ weeksWithRun: 3, medianDistanceM: 8000, lowerQuartileM: 4500, upperQuartileM: 12_500 },
      longestGapDays: 13,
    })
    expect(consistency(runs, monday + 20)?.longestGapDays).toBe(20)
    expect(consistency([], monday)).toBeNull()
  })
})

test('heat and wind cost what the vectors say', () => {
  const body = { massKg: null, heightCm: null }
  for (const { temperatureC, humidity, wbgtC } of oracles.conditions.simplifiedWbgt)
    expectNear(simplifiedWbgt(temperatureC, humidity), wbgtC, `WBGT of ${temperatureC}`)
  for (const { wbgtC, ...expected } of oracles.conditions.heatCostPct)
    expectAllNear(heatCostPct(wbgtC, 3600)!, expected, `heat of ${wbgtC}`)
  for (const { speedMps: mps, headWind10mMps, ...expected } of oracles.conditions.windCostPct)
    expectAllNear(
      windCostPct([{ seconds: 1, mps, headWindMps: headWind10mMps }], body)!,
      expected,
      `wind ${headWind10mMps}`,
    )
})

describe('trend', () => {
  test('dew point, short runs, own slope, own body', () => {
    expect(dewPoint(25, 60)).toBeCloseTo(16.698, 3)
    expect(dewPoint(10, 90)).toBeCloseTo(8.435, 3)
    expect(heatCostPct(25, 1799)).toBeNull()
    const unknown = { massKg: null, heightCm: null }
    expect(windCostPct([], unknown)).toBeNull()
    const part = { seconds: 1, mps: 3, headWindMps: 4 }
    const usual = windCostPct([part], unknown)!.mid
    expect(windCostPct([part], { massKg: 70, heightCm: 175 })!.mid).toBeCloseTo(usual, 0)
  })

  test('is the middle slope, with its test', () => {
    const found = trendOf([330, 328, 331, 325, 324, 322, 323, 318].map((value, i) => ({ at: 7 * i, value })))!
    expect({ ...found }).toMatchObject({
      ...{ s: -22, z: expect.closeTo(-2.5981, 4), p: expect.closeTo(0.00937, 4), supported: true },
      slopePerWeek: expect.closeTo(-1.6333, 4),
    })
    expect(found.interval[0] <= found.slopePerWeek && found.slopePerWeek <= found.interval[1]).toBe(true)
  })
})

describe('confidence', () => {
  const parts = { unit: 's', basis: ['race'], n: 1, asOf: '2026-05-20', reasons: [], missing: null } as const
  test('follows the width of the band', () => {
    expect([3, 8, 8.1].map((off) => bandConfidence(100, 100 - off, 100 + off))).toEqual(['high', 'medium', 'low'])
    expect(bandConfidence(100, null, null)).toBe('low')
    expect(estimate({ ...parts, value: 100, low: 97, high: 103 }).confidence).toBe('high')
    const unsure = { ...parts, value: 100, low: 97, high: 103, reasons: ['defaultMaxHeartRate', 'noRace'] as const }
    expect(estimate(unsure).confidence).toBe('medium')
    expect(estimate({ ...unsure, reasons: ['defaultMaxHeartRate', 'stale'] }).confidence).toBe('low')
    expect(estimate({ ...unsure, confidence: 'low' }).confidence).toBe('low')
  })

  test('of load and fitness', () => {
    const basis: LoadBasis = {
      ...{ source: 'heartRate', coverage: 0.95, isMaxDefault: false, isLthrDefault: false, isCalibrated: false },
    }
    const of = (changes: Partial<LoadBasis>[]) => changes.map((change) => loadConfidence({ ...basis, ...change }))
    expect(of([{}, { source: 'manual' }])).toEqual(['high', 'high'])
    const medium: Partial<LoadBasis>[] = [{ isMaxDefault: true }, { isLthrDefault: true }, { coverage: 0.94 }]
    expect(new Set(of([...medium, { source: 'pace', isCalibrated: true }]))).toEqual(new Set(['medium']))
    expect(of([{ source: 'pace' }, { source: 'rpe', isCalibrated: true }])).toEqual(['low', 'low'])
    expect([0.25, 0.26, 0.51].map((share) => fitnessConfidence(false, share))).toEqual(['high', 'medium', 'low'])
    expect(fitnessConfidence(true, 0)).toBe('low')
  })
})
