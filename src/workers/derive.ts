import type { Analysis, AnalyzeOptions } from '../engine/analysis.ts'
import { analyze, analyzeSummary } from '../engine/analyze.ts'
import type { DeviceTotals } from '../engine/totals.ts'
import { roundedOrNull } from '../engine/units.ts'
import { type PackedSamples, unpackTrack } from './pack.ts'
import { type RouteIndex, routeIndex } from './route-index.ts'

/** A stored workout as the engine sees it, and what its numbers depend on besides. */
export interface DeriveJob extends AnalyzeOptions {
  /** null: a summary, of which only the totals are known. */
  readonly samples: PackedSamples | null
}

/** Everything that an import would derive of the same run. */
export interface Derived {
  readonly analysis: Omit<Analysis, 'routeIndex'>
  /** null without route. */
  readonly routeIndex: RouteIndex | null
}

/**
 * Stored samples and totals to everything derived of them, the same as at the import.
 * @throws Error for samples that cannot be read
 */
export function derive({ samples, ...options }: DeriveJob): Derived {
  const track = samples === null ? null : unpackTrack(samples)
  const { routeIndex: _, ...analysis } = track === null ? analyzeSummary(options) : analyze(track, options)
  return {
    analysis: { ...analysis, ...toldClimb(options.totals) },
    routeIndex: track === null ? null : routeIndex(track),
  }
}

/**
 * No file gives a total of its climb, only summaries and archives do: a workout that has one keeps it, and the heights
 * with it, also when a file brought samples later (CONTRACT 7.2).
 */
function toldClimb(totals: DeviceTotals): Partial<Pick<Analysis, 'elevGainM' | 'elevLossM' | 'minElevM' | 'maxElevM'>> {
  if (totals.elevGainM === null && totals.elevLossM === null) return {}
  return {
    elevGainM: roundedOrNull(totals.elevGainM, 1),
    elevLossM: roundedOrNull(totals.elevLossM, 1),
    minElevM: roundedOrNull(totals.minElevM, 1),
    maxElevM: roundedOrNull(totals.maxElevM, 1),
  }
}
