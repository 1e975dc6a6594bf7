import { seededRandom } from '../fixtures/knots.ts'

/** Chance that can be repeated. */
export interface Random {
  /** A whole number of 0 to n - 1. */
  below(n: number): number
  chance(share: number): boolean
  of<Value>(values: readonly Value[]): Value
}

/** @param parts the seed: the same parts give the same numbers on every machine */
export function randomOf(...parts: readonly (string | number)[]): Random {
  const next = seededRandom(Number(Bun.hash.crc32(parts.join(':'))))
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    chance: (share) => next() < share,
    of: (values) => {
      if (values.length === 0) throw new RangeError('There is nothing to choose from')
      return values[below(values.length)]!
    },
  }
}
