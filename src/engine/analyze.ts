import type { Analysis, AnalyzeOptions } from './analysis.ts'
import { type Combined, type CombineOptions, combine } from './combine.ts'
import { gathered, rowsWith } from './gather.ts'
import type { Repair } from './repair/repairs.ts'
import { previewIndexes } from './route/simplify.ts'
import { bestEfforts } from './run/plausible-efforts.ts'
import { readingSplits } from './run/splits.ts'
import type { Recording } from './run/statement.ts'
import type { Positions, Track } from './track.ts'
import { roundHalfUp } from './units.ts'

/**
 * Raised by every change of a formula or constant of docs/algorithms.md, also of what is stored for training and of where
 * a run went; stored runs are then computed again.
 */
export const ENGINE_VERSION = 6

const PREVIEW_POINTS = 100
const PREVIEW_DECIMALS = 5
/** A stored run: what the engine needs to derive its numbers. */
export interface RunInputs extends CombineOptions, Pick<AnalyzeOptions, 'splitLengthM'> {
  /** In the order in which they were imported. */
  readonly recordings: readonly Recording[]
  /** Only those that are active, in the order in which they were made. */
  readonly repairs: readonly Repair[]
}

export interface RunAnalysis {
  readonly combined: Combined
  readonly analysis: Analysis
}

/** @throws RangeError for options out of range, or without any recording */
export function analyzeRun(inputs: RunInputs): RunAnalysis {
  checkOptions(inputs)
  const combined = combine(inputs.recordings, inputs.repairs, inputs)
  const { track, readings, numbers } = combined
  if (track === null || readings === null) {
    const nothing = { splits: [], bestEfforts: [], routeIndex: new Uint32Array(0), preview: null }
    return { combined, analysis: { ...numbers, ...nothing } }
  }
  const splits = readingSplits(track, readings, inputs.splitLengthM)
  const routeIndex = routeRows(track)
  return {
    combined,
    analysis: {
      ...numbers,
      splits,
      bestEfforts: trackEfforts(track, readings.distanceM),
      routeIndex,
      preview: preview(track, routeIndex),
    },
  }
}

/**
 * None where times were estimated from the distance, since the speed is then the same everywhere.
 * @param distanceM cumulative metres of every row; null: the track has no distance
 */
export function trackEfforts(track: Track, distanceM: Float64Array | null): Analysis['bestEfforts'] {
  return distanceM === null || track.hasEstimatedTimes === true ? [] : bestEfforts(track, distanceM)
}

/** Rows of a track that have a position; empty when fewer than two. */
export function routeRows({ latDeg, lonDeg }: Positions): Uint32Array {
  const positioned = rowsWith(latDeg, lonDeg)
  return positioned.length < 2 ? new Uint32Array(0) : positioned.slice()
}

function checkOptions({ splitLengthM, elevation }: Pick<AnalyzeOptions, 'splitLengthM' | 'elevation'>): void {
  if (!(splitLengthM >= 100 && splitLengthM < Infinity)) {
    throw new RangeError(`Split length must be at least 100 m, not ${splitLengthM}`)
  }
  for (const metres of [elevation.thresholdM, elevation.minDistanceM]) {
    if (!(metres >= 0 && metres < Infinity)) throw new RangeError(`Elevation setting must not be negative: ${metres}`)
  }
}

/** The route for lists: at most 100 [lon, lat] with 5 decimals, first and last kept; null without a route. */
export function preview({ latDeg, lonDeg }: Positions, routeIndex: Uint32Array): Analysis['preview'] {
  if (routeIndex.length === 0) return null
  const lat = gathered(latDeg, routeIndex)
  const lon = gathered(lonDeg, routeIndex)
  return Array.from(previewIndexes(lat, lon, PREVIEW_POINTS), (point): [number, number] => [
    roundHalfUp(lon[point]!, PREVIEW_DECIMALS),
    roundHalfUp(lat[point]!, PREVIEW_DECIMALS),
  ])
}
