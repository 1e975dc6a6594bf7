import type { LapIntensity, LapTrigger } from '../../engine/laps.ts'
import type { NumberName } from '../../engine/numbers.ts'
import type { Span, Track } from '../../engine/track.ts'

/** File formats that runs can be written in. */
const WRITTEN_FORMATS = ['fit', 'gpx', 'tcx'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

/** A stretch of the run. */
export interface WrittenLap extends Span {
  /** Seconds that the timer ran. */
  readonly timerS: number
  readonly distanceM: number | null
  readonly avgHeartRateBpm: number | null
  readonly maxHeartRateBpm: number | null
  /** Counts one foot. */
  readonly avgCadenceRpm: number | null
  readonly avgPowerWatts: number | null
  readonly elevGainM: number | null
  readonly elevLossM: number | null
  /** null: the lap was not started by the runner or the device, but added to cover the run. */
  readonly trigger: LapTrigger | null
  readonly intensity: LapIntensity | null
}

/** The data of a run that the writers use. */
export interface WrittenRun {
  readonly id: string
  /** Unix milliseconds of elapsed second 0. */
  readonly startMs: number
  /** Local time minus UTC; null: unknown. */
  readonly utcOffsetMinutes: number | null
  readonly name: string | null
  readonly notes: string | null
  /** Numbers of the whole run, as served. */
  readonly numbers: Readonly<Record<NumberName, number | null>>
  /** null: only the numbers are known. */
  readonly track: Track | null
  /** Adjacent laps from elapsed second 0 to the end of the run; at least one. */
  readonly laps: readonly WrittenLap[]
}

/** A longer pause divides the track into segments. */
export const PARTING_PAUSE_S = 10

/** Elapsed seconds at which a new segment begins, after a pause that divides the track. */
export function partings({ off }: Pick<Track, 'off'>): number[] {
  return off.filter(({ startS, endS }) => endS - startS > PARTING_PAUSE_S).map(({ endS }) => endS)
}

/** Elapsed seconds of the end of the run: by its total, or of its last sample. */
export function endOf({ track, numbers }: Pick<WrittenRun, 'track' | 'numbers'>): number {
  return Math.max(track?.tS.at(-1) ?? 0, numbers.durationS ?? 0)
}
