import { firstFrom } from '../gather.ts'
import { gpsDistance } from '../run/distance.ts'
import { heldMean, heldSeries, MAX_HOLD_S } from '../run/hold.ts'
import { mergedSpans, secondsWithin, stops } from '../run/moving.ts'
import { HEART_RATE_RANGE } from '../run/zones.ts'
import type { Span, Track } from '../track.ts'
import { type Pass, passFinder } from './passes.ts'
import type { Stretch } from './stretch.ts'

export type PassColumns = Pick<Track, 'tS' | 'off' | 'latDeg' | 'lonDeg' | 'heartRateBpm'>

/** A pass with its numbers, not rounded. */
export interface MeasuredPass extends Pass {
  /** Seconds without stops (docs/algorithms.md 7, by the positions alone) and pauses of the watch. */
  readonly movingS: number
  /** Mean over time; null: not measured. */
  readonly heartRateBpm: number | null
}

export function passMeter(stretch: Stretch): (columns: PassColumns) => MeasuredPass[] {
  const find = passFinder(stretch)
  return (columns) => find(columns.tS, columns).map((pass) => ({ ...pass, ...numbersOf(columns, pass) }))
}

export function numbersOf(columns: PassColumns, span: Span): Pick<MeasuredPass, 'movingS' | 'heartRateBpm'> {
  const { tS } = columns
  const rows = (fromS: number) => [Math.max(0, firstFrom(tS, fromS) - 1), firstFrom(tS, span.endS) + 1] as const
  return {
    movingS: movingS(columns, span, rows(span.startS)),
    heartRateBpm: heartRate(columns, span, rows(span.startS - MAX_HOLD_S)),
  }
}

/** Reads only the rows of the pass: a stop is within it or is cut at its ends. */
function movingS({ tS, latDeg, lonDeg, off }: PassColumns, span: Span, [from, to]: readonly [number, number]): number {
  const timeS = tS.subarray(from, to)
  const positions = { latDeg: latDeg.subarray(from, to), lonDeg: lonDeg.subarray(from, to) }
  const near = off.filter(({ startS, endS }) => startS < span.endS && endS > span.startS)
  const moved = gpsDistance(timeS, positions, near)
  const stood = moved === null ? [] : stops(timeS, moved.movedM, { off: near, elevM: null })
  return span.endS - span.startS - secondsWithin(mergedSpans([...stood, ...near]), span.startS, span.endS)
}

function heartRate(
  { tS, heartRateBpm }: PassColumns,
  span: Span,
  [from, to]: readonly [number, number],
): number | null {
  const series = heldSeries(tS.subarray(from, to), heartRateBpm.subarray(from, to), HEART_RATE_RANGE)
  return series && heldMean(series, span)
}
