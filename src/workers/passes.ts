import { pathMayPass } from '../engine/route/pass-bounds.ts'
import { type MeasuredPass, numbersOf, type PassColumns, passMeter } from '../engine/route/pass-numbers.ts'
import { pathPositions } from '../engine/route/path.ts'
import { type OwnStretch, runLengthM, type Stretch, stretchOf } from '../engine/route/stretch.ts'
import type { Track } from '../engine/track.ts'
import { hasEstimatedTimes, type PackedSamples, unpackHeartRate, unpackPositions, unpackTimes } from './pack.ts'
import type { RouteIndex } from './route-index.ts'

/** Metres of a run, that a stretch is asked for between. */
export interface StretchAsked {
  readonly fromM: number
  /** null: the end of the run. */
  readonly toM: number | null
}

export interface StretchFound {
  /** Metres of the run; null: it has none. */
  readonly runM: number | null
  /** False for times that are in proportion to the distance: they say nothing of a stretch. */
  readonly isTimed: boolean
  /** The stretch and the run's own pass through it; null where the run has no such stretch. */
  readonly own: (OwnStretch & Pick<MeasuredPass, 'movingS' | 'heartRateBpm'>) | null
}

/** Samples of an unrepaired run, without what no pass needs. */
export type PassSamples = Pick<PackedSamples, 'meta' | 'timeHr' | 'track'>

/** Beyond the run by this much, metres, a stretch ends with it: distances are shown rounded. */
const BEYOND_M = 1

/** The stretch of a run that was asked for. */
export function stretchFound(track: Track, { fromM, toM: askedM }: StretchAsked): StretchFound {
  const found = { runM: runLengthM(track), isTimed: track.hasEstimatedTimes !== true }
  const { runM } = found
  if (runM === null) return { ...found, own: null }
  const toM = Math.min(askedM ?? runM, runM)
  if (!(fromM >= 0 && fromM < toM && (askedM ?? 0) <= runM + BEYOND_M)) return { ...found, own: null }
  const own = stretchOf(track, fromM, toM)
  return { ...found, own: own && { ...own, ...numbersOf(track, own.span) } }
}

/** Which of these routes can pass the stretch, as far as their paths tell. */
export function mayPass(stretch: Stretch, paths: readonly Pick<RouteIndex, 'path' | 'lengthM'>[]): boolean[] {
  const may = pathMayPass(stretch)
  return paths.map(({ path, lengthM }) => may(pathPositions(path, lengthM), lengthM))
}

/** The passes of each of these runs. */
export function measuredPasses(stretch: Stretch, runs: Iterable<PassColumns | null>): MeasuredPass[][] {
  const measure = passMeter(stretch)
  return Array.from(runs, (columns) => (columns === null ? [] : measure(columns)))
}

/** @returns null for a run whose times are in proportion to its distance */
export function passColumns(samples: PassSamples): PassColumns | null {
  if (hasEstimatedTimes(samples)) return null
  const { latDeg, lonDeg } = unpackPositions(samples.track)
  const timed = unpackTimes(samples)
  // most runs that are looked through do not pass
  let heartRateBpm: Float64Array | null = null
  return {
    ...timed,
    latDeg,
    lonDeg,
    get heartRateBpm() {
      heartRateBpm ??= unpackHeartRate(samples).heartRateBpm
      return heartRateBpm
    },
  }
}

export function timedColumns(track: Track): PassColumns | null {
  return track.hasEstimatedTimes === true ? null : track
}
