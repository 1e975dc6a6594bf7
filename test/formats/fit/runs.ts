import { fitFormat } from '../../../src/formats/fit/fit.ts'
import type { Activity, ParsedFile } from '../../../src/formats/format.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../../fixtures/fit.ts'

export const START_MS = Date.UTC(2024, 4, 5, 6, 7, 8)

/** A steady run of 3 m/s, one record a second. */
export function steady(seconds: number, from = 0): FitSample[] {
  return Array.from({ length: seconds + 1 }, (_, i) => ({ t: from + i, distanceM: 3 * (from + i), hr: 140 }))
}

export function parse(options: Partial<FitFileOptions>, anySport = false): ParsedFile {
  const bytes = fitFile({ startMs: START_MS, samples: steady(100), ...options })
  return fitFormat.parse(bytes, { filename: 'run.fit', anySport })
}

export function run(options: Partial<FitFileOptions>): Activity {
  return parse(options).activities[0]!
}

export function secondsOf(activity: Activity): number[] {
  return [...activity.recording!.timeMs].map((ms) => (ms - activity.startedAtMs) / 1000)
}

export function offOf(activity: Activity): [number, number][] {
  return activity.recording!.timerOffMs.map(([a, b]) => [
    (a - activity.startedAtMs) / 1000,
    (b - activity.startedAtMs) / 1000,
  ])
}
