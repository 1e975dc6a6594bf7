import type { PointColumn } from '../table/points.ts'

// Heart rates, steps and distances that the app exports beside the route, mostly one value a minute.

/** Start and end of a workout, or of a part of it, Unix milliseconds. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** One value with the time at which its interval begins. */
export interface Reading {
  readonly atMs: number
  readonly value: number
}

export interface HeartRate extends Reading {
  readonly least: number
  readonly most: number
}

/** Values of some columns at one time. */
export type Point = { timeMs: number } & Partial<Record<Exclude<PointColumn, 'timeMs'>, number>>

/** Values belong to full minutes of the clock, so the first may begin before the run. */
const MINUTE_MS = 60_000
/** From a shorter part of a minute no cadence is computed. */
const SHORTEST_MS = 10_000

/**
 * Drops heart rates from after the end of the run, which the app exports by a known fault.
 * @returns the others in order of time
 */
export function heartRatesWithin(readings: readonly HeartRate[], { startMs, endMs }: Stretch): HeartRate[] {
  return readings
    .filter(({ atMs, value }) => atMs > startMs - MINUTE_MS && atMs < endMs && value > 0)
    .map((reading) => ({ ...reading, atMs: Math.max(reading.atMs, startMs) }))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** A reading and the part of the run that it covers. */
interface Bucket extends Stretch {
  readonly value: number
}

/** Each reading covers the median interval between readings, at most a minute, up to the next one, within the run. */
function bucketsOf(readings: readonly Reading[], { startMs, endMs }: Stretch): Bucket[] {
  const sorted = readings
    .filter(({ atMs, value }) => atMs > startMs - MINUTE_MS && atMs < endMs && value >= 0)
    .toSorted((a, b) => a.atMs - b.atMs)
  const gaps = sorted.slice(1).map(({ atMs }, k) => atMs - sorted[k]!.atMs)
  const usualMs = Math.min(MINUTE_MS, gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? MINUTE_MS)
  return sorted.flatMap(({ atMs, value }, k) => {
    const bucket = {
      value,
      startMs: Math.max(atMs, startMs),
      endMs: Math.min(atMs + usualMs, sorted[k + 1]?.atMs ?? endMs, endMs),
    }
    return bucket.endMs > bucket.startMs ? [bucket] : []
  })
}

/** Cadence from step counts: steps of one foot a minute. */
export function cadencePoints(steps: readonly Reading[], stretch: Stretch): Point[] {
  const buckets = bucketsOf(steps, stretch)
  const longestMs = Math.max(...buckets.map((bucket) => bucket.endMs - bucket.startMs), 0)
  return buckets.flatMap(({ startMs, endMs, value }) => {
    const lastsMs = endMs - startMs
    if (lastsMs < Math.min(SHORTEST_MS, longestMs)) return []
    return [{ timeMs: startMs, cadence: (value / lastsMs) * MINUTE_MS * 0.5 }]
  })
}

/**
 * The cumulative distance of a run without positions, scaled to the total.
 * @param totalM distance of the whole run as stated; null: not stated
 */
export function distancePoints(metres: readonly Reading[], stretch: Stretch, totalM: number | null): Point[] {
  const buckets = bucketsOf(metres, stretch)
  const sumM = buckets.reduce((sum, { value }) => sum + value, 0)
  const factor = totalM !== null && sumM > 0 && isLikely(totalM / sumM) ? totalM / sumM : 1
  const points: Point[] = []
  let distanceM = 0
  for (const { startMs, endMs, value } of buckets) {
    points.push({ timeMs: startMs, distanceM })
    distanceM += value * factor
    points.push({ timeMs: endMs, distanceM })
  }
  return points
}

/** A larger difference means that values and total are not of the same run. */
function isLikely(factor: number): boolean {
  return factor >= 0.5 && factor <= 2
}
