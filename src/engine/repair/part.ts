import { crop } from '../run/crop.ts'
import type { ClimbLimit, Span, Track } from '../track.ts'

/**
 * One part of a track that is split: as a crop, but distance and climb are those of the whole within the part, so that
 * the parts add up to the whole.
 * @throws RangeError as `crop`
 */
export function partOf(track: Track, span: Span, climb: ClimbLimit | null): Track {
  const { distanceSource } = track
  const part = crop(distanceSource === 'gps' ? { ...track, distanceSource: 'device' } : track, span)
  return { ...part, distanceSource, ...(climb === null ? {} : { climb }) }
}
