import { DAY_S } from '../../../engine/units.ts'

/** Steps for axes of times, seconds. */
const CLOCK_STEPS_S = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  10_800,
  14_400,
  21_600,
  43_200,
  DAY_S,
] as const

/**
 * The smallest of 1, 2 and 5 times a power of ten that divides a range into at most `most` parts.
 * @param range positive
 */
export function decimalStep(range: number, most: number): number {
  const least = range / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  for (const digit of [1, 2, 5]) if (digit * power >= least * (1 - 1e-9)) return digit * power
  return 10 * power
}

/** As `decimalStep`, for times and paces in seconds: 15 s, 30 s, 1 min, 2 min and so on; whole days beyond one. */
export function clockStep(rangeS: number, most: number): number {
  const least = rangeS / Math.max(1, most)
  return CLOCK_STEPS_S.find((step) => step >= least * (1 - 1e-9)) ?? Math.ceil(least / DAY_S) * DAY_S
}

/** Multiples of `step` from `from` to `to`, both included; at most 1,000. */
export function ticksBetween(from: number, to: number, step: number): number[] {
  const slack = step * 1e-9
  // never -0, which would be displayed with its sign
  const first = Math.ceil((from - slack) / step) || 0
  const last = Math.min(first + 999, Math.floor((to + slack) / step))
  const result: number[] = []
  // 0.1 + 0.2 is not 0.3, but dividing by an inverse is exact
  const inverse = 1 / step
  const isInverse = step < 1 && Math.abs(inverse - Math.round(inverse)) < 1e-9
  for (let k = first; k <= last; k += 1) result.push(isInverse ? k / Math.round(inverse) : k * step)
  return result
}
