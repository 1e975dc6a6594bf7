import type { AnalyzeOptions } from '../engine/analysis.ts'
import { ghostRace } from '../engine/route/ghost.ts'
import { type MeasuredPass, numbersOf, type PassColumns, passMeter } from '../engine/route/pass-numbers.ts'
import { type OwnStretch, runLengthM, type Stretch, stretchOf } from '../engine/route/stretch.ts'
import type { Track } from '../engine/track.ts'
import { hasEstimatedTimes, type PackedSamples, unpackHeartRate, unpackPositions } from './pack.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

/** The stretch of a run between two distances, metres. */
interface StretchAsked {
  readonly fromM: number
  /** null: the end of the run. */
  readonly toM: number | null
}

export interface StretchFound {
  /** Length of the run, metres; null: it has no distance. */
  readonly runM: number | null
  /** False when times were estimated in proportion to the distance; they say nothing about a stretch. */
  readonly isTimed: boolean
  /** The stretch, and the run's own pass through it; null when the run has no such stretch. */
  readonly own: (OwnStretch & Pick<MeasuredPass, 'movingS' | 'heartRateBpm'>) | null
}

/** Samples of an unrepaired run without the columns that passes do not need. */
export type PassSamples = Pick<PackedSamples, 'meta' | 'timeHr' | 'track'>

/**
 * A stretch may end this many metres beyond the run, since distances are displayed rounded; it then ends with the run.
 */
const BEYOND_M = 1

interface GhostAsked {
  readonly run: StoredTrack
  readonly other: StoredTrack
  readonly elevation: AnalyzeOptions['elevation']
}

export const GROUND_JOBS = {
  stretch: (job: StoredTrack & StretchAsked) => ({ found: stretchFound(trackOf(job), job) }),
  /** For each run, in their order. */
  passes: ({ stretch, runs }: { readonly stretch: Stretch; readonly runs: readonly (PassSamples | StoredTrack)[] }) => {
    const measure = passMeter(stretch)
    const passes = runs.map((run) => {
      const columns = passColumns(run)
      return columns === null ? [] : measure(columns)
    })
    return { passes }
  },
  ghost: ({ run, other, elevation }: GhostAsked) => ({ race: ghostRace(trackOf(run), trackOf(other), elevation) }),
}

/** The requested stretch of a run. */
function stretchFound(track: Track, { fromM, toM: askedM }: StretchAsked): StretchFound {
  const found = { runM: runLengthM(track), isTimed: track.hasEstimatedTimes !== true }
  const { runM } = found
  if (runM === null) return { ...found, own: null }
  const toM = Math.min(askedM ?? runM, runM)
  if (!(fromM >= 0 && fromM < toM && (askedM ?? 0) <= runM + BEYOND_M)) return { ...found, own: null }
  const own = stretchOf(track, fromM, toM)
  return { ...found, own: own && { ...own, ...numbersOf(track, own.span) } }
}

/** @returns null for a run whose times were estimated */
function passColumns(samples: PassSamples | StoredTrack): PassColumns | null {
  if ('repairs' in samples) {
    const track = trackOf(samples)
    return track.hasEstimatedTimes === true ? null : track
  }
  if (hasEstimatedTimes(samples)) return null
  return { ...unpackHeartRate(samples), ...unpackPositions(samples.track) }
}
