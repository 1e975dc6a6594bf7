import { gathered, rowNumbers } from '../../engine/gather.ts'
import type { Readings, Span } from '../readings.ts'
import { sortByTime } from '../table/merged.ts'

// Heart rates, steps and distances that the app exports beside the route, mostly one value a minute.

/** Values and the times at which their intervals begin, Unix milliseconds; columns of equal length. */
export interface Stated {
  readonly atMs: Float64Array
  readonly value: Float64Array
}

export interface HeartRates extends Stated {
  readonly least: Float64Array
  readonly most: Float64Array
}

/** Values belong to full minutes of the clock, so the first may begin before the run. */
const MINUTE_MS = 60_000
/** From a shorter part of a minute no cadence is computed. */
const SHORTEST_MS = 10_000

/** Heart rates in order of time, without those after the end of the run, which the app exports by a known fault. */
export function heartRatesWithin({ value, least, most, ...stated }: HeartRates, stretch: Span): HeartRates {
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
  { atMs, value }: Stated,
  { startMs, endMs }: Span,
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

/** Each value covers the median interval between values, at most a minute, up to the next one, within the run. */
export function readingsWithin(stated: Stated, stretch: Span): Readings {
  const rows = rowsWithin(stated, stretch, (value) => value >= 0)
  sortByTime(rows, stated.atMs)
  const atMs = gathered(stated.atMs, rows)
  const gaps = atMs.subarray(1).map((at, k) => at - atMs[k]!)
  const usualMs = Math.min(MINUTE_MS, gaps.sort()[Math.floor(gaps.length / 2)] ?? MINUTE_MS)
  const startMs = atMs.map((at) => Math.max(at, stretch.startMs))
  const endMs = atMs.map((at, k) => Math.min(at + usualMs, atMs[k + 1] ?? stretch.endMs, stretch.endMs))
  return lasting({ startMs, endMs, value: gathered(stated.value, rows) }, (ms) => ms > 0)
}

/** Without intervals under ten seconds, unless there are none longer. */
export function longReadings(readings: Readings): Readings {
  const longestMs = readings.endMs.reduce((most, endMs, k) => Math.max(most, endMs - readings.startMs[k]!), 0)
  return lasting(readings, (ms) => ms >= Math.min(SHORTEST_MS, longestMs))
}

function lasting({ startMs, endMs, value }: Readings, passes: (ms: number) => boolean): Readings {
  const rows = rowNumbers(value.length).filter((row) => passes(endMs[row]! - startMs[row]!))
  return { startMs: gathered(startMs, rows), endMs: gathered(endMs, rows), value: gathered(value, rows) }
}
