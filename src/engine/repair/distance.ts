import { scalesOf } from '../grid.ts'
import { quantise } from '../quantise.ts'
import type { Track } from '../track.ts'
import type { RepairKind } from './kind.ts'

/** The distance was set by the runner; it overrides the samples. */
export interface DistanceRepair {
  readonly kind: 'distance'
  readonly distanceM: number
  /** Factor applied to the distance of every sample; null: the samples stay, since they follow a route. */
  readonly factor: number | null
}

export const DISTANCE: RepairKind<DistanceRepair> = {
  kind: 'distance',
  members: { distanceM: 'metres', factor: 'factor' },
  changesSamples: ({ factor }) => factor !== null,
  track: (track, { factor }) => (factor === null ? track : scaled(track, factor)),
  restated: ({ distanceM, factor }) => ({ said: { distanceM }, measured: factor === null ? [] : ['maxSpeedMps'] }),
}

/** The track with distance and speed multiplied by a factor, as when a treadmill was calibrated wrong. */
function scaled(track: Track, factor: number): Track {
  const scales = scalesOf(track.positionUnit)
  const times = (column: 'distanceM' | 'speedMps') =>
    quantise(
      track[column].map((value) => value * factor),
      scales[column],
    )
  return { ...track, distanceM: times('distanceM'), speedMps: times('speedMps') }
}
