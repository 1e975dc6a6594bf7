import { describe, expect, test } from 'bun:test'
import { predictedRace, vdotOn } from '../../../../src/engine/training/latent/fitness-readings.ts'
import {
  type FitnessProfile,
  type FitnessRun,
  fitnessEvidence,
} from '../../../../src/engine/training/latent/fitness-rows.ts'
import { latentFitness } from '../../../../src/engine/training/latent/latent-fitness.ts'
import { vdotOf } from '../../../../src/engine/training/vdot.ts'
import oracles from '../../../fitness-oracles.json'
import { seededRandom } from '../../../fixtures/knots.ts'
import { expectAllNear, expectNear } from '../near.ts'

const profile = { maxBpm: 200, restBpm: 67, referenceBpm: 150, isMaxSet: true }
const easy: FitnessRun = {
  ...{ day: 10, isRace: false, isExcluded: false, isIndoor: false, isAltitudeUsable: true, gainPerKm: 5 },
  ...{ movingS: 2160, countedS: 1800, mps: 2.5, bpm: 145, coverage: 1, speedCv: 0.05, wbgtC: 17.938765, best: null },
}
const effort = (distanceM: number, vdot: number) => ({ best: { distanceM, timeS: 1500, vdot } })
const kindsOf = (runs: readonly FitnessRun[]) => fitnessEvidence(runs, profile, 100).rows.map(({ kind }) => kind)

describe('rows of the fit', () => {
  test('a steady run with heart rate says ln of its speed, with pulse, heat and length', () => {
    const { rows, basis } = fitnessEvidence([easy], profile, 100)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ day: 10, kind: 'H', y: Math.log(2.5) })
    // the heat and length of the first such run of the vectors
    const { heat10, heat15, length } = oracles.fit[0]!.rows[1]!.x
    expectAllNear(rows[0]!.x, { heat10: heat10!, heat15: heat15!, length: length! })
    expectAllNear(rows[0]!.x, { pulse: Math.log(78 / 83), pulse2: 0.0625 })
    expectAllNear(basis.link, { pulse: Math.log(78 / 83), pulse2: 0.0625 })
    expectNear(basis.c0, (1.00466 - 0.725) / 0.68725)
  })

  test.each([
    ...[{ isRace: true }, { isExcluded: true }, { isIndoor: true }, { countedS: 899 }, { speedCv: 0.16 }],
    ...[{ coverage: 0.89 }, { bpm: 119 }, { bpm: 191 }, { isAltitudeUsable: false, gainPerKm: 10 }],
  ])('a run with %j has no row of its pulse', (changed) => {
    expect(kindsOf([{ ...easy, ...changed }])).toEqual([])
  })

  test('the effort of a race counts, and hard efforts of others within a tenth of the best of 45 days', () => {
    const race = { ...easy, isRace: true, ...effort(5000, 45) }
    const runs = [
      { ...easy, day: 10, ...effort(5000, 30) },
      { ...race, day: 50 },
      { ...easy, day: 60, ...effort(10_000, 43) },
      { ...easy, day: 95, ...effort(5000, 30) },
      { ...easy, day: 106, ...effort(5000, 30) },
    ]
    const { rows, runs: places } = fitnessEvidence(runs, profile, 110)
    const hard = rows.flatMap(({ kind, x }, i) =>
      kind === 'H' ? [] : [{ kind, run: places[i], e: x.e, heat: x.heat10 }],
    )
    expect(hard).toMatchObject([
      { kind: 'R', run: 1, e: Math.log(2) },
      { kind: 'E', run: 2, heat: undefined },
      { kind: 'E', run: 4, e: Math.log(2) },
    ])
    expect(hard[0]!.heat).toBeLessThan(0)
  })
})

const PROFILE: FitnessProfile = { maxBpm: 190, restBpm: 50, referenceBpm: 142, isMaxSet: true }

/** Half a year, four runs a week of a runner whose pulse follows the speed; one 10 km race. */
function library(): FitnessRun[] {
  const random = seededRandom(7)
  return Array.from({ length: 104 }, (_, i) => {
    const day = Math.floor((i * 7) / 4)
    const bpm = 128 + 28 * random()
    const mps = 3.9 * ((bpm - 50) / 140) ** 0.9 * Math.exp(0.02 * (random() + random() + random() - 1.5))
    const isRace = i === 60
    return {
      ...{ ...easy, day, isRace, movingS: 1800 + 2400 * random(), countedS: 1700, mps, bpm: i % 6 === 2 ? null : bpm },
      wbgtC: 6 + 10 * random(),
      ...{ best: isRace ? { distanceM: 10_000, timeS: 2820, vdot: vdotOf(10_000, 2820) } : null },
    }
  })
}

function fitOf(runs: readonly FitnessRun[], profile = PROFILE, last = runs.at(-1)!.day) {
  const { rows, basis } = fitnessEvidence(runs, profile, last)
  return latentFitness(rows, basis)
}

describe('the fit of a library', () => {
  const runs = library()
  const last = runs.at(-1)!.day

  test('a race is read as it was run', () => {
    // a race is believed to within the 1.6 % that its execution varies by
    const raced = vdotOf(10_000, 2820)
    expect(Math.abs(Math.log(vdotOn(fitOf(runs)!, runs[60]!.day).value / raced))).toBeLessThan(0.02)
  })

  test('a break of a year widens the band of today, and every figure stays finite', () => {
    const fit = fitOf(runs, PROFILE, last + 400)!
    expect(vdotOn(fit, last + 400).sd).toBeGreaterThan(vdotOn(fit, last).sd)
    for (const metres of [1500, 10_000, 100_000]) {
      for (const value of Object.values(predictedRace(fit, last + 400, metres))) expect(value).toBeFinite()
    }
  })

  test('three runs are too few; four, five or twelve give finite figures, also when all are of one day', () => {
    for (const count of [0, 1, 3]) expect(fitOf(runs.slice(0, count), PROFILE, last)).toBeNull()
    for (const few of [4, 5, 8, 12].map((count) => runs.slice(0, count))) {
      for (const some of [few, few.map((run) => ({ ...run, day: 3 }))])
        for (const value of Object.values(vdotOn(fitOf(some)!, 3))) expect(value).toBeFinite()
    }
  })
})
