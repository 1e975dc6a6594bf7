import { describe, expect, test } from 'bun:test'
import { type FitnessRow, latentFitness } from '../../../../src/engine/training/latent/latent-fitness.ts'
import { loadScale } from '../../../../src/engine/training/latent/load-scale.ts'
import oracles from '../../../fitness-oracles.json'
import { expectNear } from '../near.ts'

const fits = oracles.fit.map(({ rows, ...rest }) => ({ ...rest, rows: rows as readonly FitnessRow[] }))

describe('one fitness', () => {
  for (const { name, rows, info, sigma, inflation, q, reads } of fits) {
    test(name, () => {
      const fit = latentFitness(rows, info)!
      expectNear(fit.q, q, 'q')
      expectNear(fit.sigma, sigma, 'sigma')
      expectNear(fit.inflation, inflation, 'inflation')
      for (const read of reads) {
        const what = `day ${read.day}, ${read.distanceM} m`
        expectNear(fit.mean(read.day, read.distanceM), read.mean, what)
        expectNear(fit.sd(read.day, read.distanceM), read.sd, `sd of ${what}`)
      }
    })
  }
  test('needs four runs', () => {
    const { rows, info } = fits[0]!
    expect(latentFitness(rows.slice(0, 2), info)).toBeNull()
  })
})

test('the middle run of those around loads 50 an hour', () => {
  const { runs, factor } = oracles.scale
  const scale = loadScale(runs)
  for (const [day, expected] of factor) expectNear(scale(day!), expected!)
  expect(loadScale([])(3)).toBeNull()
})
