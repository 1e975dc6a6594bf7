import type { ProfileEntry } from '../engine/training/profile.ts'
import type { Sex } from '../engine/training/training-load.ts'

/** One entry of the runner's profile, as in the API: `from` is `yyyy-MM-dd`. */
export type StoredProfileEntry = Omit<ProfileEntry, 'from'> & { readonly from: string | null }

/** The runner's training settings, as PUT /settings/training takes them and archives carry them. */
export interface TrainingSettings {
  readonly sex: Sex | null
  readonly fitnessDays: number
  readonly fatigueDays: number
  readonly fitnessSeed: number | null
  readonly referenceHeartRateBpm: number | null
  readonly minRunsPerWeek: number
  readonly paceZoneBorders: readonly [number, number, number, number] | null
  readonly entries: readonly StoredProfileEntry[]
}
