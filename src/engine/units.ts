/** A day of 24 hours. */
export const DAY_S = 86_400
export const HOUR_MS = 3_600_000
export const DAY_MS = 1000 * DAY_S
export const METRES_PER_KM = 1000
/** International mile. */
export const METRES_PER_MILE = 1609.344
/** International foot. */
export const METRES_PER_FOOT = 0.3048
/** Steps per revolution: a cadence in revolutions per minute counts one foot. */
export const STEPS_PER_REVOLUTION = 2

/**
 * Decimal rounding, half up (towards +Infinity). A value that misses the half only by the noise of a few floating-point
 * operations is taken as the half: 1.005 to two decimals is 1.01 although its binary form is smaller.
 * @param decimals 0 to 9
 * @returns never -0; whole numbers, NaN and the infinities unchanged
 */
export function roundHalfUp(value: number, decimals = 0): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value + 0
  const scale = 10 ** decimals
  const scaled = value * scale
  // beyond 2^52 every double is whole
  if (Math.abs(scaled) >= 4503599627370496) return value
  // four units in the last place cover the error of the input, of the product and of a sum or two before it
  const nudge = Math.abs(scaled) * 8.9e-16
  const rounded = Math.floor(scaled + 0.5 + nudge) / scale
  return rounded === 0 ? 0 : rounded
}

/** `roundHalfUp` that passes null on; NaN and infinities become null. */
export function roundedOrNull(value: number | null, decimals = 0): number | null {
  return value === null || !Number.isFinite(value) ? null : roundHalfUp(value, decimals)
}

/** The members of a record by `roundedOrNull`. */
export function rounded<T extends { readonly [K in keyof T]: number | null }>(numbers: T, decimals = 0): T {
  const members = Object.entries<number | null>(numbers)
  return Object.fromEntries(members.map(([name, value]) => [name, roundedOrNull(value, decimals)])) as T
}
