import { describe, expect, test } from 'bun:test'
import { type BetterAsked, better } from '../../../../src/engine/training/truth/better.ts'
import { type TrendRun, trendEvidence, trendRefusal } from '../../../../src/engine/training/truth/trend-rows.ts'
import { STEADY, TREND_PROFILE, trendRunner } from '../../../fixtures/trend-runner.ts'
import { expectNear } from '../near.ts'

const DAY = 730
const ASKED: BetterAsked = { day: DAY, against: DAY - 182, sensorDays: [], profile: TREND_PROFILE, week: [] }
const runner = { seed: 1, years: 2, perWeek: 4 }
const runs = trendRunner(runner)
const known = better(runs, ASKED)

describe('runs that take part', () => {
  test.each([
    ['noHeartRate', { bpm: null }],
    ['heartRateGaps', { coverage: 0.89 }],
    ['suspectHeartRate', { isSuspect: true }],
    ['tooShort', { countedS: 899 }],
    ['tooShort', { countedS: null }],
    ['notSteady', { speedCv: 0.151 }],
    ['notSteady', { mps: null }],
    ['noWeather', { wbgtC: null }],
    ['gpsAltitude', { isAltitudeUsable: false, gainPerKm: 10 }],
    ['indoor', { isIndoor: true }],
    ['race', { isRace: true }],
    ['excluded', { isExcluded: true }],
    [null, { isAltitudeUsable: false, gainPerKm: 9.9 }],
    [null, { countedS: 900, coverage: 0.9, speedCv: 0.15, windCostPct: null, place: null, device: null }],
  ] as const)('%s: %j', (reason, changed) => {
    expect(trendRefusal({ ...STEADY, ...changed })).toBe(reason)
  })

  const termsOf = (some: readonly TrendRun[], sensorDays: readonly number[] = []) =>
    trendEvidence(some, TREND_PROFILE, sensorDays).terms.slice(12)
  const at = (place: TrendRun['place'], device: string | null = 'A', day = 0) => ({ ...STEADY, place, device, day })

  test('a place of three runs has a term of its own, a device when there are two', () => {
    const home = [at([48.001, 11.001]), at([48.019, 11.019]), at([48.01, 11.01])]
    const devices = ['A', '', 'B'].map((of) => ({ name: 'device', of }))
    expect(termsOf([...home, at([50, 11]), at(null), at([50, 11])])).toMatchObject([{ name: 'place' }])
    expect(termsOf([...home, at(null, 'B'), at(null, null)])).toMatchObject([{ name: 'place' }, ...devices])
  })

  test('a marked sensor has a term from its day on, unless no run or all have it', () => {
    const some = [at(null, 'A', 10), at(null, 'A', 20), at(null, 'A', 30)]
    const { terms, rows } = trendEvidence(some, TREND_PROFILE, [5, 10, 20, 31])
    expect(terms.slice(12)).toEqual([{ name: 'sensor', group: 'sensor', of: 20 }])
    expect(rows.map(({ x }) => x[12])).toEqual([0, 1, 1])
  })
})

describe('what is refused', () => {
  test('59 runs are too few, 60 are not', () => {
    expect(better(runs.slice(0, 59), ASKED)).toMatchObject({ refusal: 'tooFewRuns', used: 59, weeks: [], change: null })
    const day = runs[59]!.day
    expect(better(runs.slice(0, 60), { ...ASKED, day, against: day - 30 }).refusal).toBeNull()
    expect(better([], ASKED)).toMatchObject({ refusal: 'tooFewRuns', used: 0, left: {}, lastDay: null })
  })

  test('a change needs eight runs in each of both windows', () => {
    const gap = (from: number, to: number) => runs.filter(({ day }) => day <= from || day > to)
    expect(better(gap(DAY - 28, DAY - 2), ASKED)).toMatchObject({ refusal: 'tooFewInWindow', change: null })
    const before = better(gap(DAY - 210, DAY - 182), ASKED)
    expect(before).toMatchObject({ refusal: 'tooFewBefore', before: 0, change: null })
    expect(before.weeks.length).toBeGreaterThan(100)
  })

  test('a sensor that changed unmarked is caught, and marked it is taken out', () => {
    const changed = trendRunner({ ...runner, sensorBpm: -8 })
    const read = better(changed, ASKED)
    expect(read).toMatchObject({ refusal: 'poorFit', change: null, weeks: [], heat: [], runs: [], week: null })
    expect(read.selfCheck!.share).toBeLessThan(0.6)
    const isBefore = (day: number) => day > DAY - 112 && day <= DAY - 56
    const before = changed.map((run) => ({ ...run, bpm: isBefore(run.day) ? run.bpm! - 8 : run.bpm }))
    const early = better(before, { ...ASKED, sensorDays: [DAY - 111] })
    expect(early.refusal).toBeNull()
    expect(Math.abs(early.change!.mean)).toBeLessThan(1.96 * early.change!.sd)
  })
})

describe('what is read', () => {
  test('the change is the negative of the week that ends on the earlier day', () => {
    // day 548 is a Monday, 547 a Sunday
    const { change, weeks } = better(runs, { ...ASKED, against: 549 })
    const week = weeks.find(({ day }) => day === 549 || day === 552)
    expect([...new Set(weeks.map(({ day }) => (day - 3) % 7))]).toEqual([0])
    const same = better(runs, { ...ASKED, against: week!.day })
    expectNear(week!.mean, -same.change!.mean)
    expectNear(week!.sd, same.change!.sd)
    expect(change).not.toBeNull()
    expect(weeks.at(-1)!.day - DAY).toBeLessThan(7)
    expect(weeks.at(-1)).toMatchObject({ mean: 0 })
  })

  test('the parts of a run and the rest add up to its pace', () => {
    expect(known.runs.length).toBeGreaterThan(150)
    for (const { run, paceS, referencePaceS, parts, restS } of known.runs) {
      expectNear(referencePaceS + restS + parts.reduce((sum, { mean }) => sum + mean, 0), paceS)
      expectNear(paceS, 1000 / runs[run]!.mps!)
      expect(runs[run]!.day).toBeGreaterThan(DAY - 365)
    }
    const hot = known.runs.toSorted((a, b) => runs[b.run]!.wbgtC! - runs[a.run]!.wbgtC!)[0]!
    expect(hot.parts.find(({ name }) => name === 'heat')!.mean).toBeGreaterThan(5)
  })

  test('heat costs nothing on a cool day, more on hotter ones, and by distance in a week', () => {
    expect(known.heat[0]).toEqual({ wbgtC: 12, mean: 0, sd: 0 })
    const costs = known.heat.map(({ mean }) => mean)
    expect(costs.at(-1)).toBeGreaterThan(costs[5]!)
    const warm = (wbgtC: number, distanceM: number) => ({ wbgtC, distanceM, paceS: 300 })
    const one = better(runs, { ...ASKED, week: [warm(24, 10_000), warm(12, 30_000)] }).week!
    const at24 = known.heat.find(({ wbgtC }) => wbgtC === 24)!
    expectNear(one.mean, (300 * at24.mean) / 4)
    expectNear(one.sd, (300 * at24.sd) / 4)
    expect(known.week).toBeNull()
  })
})
