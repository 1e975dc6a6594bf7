import { crop } from '../run/crop.ts'
import type { ClimbLimit, Span, Track } from '../track.ts'
import type { RecordedStretch, Remains, RepairKind } from './kind.ts'

/** The run is a part of another. Reverting keeps this repair, since the other parts are runs of their own. */
export interface SplitRepair extends RecordedStretch, Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'split'
  /** The climb of the whole run within this part; null: unknown. */
  readonly climb: ClimbLimit | null
}

export const SPLIT: RepairKind<SplitRepair> = {
  kind: 'split',
  members: { fromMs: 'recordedMs', toMs: 'recordedMs', climb: 'climb', caloriesKcal: 'kcal' },
  leavesPart: () => true,
  track: (track, repair, span) => partOf(track, span(repair), repair.climb),
}

/** As a crop, but with distance and climb of the whole, so that the parts add up to it. @throws as `crop` */
function partOf(track: Track, span: Span, climb: ClimbLimit | null): Track {
  const { distanceSource } = track
  const part = crop(distanceSource === 'gps' ? { ...track, distanceSource: 'device' } : track, span)
  return { ...part, distanceSource, ...(climb === null ? {} : { climb }) }
}
