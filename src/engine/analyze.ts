import type { Analysis, AnalyzeOptions } from './analysis.ts'
import { gathered, rowsWith } from './gather.ts'
import { saidTotals } from './numbers.ts'
import type { Repair } from './repair/repairs.ts'
import { previewIndexes } from './route/simplify.ts'
import { bestEfforts } from './run/plausible-efforts.ts'
import { readingSplits } from './run/splits.ts'
import type { Recording } from './run/telling.ts'
import { type Settled, type SettleOptions, settle } from './settle.ts'
import type { Positions, Track } from './track.ts'
import { roundHalfUp } from './units.ts'

/** Version of every derived number; a change of any formula or constant of docs/algorithms.md raises it. */
export const ENGINE_VERSION = 3

const PREVIEW_POINTS = 100
const PREVIEW_DECIMALS = 5
/** A stored run as the engine sees it. */
export interface RunInputs extends SettleOptions, Pick<AnalyzeOptions, 'splitLengthM'> {
  /** In the order of their arrival. */
  readonly recordings: readonly Recording[]
  /** The active ones, in order. */
  readonly repairs: readonly Repair[]
}

/**
 * Recordings and repairs of one run to everything derived from them.
 * @throws RangeError for options out of range, or no recording
 */
export function analyzeRun(inputs: RunInputs): { readonly settled: Settled; readonly analysis: Analysis } {
  checkOptions(inputs)
  const settled = settle(inputs.recordings, inputs.repairs, inputs)
  const { track, readings, numbers } = settled
  if (track === null || readings === null) {
    const nothing = { splits: [], bestEfforts: [], routeIndex: new Uint32Array(0), preview: null }
    return { settled, analysis: { ...numbers, ...nothing } }
  }
  inputs.rest?.()
  const splits = readingSplits(track, readings, inputs.splitLengthM)
  inputs.rest?.()
  const routeIndex = routeRows(track)
  return {
    settled,
    analysis: {
      ...numbers,
      splits,
      bestEfforts: trackEfforts(track, readings.distanceM, () => track),
      routeIndex,
      preview: preview(track, routeIndex),
    },
  }
}

/**
 * What one recording gives that is a workout by itself.
 * @param track null: a summary row without samples (Strava's CSV), of which its totals are all there is
 * @throws RangeError for options out of range
 */
export function analyze(track: Track | null, { totals, ...options }: AnalyzeOptions): Analysis {
  const recording: Recording = { kind: track === null ? 'row' : 'file', said: saidTotals(totals), track }
  const alone = { recordings: [recording], repairs: [], primary: 0, ours: { effort: false } }
  return analyzeRun({ ...options, ...alone }).analysis
}

/**
 * The best efforts of a track; none of one whose times were made up of the distance, which know no fast and slow.
 * @param distanceM cumulative metres of every row; null: it has no distance
 * @param wholeTrack all of it; asked for when it has gaps
 */
export function trackEfforts(
  { tS, hasEstimatedTimes, seams }: Pick<Track, 'tS' | 'hasEstimatedTimes' | 'seams'>,
  distanceM: Float64Array | null,
  wholeTrack: () => Track,
): Analysis['bestEfforts'] {
  return distanceM === null || hasEstimatedTimes === true ? [] : bestEfforts(tS, distanceM, wholeTrack, seams)
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

/**
 * The route for lists: at most 100 [lon, lat] with 5 decimals, first and last kept.
 * @param routeIndex indexes of the rows with a position
 * @returns null without route
 */
export function preview({ latDeg, lonDeg }: Positions, routeIndex: Uint32Array): Analysis['preview'] {
  if (routeIndex.length === 0) return null
  const lat = gathered(latDeg, routeIndex)
  const lon = gathered(lonDeg, routeIndex)
  return Array.from(previewIndexes(lat, lon, PREVIEW_POINTS), (point): [number, number] => [
    roundHalfUp(lon[point]!, PREVIEW_DECIMALS),
    roundHalfUp(lat[point]!, PREVIEW_DECIMALS),
  ])
}
