import { expect, test } from 'bun:test'
import { Z80 } from '../../../../src/engine/training/numbers.ts'
import { checked, heatCost, isSure } from '../../../../src/engine/training/truth/better.ts'
import { trendFit } from '../../../../src/engine/training/truth/trend-fit.ts'
import { fixedTerms } from '../../../../src/engine/training/truth/trend-rows.ts'
import { STEADY } from '../../../fixtures/trend-runner.ts'
import oracles from '../../../truth-oracles.json'
import { expectAllNear, expectNear } from '../near.ts'

for (const one of oracles.trend.fit) {
  const prior = { mean: one.priorMean, sd: one.priorSd }
  const days = { first: one.rows[0]!.day, last: one.rows.at(-1)!.day }

  test(`fitness at one pulse: ${one.name}`, () => {
    const fit = trendFit(one.rows, prior, days)
    expectAllNear(fit, { sigma: one.sigma, inflation: one.inflation })
    for (const [i, { mean, sd }] of one.terms.entries()) expectAllNear(fit.terms[i]!, { mean, sd }, one.termNames[i])
    for (const { fromDay, toDay, mean, sd, low, high, said } of one.changes) {
      const change = fit.change(fromDay, toDay)
      const band = { low: change.mean - Z80 * change.sd, high: change.mean + Z80 * change.sd }
      expectAllNear({ ...change, ...band }, { mean, sd, low, high }, `change to ${toDay}`)
      expect(isSure(change)).toBe(said)
    }
    for (const { wbgtC, share, sd } of one.heatCost) {
      expectAllNear(heatCost(fit, [{ wbgtC, weight: 1 }]), { mean: share, sd }, `heat at ${wbgtC}`)
    }
    for (const { a, b, mean, sd } of 'pairs' in one ? one.pairs : []) {
      const shoe = (index: number) => one.termNames.indexOf(`shoe${index}`)
      const difference = fit.sum([
        [shoe(b), 1],
        [shoe(a), -1],
      ])
      expectAllNear(difference, { mean, sd }, 'shoes')
    }
  })

  test(`runs of the last 56 days lie within what was expected: ${one.name}`, () => {
    const { n, share } = checked({ rows: one.rows, prior }, days)!
    expect(n).toBe(one.selfCheck.n)
    expectNear(share, one.selfCheck.share)
  })

  if (!('raw' in one)) continue
  test(`terms of runs: ${one.name}`, () => {
    for (const [i, raw] of one.raw!.entries()) {
      const run = { ...STEADY, ...rawRun(raw) }
      for (const [at, value] of fixedTerms(run, { restBpm: 60, referenceBpm: 140 }).entries())
        expectNear(value, one.rows[i]!.x[at]!, `${one.termNames[at]} of run ${i}`)
    }
  })
}

/** The vectors name fatigue by its opposite. */
function rawRun({ h, dur, wb, T, wc, gain, hour, fatigue }: Readonly<Record<string, number>>) {
  const weather = { wbgtC: wb!, temperatureC: T!, windCostPct: 100 * wc! }
  return { ...weather, bpm: h!, movingS: 3600 * dur!, gainPerKm: gain!, hour: hour!, tired: fatigue! }
}
