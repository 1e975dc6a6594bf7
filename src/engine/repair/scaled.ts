import { quantise } from '../codec.ts'
import { scalesOf } from '../grid.ts'
import type { Track } from '../track.ts'

/** A track whose distance and speed were so many times what was recorded, as those of a treadmill are. */
export function scaled(track: Track, factor: number): Track {
  const scales = scalesOf(track.positionUnit)
  const times = (column: 'distanceM' | 'speedMps') =>
    quantise(
      track[column].map((value) => value * factor),
      scales[column],
    )
  return { ...track, distanceM: times('distanceM'), speedMps: times('speedMps') }
}
