import { normalOf, seededRandom } from '../fixtures/knots.ts'

/** Random numbers of one runner, the same for the same seed. */
export interface Chance {
  /** In [0, 1). */
  unit(): number
  between(least: number, most: number): number
  normal(mean: number, sd: number): number
  is(share: number): boolean
}

export function chanceOf(seed: number): Chance {
  const unit = seededRandom(seed)
  return {
    unit,
    between: (least, most) => least + (most - least) * unit(),
    normal: (mean, sd) => mean + sd * normalOf(unit),
    is: (share) => unit() < share,
  }
}

/** A value for each of some steps that wanders about 0: neighbours correlate, the standard deviation is `sd`. */
export function wandering(chance: Chance, count: number, { sd, persistence }: { sd: number; persistence: number }) {
  let value = chance.normal(0, sd)
  return Float64Array.from({ length: count }, () => {
    const now = value
    value = persistence * value + chance.normal(0, sd * Math.sqrt(1 - persistence ** 2))
    return now
  })
}
