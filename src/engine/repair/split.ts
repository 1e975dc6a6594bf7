import { crop } from '../run/crop.ts'
import type { ClimbLimit, Span, Track } from '../track.ts'
import type { RecordedStretch, Remains, RepairKind } from './kind.ts'

/**
 * This run is one of the parts that a run was split into. Reverting keeps this repair, since the other parts are runs
 * of their own.
 */
export interface SplitRepair extends RecordedStretch, Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'split'
  /** The climb of the whole run within this part; null: unknown. */
  readonly climb: ClimbLimit | null
}

export const SPLIT: RepairKind<SplitRepair> = {
  kind: 'split',
  members: { fromMs: 'recordedMs', toMs: 'recordedMs', climb: 'climb', caloriesKcal: 'kcal' },
  leavesPart: true,
  track: (track, repair, span) => partOf(track, span(repair), repair.climb),
}

/**
 * One part of a track that is split: as a crop, but distance and climb are those of the whole within the part, so that
 * the parts add up to the whole.
 * @throws RangeError as `crop`
 */
function partOf(track: Track, span: Span, climb: ClimbLimit | null): Track {
  const { distanceSource } = track
  const part = crop(distanceSource === 'gps' ? { ...track, distanceSource: 'device' } : track, span)
  return { ...part, distanceSource, ...(climb === null ? {} : { climb }) }
}
