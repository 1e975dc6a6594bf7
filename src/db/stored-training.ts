import type { Sex } from '../engine/training/training-load.ts'

/** One entry of the runner's profile, as the wire has it; null: an older entry says it. */
export interface StoredProfileEntry {
  /** `yyyy-MM-dd`; null: since ever. */
  readonly from: string | null
  readonly maxHeartRateBpm: number | null
  readonly restingHeartRateBpm: number | null
  readonly lthrBpm: number | null
  readonly thresholdPaceS: number | null
  readonly massKg: number | null
  readonly heightCm: number | null
}

/** What the runner set for the training sight, as PUT /settings/training takes it and archives carry it. */
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
