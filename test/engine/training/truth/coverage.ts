import { Z80 } from '../../../../src/engine/training/numbers.ts'
import { better, isSure, type Reading } from '../../../../src/engine/training/truth/better.ts'
import { COOL_C } from '../../../../src/engine/training/truth/trend-rows.ts'
import { TREND_PROFILE, type TrendRunner, trendRunner, USUAL_HEAT } from '../../../fixtures/trend-runner.ts'

/** Half of a window of 28 days: a rise over half a year is that much smaller between the means. */
const OF_RISE = 1 - 13.5 / 182
const HOT_C = 22

interface Told {
  readonly n: number
  /** Of what was told, in per cent; shares of the runners. */
  readonly bias: number
  readonly rmse: number
  readonly covered: number
  readonly stated: number
}

/** What is told of simulated runners, against their truth: change over half a year, and heat of a hot day. */
export function coverage(runner: Omit<TrendRunner, 'seed'>, runners: number): { change: Told; heat: Told } {
  const changes: (Reading & { readonly error: number })[] = []
  const heats: typeof changes = []
  for (let seed = 1; seed <= runners; seed += 1) {
    const day = 365 * runner.years
    const asked = { day, against: day - 182, sensorDays: [], profile: TREND_PROFILE, week: [] }
    const { change, heat } = better(trendRunner({ ...runner, seed: 7919 * seed }), asked)
    const hot = heat.find(({ wbgtC }) => wbgtC === HOT_C)
    if (change !== null) changes.push({ ...change, error: change.mean - OF_RISE * (runner.change ?? 0) })
    if (hot !== undefined) heats.push({ ...hot, error: hot.mean - heatTruth(runner.heat ?? USUAL_HEAT) })
  }
  return { change: told(changes), heat: told(heats) }
}

function heatTruth(costs: readonly number[]): number {
  const above = (wbgtC: number, least: number) => Math.max(0, wbgtC - least)
  return [10, 15, 20].reduce((sum, least, i) => sum + costs[i]! * (above(HOT_C, least) - above(COOL_C, least)), 0)
}

function told(all: readonly (Reading & { readonly error: number })[]): Told {
  const meanOf = (value: (one: (typeof all)[number]) => number) =>
    all.reduce((sum, one) => sum + value(one), 0) / all.length
  return {
    n: all.length,
    bias: 100 * meanOf(({ error }) => error),
    rmse: 100 * Math.sqrt(meanOf(({ error }) => error ** 2)),
    covered: meanOf(({ error, sd }) => (Math.abs(error) <= Z80 * sd ? 1 : 0)),
    stated: meanOf((one) => (isSure(one) ? 1 : 0)),
  }
}
