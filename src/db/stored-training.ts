import type { Sex } from '../engine/training/training-load.ts'

/** One entry of the runner's profile, as in the API; null: an older entry applies. */
export interface StoredProfileEntry {
  /** `yyyy-MM-dd`; null: valid from the beginning. */
  readonly from: string | null
  readonly maxHeartRateBpm: number | null
  readonly restingHeartRateBpm: number | null
  readonly lthrBpm: number | null
  readonly thresholdPaceS: number | null
  readonly massKg: number | null
  readonly heightCm: number | null
}

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
