import type { TimedColumns } from './table/merged.ts'
import type { PointColumn } from './table/points.ts'

// What health apps hold apart from a workout: values of intervals of their own.

/** A shorter interval gives no cadence: its steps are rounded to whole ones. */
const SHORTEST_MS = 1000

/** Values and the intervals that they are of, Unix milliseconds; columns of equal length. */
export interface Readings {
  readonly startMs: Float64Array
  readonly endMs: Float64Array
  readonly value: Float64Array
}

export const NO_READINGS: Readings = {
  startMs: new Float64Array(),
  endMs: new Float64Array(),
  value: new Float64Array(),
}

/** Values as a column at the times where their intervals begin; none lies before the run. */
export function columnOf(name: PointColumn, { startMs, value }: Readings, fromMs: number): TimedColumns {
  return { timeMs: startMs.map((ms) => Math.max(ms, fromMs)), columns: [[name, value]] }
}

/** Cadence from counts of steps: steps of one foot a minute. */
export function cadences({ startMs, endMs, value }: Readings, fromMs: number): TimedColumns {
  const cadence = value.map((steps, k) => {
    const lastsMs = endMs[k]! - startMs[k]!
    return lastsMs < SHORTEST_MS ? Number.NaN : ((steps / lastsMs) * 60_000) / 2
  })
  return columnOf('cadence', { startMs, endMs, value: cadence }, fromMs)
}

/** When a run began and ended, Unix milliseconds. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** Of a record over the beginning or the end of the run, the part within it. */
export function shareWithin(fromMs: number, toMs: number, { startMs, endMs }: Span): number {
  return toMs > fromMs ? Math.max(0, Math.min(toMs, endMs) - Math.max(fromMs, startMs)) / (toMs - fromMs) : 1
}

/** The cumulative distance, scaled to the total where that is likely to be of the same metres, NaN: not stated. */
export function distances(metres: Readings, run: Span, totalM: number): TimedColumns {
  const n = metres.value.length
  const [starts, ends, parts] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  let sumM = 0
  let afterMs = run.startMs
  for (let k = 0; k < n; k += 1) {
    const [from, to] = [metres.startMs[k]!, metres.endMs[k]!]
    starts[k] = Math.max(from, afterMs)
    ends[k] = Math.max(starts[k]!, Math.min(to, run.endMs))
    parts[k] = metres.value[k]! * shareWithin(from, to, run)
    sumM += parts[k]!
    afterMs = ends[k]!
  }
  const factor = totalM / sumM >= 0.5 && totalM / sumM <= 2 ? totalM / sumM : 1
  const [timeMs, distanceM] = [new Float64Array(2 * n), new Float64Array(2 * n)]
  let reachedM = 0
  for (let k = 0; k < n; k += 1) {
    timeMs.set([starts[k]!, ends[k]!], 2 * k)
    distanceM[2 * k] = reachedM
    reachedM += parts[k]! * factor
    distanceM[2 * k + 1] = reachedM
  }
  return { timeMs, columns: [['distanceM', distanceM]] }
}
