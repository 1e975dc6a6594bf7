/** Half width of an 80 % band of the normal distribution, in standard deviations. */
export const Z80 = 1.2816
/** Standard deviations per median absolute deviation of a normal distribution. */
export const PER_DEVIATION = 1.4826

/** The median; NaN without values. */
export function median(values: readonly number[]): number {
  return middleOf(values.toSorted((a, b) => a - b))
}

/** The median of ascending values. */
export function middleOf(sorted: readonly number[]): number {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** Interpolated linearly between ranks (type 7 of Hyndman & Fan). @param sorted ascending, not empty */
export function quantile(sorted: readonly number[], share: number): number {
  const rank = share * (sorted.length - 1)
  const low = Math.floor(rank)
  const high = Math.min(sorted.length - 1, low + 1)
  return sorted[low]! + (rank - low) * (sorted[high]! - sorted[low]!)
}

/** 0 without values. */
export function sumOf(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

/** NaN without values. */
export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}

/** Standard deviation about the mean. @param freedom subtracted from the count: 0 for a population, 1 for a sample */
export function deviationOf(values: readonly number[], freedom: 0 | 1): number {
  const mean = meanOf(values)
  return Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - freedom))
}

export function clamped(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
