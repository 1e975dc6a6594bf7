import type { NumberName } from '../../engine/numbers.ts'
import type { Lap } from '../../engine/run/laps.ts'
import { secondsWithin } from '../../engine/run/moving.ts'
import type { Span, Track } from '../../engine/track.ts'

export type WrittenFormat = 'fit' | 'gpx' | 'tcx'

type LapNumber =
  | ('distanceM' | 'avgHeartRateBpm' | 'maxHeartRateBpm' | 'avgCadenceRpm')
  | ('avgPowerWatts' | 'elevGainM' | 'elevLossM')

/** A stretch of the run. Its trigger is null when it was not started by the runner or the device, but added. */
export interface WrittenLap extends Span, Pick<Lap, LapNumber | 'trigger' | 'intensity'> {
  /** Seconds that the timer ran. */
  readonly timerS: number
}

export interface WrittenRun {
  readonly id: string
  /** Unix milliseconds of elapsed second 0. */
  readonly startMs: number
  /** Local time minus UTC; null: unknown. */
  readonly utcOffsetMinutes: number | null
  readonly name: string | null
  readonly notes: string | null
  readonly numbers: Readonly<Record<NumberName, number | null>>
  /** null: only the numbers are known. */
  readonly track: Track | null
  /** Adjacent laps from elapsed second 0 to the end of the run; at least one. */
  readonly laps: readonly WrittenLap[]
  /** Laps of the device nested in these, or overlapping them. */
  readonly overlapping: readonly WrittenLap[]
}

/** A longer pause divides the track into segments. */
export const PARTING_PAUSE_S = 10

/** Elapsed seconds at which a new segment begins, after a pause that divides the track. */
export function partings({ off }: Pick<Track, 'off'>): number[] {
  return off.filter(({ startS, endS }) => endS - startS > PARTING_PAUSE_S).map(({ endS }) => endS)
}

/** A total time shorter than the samples by more than this belongs to another recording. */
const SHORTER_S = 60

/** Elapsed seconds of the end of the run: by its total, else of its last sample. */
export function endOf({ track, numbers }: Pick<WrittenRun, 'track' | 'numbers'>): number {
  const lastS = track?.tS.at(-1) ?? 0
  const durationS = numbers.durationS ?? lastS
  return lastS > durationS + SHORTER_S ? lastS : durationS
}

/** Seconds during which the timer ran: as stated, or everything but the pauses. */
export function timerOf(run: Pick<WrittenRun, 'track' | 'numbers'>): number {
  const endS = endOf(run)
  return run.numbers.timerTimeS ?? endS - secondsWithin(run.track?.off ?? [], 0, endS)
}
