import { expect, test } from 'bun:test'
import { trendFit } from '../../../../src/engine/training/latent/trend-fit.ts'
import oracles from '../../../truth-oracles.json'
import { expectNear } from '../near.ts'

for (const one of oracles.trend.fit) {
  const prior = { mean: one.priorMean, sd: one.priorSd }
  const days = { first: one.rows[0]!.day, last: one.rows.at(-1)!.day }

  test(`fitness at one pulse: ${one.name}`, () => {
    const fit = trendFit(one.rows, prior, days)
    expectNear(fit.sigma, one.sigma, 'sigma')
    expectNear(fit.inflation, one.inflation, 'inflation')
    for (const [i, { mean, sd }] of one.terms.entries()) {
      expectNear(fit.terms[i]!.mean, mean, one.termNames[i])
      expectNear(fit.terms[i]!.sd, sd, `sd of ${one.termNames[i]}`)
    }
    for (const { fromDay, toDay, mean, sd } of one.changes) {
      const change = fit.change(fromDay, toDay)
      expectNear(change.mean, mean, `change to ${toDay}`)
      expectNear(change.sd, sd, `sd of the change to ${toDay}`)
    }
    for (const { wbgtC, share, sd } of one.heatCost) {
      const hinges = [10, 15, 20].map((hinge, i) => {
        return [2 + i, Math.max(0, wbgtC - hinge) - Math.max(0, 12 - hinge)] as const
      })
      const cost = fit.sum(hinges)
      expectNear(cost.mean, share, `heat at ${wbgtC}`)
      // the weather is that of a grid cell, which adds a fifth of the cost
      expectNear(Math.sqrt(cost.sd ** 2 + (0.2 * share) ** 2), sd, `sd of heat at ${wbgtC}`)
    }
    for (const { a, b, mean, sd } of 'pairs' in one ? one.pairs : []) {
      const shoe = (index: number) => one.termNames.indexOf(`shoe${index}`)
      const difference = fit.sum([
        [shoe(b), 1],
        [shoe(a), -1],
      ])
      expectNear(difference.mean, mean, 'shoes')
      expectNear(difference.sd, sd, 'sd of shoes')
    }
  })

  test(`runs of the last 56 days lie within what was expected: ${one.name}`, () => {
    const last = one.rows.at(-1)!.day
    const old = one.rows.filter(({ day }) => day <= last - 56)
    const fit = trendFit(old, prior, days)
    const young = one.rows.filter(({ day }) => day > last - 56)
    const inside = young.filter((row) => {
      const { mean, sd } = fit.expected(row)
      return Math.abs(row.y - mean) <= 1.2816 * Math.sqrt(sd ** 2 + (fit.sigma ** 2 * 8) / 6)
    })
    expect(young).toHaveLength(one.selfCheck.n)
    expectNear(inside.length / young.length, one.selfCheck.share)
  })
}
