import type { AnalyzeOptions, Split } from '../engine/analysis.ts'
import { trackSplits } from '../engine/run/readings.ts'
import { type PackedSamples, unpackTrack } from './pack.ts'

/** Stored samples and what their splits depend on. */
export interface CutJob extends Pick<AnalyzeOptions, 'splitLengthM' | 'elevation'> {
  readonly samples: PackedSamples
}

/**
 * The splits of stored samples, the same as those of an import.
 * @throws Error for samples that cannot be read
 */
export function cutSplits({ samples, ...options }: CutJob): Split[] {
  return trackSplits(unpackTrack(samples), options)
}
