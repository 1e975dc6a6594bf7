import { quantise } from '../codec.ts'
import { scalesOf } from '../grid.ts'
import type { Track } from '../track.ts'

/** The track with distance and speed multiplied by a factor, as when a treadmill was calibrated wrong. */
export function scaled(track: Track, factor: number): Track {
  const scales = scalesOf(track.positionUnit)
  const times = (column: 'distanceM' | 'speedMps') =>
    quantise(
      track[column].map((value) => value * factor),
      scales[column],
    )
  return { ...track, distanceM: times('distanceM'), speedMps: times('speedMps') }
}
