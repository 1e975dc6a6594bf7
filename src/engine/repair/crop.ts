import { crop } from '../run/crop.ts'
import { type RecordedStretch, type Remains, type RepairKind, withClimbLimit } from './kind.ts'

export interface CropRepair extends RecordedStretch, Remains {
  readonly kind: 'crop'
}

export const CROP: RepairKind<CropRepair> = {
  kind: 'crop',
  members: { fromMs: 'recordedMs', toMs: 'recordedMs', climbLimit: 'climb', caloriesKcal: 'kcal' },
  leavesPart: () => true,
  track: (track, repair, span) => withClimbLimit(crop(track, span(repair)), repair.climbLimit),
}
