import type { Numbers } from './numbers.ts'

/** Bounds of the five zones, bpm. Zone k holds min <= hr < the next zone's min; zone 5 has no upper end. */
export type Zones = readonly [Zone, Zone, Zone, Zone, Zone]
export interface Zone {
  readonly minBpm: number
  readonly maxBpm: number
}

/** Barometric threshold and shortest climb that count towards elevation gain (docs/api.md 2). */
export interface ElevationSettings {
  readonly thresholdM: number
  readonly minDistanceM: number
}

export interface AnalyzeOptions {
  /** 1000 or 1609.344 */
  readonly splitLengthM: number
  readonly zones: Zones
  readonly elevation: ElevationSettings
}

export interface Split {
  readonly idx: number
  readonly distanceM: number
  readonly durationS: number
  readonly paceS: number
  readonly startElapsedS: number
  readonly endElapsedS: number
  readonly movingTimeS: number | null
  readonly elevGainM: number | null
  readonly elevLossM: number | null
  readonly avgHeartRateBpm: number | null
  readonly avgCadenceRpm: number | null
  readonly gapPaceS: number | null
}

/**
 * Why an effort is implausible: it is faster than the world record, the recording is not a run, its window spans a gap
 * without records that the runner would have had to cross much faster than he ran before and after it, or it is short,
 * from positions alone, and much faster than the same distance before and after it.
 */
export const IMPLAUSIBLE_REASONS = ['fasterThanRecord', 'notOnFoot', 'gap', 'leap'] as const
export type ImplausibleReason = (typeof IMPLAUSIBLE_REASONS)[number]

export interface BestEffort {
  /** Index into STANDARD_DISTANCES. */
  readonly distanceIndex: number
  /** Whole milliseconds. */
  readonly timeMs: number
  /** Start of the window, whole milliseconds since the start of the run. */
  readonly startMs: number
  /** null: the effort is plausible. */
  readonly implausibleReason: ImplausibleReason | null
}

/** Everything that is derived from one run, rounded as docs/api.md 1.2 demands. */
export interface Analysis extends Numbers {
  readonly splits: readonly Split[]
  readonly bestEfforts: readonly BestEffort[]
  /** Indexes into the track of the route's points (those with a position); empty when fewer than two. */
  readonly routeIndex: Uint32Array
  /** At most 100 [lon, lat] with 5 decimals, first and last kept; null without route. */
  readonly preview: readonly (readonly [number, number])[] | null
}
