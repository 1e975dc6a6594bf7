import { median } from './numbers.ts'

const LEAST_POINTS = 8
const LEAST_SPAN_DAYS = 42
const MOST_P = 0.05
const DAYS_A_WEEK = 7
/** With more points than this, every other one is left out, to bound the number of pairs. */
const MOST_POINTS = 600
/** Half width of a 95 % interval of the normal distribution. */
const Z95 = 1.959964

export interface TrendPoint {
  /** Day, or another explanatory value. */
  readonly at: number
  readonly value: number
}

/**
 * Theil-Sen slope, the median over all pairs of points, per week with its 95 % interval, and the Mann-Kendall test with a
 * two-sided p. It is supported with p below 0.05 and enough points over enough weeks.
 * @returns null with fewer than two days
 */
export function trendOf(all: readonly TrendPoint[]) {
  const sorted = all.toSorted((a, b) => a.at - b.at)
  const every = Math.ceil(sorted.length / MOST_POINTS)
  const points = sorted.filter((_, i) => (sorted.length - 1 - i) % every === 0)
  const n = points.length
  const slopes: number[] = []
  let s = 0
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      const days = points[j]!.at - points[i]!.at
      const difference = points[j]!.value - points[i]!.value
      if (days > 0) {
        slopes.push(difference / days)
        s += Math.sign(difference)
      }
    }
  }
  if (slopes.length === 0) return null
  slopes.sort((a, b) => a - b)
  const deviation = Math.sqrt(variance(points))
  const z = deviation > 0 ? (s - Math.sign(s)) / deviation : 0
  const p = z === 0 ? 1 : 2 * (1 - normal(Math.abs(z)))
  const off = Z95 * deviation
  const rank = (at: number) => slopes[Math.max(0, Math.min(slopes.length - 1, Math.round(at)))]!
  return {
    s,
    z,
    p,
    n,
    slopePerWeek: DAYS_A_WEEK * median(slopes),
    interval: [
      DAYS_A_WEEK * rank((slopes.length - off) / 2 - 1),
      DAYS_A_WEEK * rank((slopes.length + off) / 2),
    ] as const,
    supported: n >= LEAST_POINTS && points.at(-1)!.at - points[0]!.at >= LEAST_SPAN_DAYS && p < MOST_P,
  }
}

/** Variance of Kendall's sum, corrected for ties in either column. */
function variance(points: readonly TrendPoint[]): number {
  const n = points.length
  const term = (count: number) => count * (count - 1) * (2 * count + 5)
  let sum = term(n)
  for (const column of ['at', 'value'] as const) {
    const counts = new Map<number, number>()
    for (const point of points) counts.set(point[column], (counts.get(point[column]) ?? 0) + 1)
    for (const count of counts.values()) sum -= term(count)
  }
  return Math.max(0, sum / 18)
}

/** Cumulative normal distribution at z (Abramowitz & Stegun 26.2.17, error below 7.5e-8). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}
