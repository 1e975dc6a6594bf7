import { describe, expect, test } from 'bun:test'
import { type FitnessRun, fitnessEvidence } from '../../../../src/engine/training/latent/fitness-rows.ts'
import oracles from '../../../fitness-oracles.json'
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
