import type { PointColumn } from '../table/points.ts'

// Values that are recorded separately from the route: heart rates, steps and distances, mostly one value a minute.

/** Start and end of a workout, Unix milliseconds. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** A value, with the start of the period that it describes. */
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

/** Length of a period. Periods start at full minutes, so the first one may start before the workout. */
const MINUTE_MS = 60_000
/** A shorter part of a period gives no reliable cadence. */
const SHORTEST_MS = 10_000

/**
 * The heart rates during the run. The app is known to add those of the minutes after its end.
 * @returns in order of time
 */
export function heartRatesWithin(readings: readonly HeartRate[], { startMs, endMs }: Stretch): HeartRate[] {
  return readings
    .filter(({ atMs, value }) => atMs > startMs - MINUTE_MS && atMs < endMs && value > 0)
    .map((reading) => ({ ...reading, atMs: Math.max(reading.atMs, startMs) }))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** A reading with the part of the run that it describes. */
interface Bucket extends Stretch {
  readonly value: number
}

/** Assigns each reading a period of the usual interval between readings, at most a minute, limited to the run. */
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

/** Cadence as steps of one foot per minute. */
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
 * Cumulative distance of a run without positions.
 * @param totalM distance of the whole run, to which the sum is scaled; null: unknown
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

/** Whether the values can belong to the same run as the total. */
function isLikely(factor: number): boolean {
  return factor >= 0.5 && factor <= 2
}
