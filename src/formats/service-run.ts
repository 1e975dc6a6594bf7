import { LENGTHS } from '../base/texts.ts'
import { type DeviceTotals, NO_TOTALS } from '../engine/numbers.ts'
import type { RecordedSamples } from '../engine/track.ts'
import { type Activity, UNSAID } from './format.ts'
import { NUMBER_LIMITS } from './number-limits.ts'
import { mergedPoints, type TimedColumns } from './table/merged.ts'
import { cleanText, numberOf, textOf } from './text-values.ts'

// Runs in the exports of services, whose values have times of their own and whose totals stand beside them.

type Words = 'name' | 'notes' | 'device' | 'external' | 'laps' | 'utcOffsetMinutes'

interface ServiceRun extends Partial<Pick<Activity, Words>> {
  /** Unix milliseconds; NaN is reported for this run alone. */
  readonly startMs: number
  readonly series: readonly TimedColumns[]
  readonly totals: Partial<DeviceTotals>
  readonly indoor: boolean
  readonly pauses?: RecordedSamples['timerOffMs']
}

/** The run with its series on one time base; without two points it is a run of its totals. */
export function serviceRun({ startMs, series, totals, indoor, pauses, ...words }: ServiceRun): Activity {
  const points = mergedPoints(series)
  const rows = points.rowsWhere((row) => points.hasTime(row) && points.hasData(row))
  const recording = points.recording(rows, { elevationSource: 'unknown', indoor, hasSegments: false })
  return {
    ...UNSAID,
    ...words,
    startedAtMs: startMs,
    recording: rows.length < 2 ? null : { ...recording, startMs, timerOffMs: pauses ?? [] },
    totals: { ...NO_TOTALS, ...totals },
    source: 'json_import',
  }
}

/** Seconds or metres; null when the value is not a valid amount above 0. */
export function amountOf(value: unknown, factor = 1): number | null {
  return within(numberOf(value) * factor, NUMBER_LIMITS.amount)
}

/** The timer's seconds, unless they are more than the run lasted: exports round each on its own. */
export function timerWithin(timerS: number | null, elapsedS: number | null): number | null {
  return timerS !== null && elapsedS !== null && timerS <= elapsedS + 1 ? timerS : null
}

export function beatsOf(value: unknown): number | null {
  return within(numberOf(value), 255)
}

export function kcalOf(value: unknown): number | null {
  return within(numberOf(value), NUMBER_LIMITS.caloriesKcal)
}

export function nameOf(value: unknown): string | null {
  return cleanText(textOf(value), LENGTHS.name)
}

export function notesOf(value: unknown): string | null {
  return cleanText(textOf(value), LENGTHS.notes)
}

function within(value: number, limit: number): number | null {
  return value > 0 && value < limit ? value : null
}
