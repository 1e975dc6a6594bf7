import { pathMayPass } from '../engine/route/pass-bounds.ts'
import { type MeasuredPass, numbersOf, type PassColumns, passMeter } from '../engine/route/pass-numbers.ts'
import { decodePath } from '../engine/route/path.ts'
import { type OwnStretch, runLengthM, type Stretch, stretchOf } from '../engine/route/stretch.ts'
import type { Track } from '../engine/track.ts'
import { type PackedSamples, unpackHeartRate, unpackPositions } from './pack.ts'
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
  /** The stretch and the run's own pass through it; null where the run has no such stretch. */
  readonly own: (OwnStretch & Pick<MeasuredPass, 'movingS' | 'heartRateBpm'>) | null
}

/** Samples of an unrepaired run, without what no pass needs. */
export type PassSamples = Pick<PackedSamples, 'meta' | 'timeHr' | 'track'>

/** Beyond the run by this much, metres, a stretch ends with it: distances are shown rounded. */
const BEYOND_M = 1

/** The stretch of a run that was asked for. */
export function stretchFound(track: Track, { fromM, toM: askedM }: StretchAsked): StretchFound {
  const runM = runLengthM(track)
  if (runM === null) return { runM, own: null }
  const toM = Math.min(askedM ?? runM, runM)
  if (!(fromM >= 0 && fromM < toM && (askedM ?? 0) <= runM + BEYOND_M)) return { runM, own: null }
  const own = stretchOf(track, fromM, toM)
  return { runM, own: own && { ...own, ...numbersOf(track, own.span) } }
}

/** Which of these routes can pass the stretch, as far as their paths tell. */
export function mayPass(stretch: Stretch, paths: readonly Pick<RouteIndex, 'path' | 'lengthM'>[]): boolean[] {
  const may = pathMayPass(stretch)
  return paths.map(({ path, lengthM }) => may(decodePath(path, lengthM)))
}

/** The passes of each of these runs. */
export function measuredPasses(stretch: Stretch, runs: readonly PassColumns[]): MeasuredPass[][] {
  return runs.map(passMeter(stretch))
}

export function passColumns(samples: PassSamples): PassColumns {
  return { ...unpackHeartRate(samples), ...unpackPositions(samples.track) }
}
