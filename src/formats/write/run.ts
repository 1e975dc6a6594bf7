import type { LapIntensity, LapTrigger } from '../../engine/laps.ts'
import type { NumberName } from '../../engine/numbers.ts'
import type { Span, Track } from '../../engine/track.ts'

/** Kinds of files that runs are written as. */
export const WRITTEN_FORMATS = ['fit', 'gpx', 'tcx'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

/** A stretch of the run; of no other length than from one to the next. */
export interface WrittenLap extends Span {
  /** Seconds that the timer ran. */
  readonly timerS: number
  readonly distanceM: number | null
  readonly avgHeartRateBpm: number | null
  readonly maxHeartRateBpm: number | null
  /** One foot. */
  readonly avgCadenceRpm: number | null
  readonly avgPowerWatts: number | null
  readonly elevGainM: number | null
  readonly elevLossM: number | null
  /** null: the run was cut here, by nobody's wish. */
  readonly trigger: LapTrigger | null
  readonly intensity: LapIntensity | null
}

/** What is written of a run, whatever the format. */
export interface WrittenRun {
  readonly id: string
  /** Unix milliseconds of elapsed second 0. */
  readonly startMs: number
  /** Local time minus UTC; null: not known. */
  readonly utcOffsetMinutes: number | null
  readonly name: string | null
  readonly notes: string | null
  /** Of the whole run, as they are served. */
  readonly numbers: Readonly<Record<NumberName, number | null>>
  /** null: nothing but the numbers is known. */
  readonly track: Track | null
  /** One after the other without gap from elapsed second 0 to the end of the run; at least one. */
  readonly laps: readonly WrittenLap[]
}

/** A longer pause parts the track. */
export const PARTING_PAUSE_S = 10

/** Elapsed seconds at which the track begins again after a pause that parts it. */
export function partings({ off }: Pick<Track, 'off'>): number[] {
  return off.filter(({ startS, endS }) => endS - startS > PARTING_PAUSE_S).map(({ endS }) => endS)
}

/** Whether a column has a value anywhere. */
export function hasValues(column: Float64Array): boolean {
  return column.some((value) => !Number.isNaN(value))
}

/** Elapsed seconds of the end of the run: that of its total, or its last sample. */
export function endOf({ track, numbers }: Pick<WrittenRun, 'track' | 'numbers'>): number {
  return Math.max(track?.tS.at(-1) ?? 0, numbers.durationS ?? 0)
}
