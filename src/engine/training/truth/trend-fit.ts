import { stateFit, stateMean, stateSd, type Terms } from '../latent/state-fit.ts'

/** Days over which fitness is averaged. */
export const WINDOW_DAYS = 28
const ROUNDS = 10

export interface TrendRow {
  readonly day: number
  /** ln m/s. */
  readonly y: number
  /** Value of each term. */
  readonly x: readonly number[]
}

export interface TrendPrior {
  readonly mean: readonly number[]
  readonly sd: readonly number[]
}

export type TrendFit = ReturnType<typeof trendFit>

/** Fitness at one pulse from steady runs alone, all terms of the conditions beside it. @param rows in order of start */
export function trendFit(
  rows: readonly TrendRow[],
  { mean, sd }: TrendPrior,
  days: { readonly first: number; readonly last: number },
) {
  const size = mean.length
  const precision = new Float64Array(size * size)
  for (let i = 0; i < size; i += 1) precision[i * (size + 1)] = 1 / sd[i]! ** 2
  const placed = rows.map(({ day, y, x }) => {
    const at = [...x.keys()].filter((i) => x[i] !== 0)
    return { day, kind: 'H' as const, y, at, x: at.map((i) => x[i]!) }
  })
  const model = { means: mean, precision, runDays: null, rounds: ROUNDS, mayBeFast: false, widened: 'bands' } as const
  const fit = stateFit(placed, { ...model, firstDay: days.first, lastDay: days.last })
  const level = (day: number) => stateMean(fit, day, [])
  const windows = Array.from({ length: WINDOW_DAYS }, (_, back) => back)
  const fitness = (day: number) => windows.reduce((sum, back) => sum + level(day - back), 0) / WINDOW_DAYS
  return {
    /** Fitness on a day, and its mean over the 28 days that end there, ln m/s. */
    level,
    fitness,
    sigma: fit.sigma,
    inflation: fit.inflation,
    terms: fit.terms.map((value, i) => ({ mean: value, sd: stateSd(fit, [], [[i, 1]]) })),
    /** Difference of fitness between the 28 days that end on each of two days, in ln m/s. */
    change(fromDay: number, toDay: number) {
      const parts = windows.flatMap((back) => [
        [toDay - back, 1 / WINDOW_DAYS] as const,
        [fromDay - back, -1 / WINDOW_DAYS] as const,
      ])
      return { mean: fitness(toDay) - fitness(fromDay), sd: stateSd(fit, parts, []) }
    },
    /** A sum of terms. */
    sum: (terms: Terms) => ({
      mean: terms.reduce((sum, [term, value]) => sum + value * fit.terms[term]!, 0),
      sd: stateSd(fit, [], terms),
    }),
    /** What a run is expected to be. */
    expected({ day, x }: Pick<TrendRow, 'day' | 'x'>) {
      const terms = x.map((value, i) => [i, value] as const)
      return { mean: stateMean(fit, day, terms), sd: stateSd(fit, [[day, 1]], terms) }
    },
  }
}
