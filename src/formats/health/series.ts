import type { PointColumn } from '../table/points.ts'

// What is told beside the route: heart rates, steps and distances, mostly one value a minute.

/** What a workout lasts, Unix milliseconds. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** One value, told with the beginning of the time that it is of. */
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

/** A minute begins with the clock: that of the start lies before it. */
const MINUTE_MS = 60_000
/** Of less of a minute a number of steps says nothing. */
const SHORTEST_MS = 10_000

/**
 * The heart rates of the run itself. A known fault of the app is that it adds the minutes after the end.
 * @returns in order of time
 */
export function heartRatesWithin(readings: readonly HeartRate[], { startMs, endMs }: Stretch): HeartRate[] {
  return readings
    .filter(({ atMs, value }) => atMs > startMs - MINUTE_MS && atMs < endMs && value > 0)
    .map((reading) => ({ ...reading, atMs: Math.max(reading.atMs, startMs) }))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** A reading with the part of the run that it is of. */
interface Bucket extends Stretch {
  readonly value: number
}

/** Each reading lasts as long as they usually lie apart, a minute at most, as far as it lies in the run. */
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

/** Steps of one foot a minute. */
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
 * The distance from the start on, of a run without positions.
 * @param totalM what the run as a whole is said to be; null: nobody says it
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

/** Beyond that they are not of one run. */
function isLikely(factor: number): boolean {
  return factor >= 0.5 && factor <= 2
}
