import { gathered } from '../../engine/gather.ts'
import { sortByTime } from '../table/merged.ts'

// Heart rates, steps and distances that the app exports beside the route, mostly one value a minute.

/** Start and end of a workout, or of a part of it, Unix milliseconds. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** Values and the times at which their intervals begin, Unix milliseconds; columns of equal length. */
export interface Readings {
  readonly atMs: Float64Array
  readonly value: Float64Array
}

export interface HeartRates extends Readings {
  readonly least: Float64Array
  readonly most: Float64Array
}

/** Values belong to full minutes of the clock, so the first may begin before the run. */
const MINUTE_MS = 60_000
/** From a shorter part of a minute no cadence is computed. */
const SHORTEST_MS = 10_000

/** Heart rates in order of time, without those after the end of the run, which the app exports by a known fault. */
export function heartRatesWithin({ value, least, most, ...stated }: HeartRates, stretch: Stretch): HeartRates {
  const atMs = stated.atMs.map((ms) => Math.max(ms, stretch.startMs))
  const rows = rowsWithin({ atMs: stated.atMs, value }, stretch, (one) => one > 0)
  sortByTime(rows, atMs)
  return {
    atMs: gathered(atMs, rows),
    value: gathered(value, rows),
    least: gathered(least, rows),
    most: gathered(most, rows),
  }
}

/** The rows whose interval may touch the run, and whose value passes, in the order of the file. */
function rowsWithin(
  { atMs, value }: Readings,
  { startMs, endMs }: Stretch,
  passes: (value: number) => boolean,
): Uint32Array {
  const rows = new Uint32Array(atMs.length)
  let count = 0
  for (let row = 0; row < atMs.length; row += 1) {
    if (!(atMs[row]! > startMs - MINUTE_MS && atMs[row]! < endMs && passes(value[row]!))) continue
    rows[count] = row
    count += 1
  }
  return rows.subarray(0, count)
}

/** Readings and the parts of the run that they cover, in order of time. */
interface Buckets {
  readonly n: number
  readonly startMs: Float64Array
  readonly endMs: Float64Array
  readonly value: Float64Array
}

/** Each reading covers the median interval between readings, at most a minute, up to the next one, within the run. */
function bucketsOf(readings: Readings, stretch: Stretch): Buckets {
  const rows = rowsWithin(readings, stretch, (value) => value >= 0)
  sortByTime(rows, readings.atMs)
  const atMs = gathered(readings.atMs, rows)
  const gaps = atMs.subarray(1).map((at, k) => at - atMs[k]!)
  const usualMs = Math.min(MINUTE_MS, gaps.sort()[Math.floor(gaps.length / 2)] ?? MINUTE_MS)
  const [startMs, endMs] = [new Float64Array(atMs.length), new Float64Array(atMs.length)]
  const value = gathered(readings.value, rows)
  let n = 0
  for (let k = 0; k < atMs.length; k += 1) {
    const from = Math.max(atMs[k]!, stretch.startMs)
    const to = Math.min(atMs[k]! + usualMs, atMs[k + 1] ?? stretch.endMs, stretch.endMs)
    if (to <= from) continue
    startMs[n] = from
    endMs[n] = to
    value[n] = value[k]!
    n += 1
  }
  return { n, startMs, endMs, value }
}

/** Cadence from step counts: steps of one foot a minute. */
export function cadences(steps: Readings, stretch: Stretch): Readings {
  const { n, startMs, endMs, value } = bucketsOf(steps, stretch)
  let longestMs = 0
  for (let k = 0; k < n; k += 1) longestMs = Math.max(longestMs, endMs[k]! - startMs[k]!)
  const [atMs, cadence] = [new Float64Array(n), new Float64Array(n)]
  let count = 0
  for (let k = 0; k < n; k += 1) {
    const lastsMs = endMs[k]! - startMs[k]!
    if (lastsMs < Math.min(SHORTEST_MS, longestMs)) continue
    atMs[count] = startMs[k]!
    cadence[count] = (value[k]! / lastsMs) * MINUTE_MS * 0.5
    count += 1
  }
  return { atMs: atMs.subarray(0, count), value: cadence.subarray(0, count) }
}

/** The cumulative distance of a run without positions, scaled to the total, metres; null: not stated. */
export function distances(metres: Readings, stretch: Stretch, totalM: number | null): Readings {
  const { n, startMs, endMs, value } = bucketsOf(metres, stretch)
  let sumM = 0
  for (let k = 0; k < n; k += 1) sumM += value[k]!
  const factor = totalM !== null && sumM > 0 && isLikely(totalM / sumM) ? totalM / sumM : 1
  const [atMs, distanceM] = [new Float64Array(2 * n), new Float64Array(2 * n)]
  let reachedM = 0
  for (let k = 0; k < n; k += 1) {
    atMs[2 * k] = startMs[k]!
    distanceM[2 * k] = reachedM
    reachedM += value[k]! * factor
    atMs[2 * k + 1] = endMs[k]!
    distanceM[2 * k + 1] = reachedM
  }
  return { atMs, value: distanceM }
}

/** A larger difference means that values and total are not of the same run. */
function isLikely(factor: number): boolean {
  return factor >= 0.5 && factor <= 2
}
