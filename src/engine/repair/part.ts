import { crop } from '../run/crop.ts'
import type { ClimbLimit, Span, Track } from '../track.ts'

/**
 * A part of a track that was split: as a crop, but its distance and its climb are those that the whole had there, so that
 * the parts add up to it.
 * @throws RangeError as `crop`
 */
export function partOf(track: Track, span: Span, climb: ClimbLimit | null): Track {
  const { distanceSource } = track
  const part = crop(distanceSource === 'gps' ? { ...track, distanceSource: 'device' } : track, span)
  return { ...part, distanceSource, ...(climb === null ? {} : { climb }) }
}
