import type { AnalyzeOptions, Split } from '../analysis.ts'
import { gathered, rowsWith } from '../gather.ts'
import type { Track } from '../track.ts'
import { withinClimbLimit } from './climb-limit.ts'
import { filledDistance, gpsDistance } from './distance.ts'
import { type ElevationProfile, elevationProfile, smoothed } from './elevation.ts'
import { equivalentDistance } from './grade.ts'
import { mergedSpans, type Stop, stops } from './moving.ts'
import { type HeldSeries, splits } from './splits.ts'

/** Smoothing of the altitude that counts as movement, seconds to either side (ALGORITHMS 7). */
const VERTICAL_HALF_WINDOW_S = 15
/** Heart rates outside take no part in anything derived (CONTRACT 7.1). */
const HEART_RATE_RANGE = [30, 250] as const

/** What whole run and splits are both made of; null: the samples do not say. */
export interface Readings {
  /** Cumulative metres of every row. */
  readonly distanceM: Float64Array | null
  readonly profile: ElevationProfile | null
  readonly found: readonly Stop[] | null
  /** Cumulative grade-equivalent flat metres. */
  readonly equivalentM: Float64Array | null
  readonly heartRate: HeldSeries | null
  readonly cadence: HeldSeries | null
}

export function trackReadings(track: Track, elevation: AnalyzeOptions['elevation']): Readings {
  const { tS } = track
  const distanceM = filledDistance(tS, track.distanceM)
  const measured = track.indoor
    ? null
    : elevationProfile(tS, track.elevM, { ...elevation, source: track.elevationSource, distanceM })
  const profile = measured && withinClimbLimit(measured, track.climbLimit)
  return {
    distanceM,
    profile,
    found: distanceM === null ? null : foundStops(track, distanceM, profile),
    equivalentM:
      distanceM === null || profile === null || profile.source === 'gps'
        ? null
        : equivalentDistance(distanceM, profile.smoothedM),
    heartRate: series(tS, track.heartRateBpm, ...HEART_RATE_RANGE),
    cadence: series(tS, track.cadenceRpm, Number.MIN_VALUE, Infinity),
  }
}

export function readingSplits({ tS, off }: Track, readings: Readings, splitLengthM: number): Split[] {
  const { distanceM, profile, found, equivalentM, heartRate, cadence } = readings
  if (distanceM === null) return []
  return splits(
    {
      tS,
      distanceM,
      cumulativeGainM: profile?.gainM ?? null,
      cumulativeLossM: profile?.lossM ?? null,
      equivalentM,
      heartRate,
      cadence,
      stops: found && mergedSpans([...found, ...off]),
    },
    splitLengthM,
  )
}

/**
 * The splits of a track and nothing else, the same as those of its whole analysis; for cutting a library anew.
 * @throws RangeError for options out of range
 */
export function trackSplits(track: Track, options: Pick<AnalyzeOptions, 'splitLengthM' | 'elevation'>): Split[] {
  return readingSplits(track, trackReadings(track, options.elevation), options.splitLengthM)
}

/** The samples from `least` to `most` with their own times; null when there is none. */
export function series(tS: Float64Array, values: Float64Array, least: number, most: number): HeldSeries | null {
  const rows = rowsWith(values, values).filter((row) => values[row]! >= least && values[row]! <= most)
  if (rows.length === 0) return null
  return { tS: gathered(tS, rows), values: gathered(values, rows) }
}

/** Jitter hides a stop in positions: these are looked at through the gate. Only a barometer tells climbing from standing. */
function foundStops(track: Track, distanceM: Float64Array, profile: ElevationProfile | null): Stop[] {
  const { tS, off } = track
  const elevM = profile?.source === 'baro' ? smoothed(tS, profile.filled, VERTICAL_HALF_WINDOW_S) : null
  const gatedM = track.distanceSource === 'gps' ? gpsDistance(tS, track, off)?.gatedM : undefined
  return stops(tS, gatedM ?? distanceM, { off, elevM })
}
