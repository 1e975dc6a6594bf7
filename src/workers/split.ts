import type { AnalyzeOptions } from '../engine/analysis.ts'
import type { SplitRepair } from '../engine/repair/repairs.ts'
import { trackReadings } from '../engine/run/readings.ts'
import { atBoundary, timeBoundaries } from '../engine/run/splits.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'

/** Least seconds of a part. */
const SHORTEST_S = 10

/** A stored workout, and where to split it. */
export interface SplitAsked {
  readonly calories: number | null
  /** Elapsed seconds. */
  readonly atS: readonly number[]
  readonly elevation: AnalyzeOptions['elevation']
}

/** The repair that makes each part from the whole, in order of time, or a message for the runner. */
export type SplitFound = { readonly parts: readonly SplitRepair[] } | { readonly refusal: string }

/** @param asked.recordedMs converts an elapsed second to the clock of the recording */
export function plannedSplit(
  track: Track,
  { calories, atS, elevation, recordedMs }: SplitAsked & { readonly recordedMs: (elapsedS: number) => number },
): SplitFound {
  const lastS = track.tS.at(-1) ?? 0
  const cutsS = [0, ...atS.toSorted((a, b) => a - b), lastS]
  const isShort = cutsS.some((cutS, k) => k > 0 && !(cutS - cutsS[k - 1]! >= SHORTEST_S))
  if (isShort) return { refusal: `Each part of a run of ${roundHalfUp(lastS)} s must have at least ${SHORTEST_S} s` }
  const { profile } = trackReadings(track, elevation)
  const bounds = timeBoundaries(track.tS, cutsS)
  // boundaries are rounded to tenths and whole calories first, so that the rounded parts add up to the rounded whole
  const tenths = (column: Float64Array) => cutsS.map((_, k) => roundHalfUp(atBoundary(column, bounds, k), 1))
  const gains = profile && tenths(profile.gainM)
  const losses = profile && tenths(profile.lossM)
  const kcal = cutsS.map((cutS) => (calories === null || lastS <= 0 ? 0 : roundHalfUp((calories * cutS) / lastS)))
  return {
    parts: cutsS.slice(1).map((endS, k) => ({
      kind: 'split',
      fromMs: recordedMs(cutsS[k]!),
      toMs: recordedMs(endS),
      caloriesKcal: calories === null ? null : kcal[k + 1]! - kcal[k]!,
      climb:
        gains === null || losses === null
          ? null
          : { gainM: roundHalfUp(gains[k + 1]! - gains[k]!, 1), lossM: roundHalfUp(losses[k + 1]! - losses[k]!, 1) },
    })),
  }
}
