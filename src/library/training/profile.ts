import type { Tx } from '../../db/open.ts'
import type { TrainingSettings } from '../../db/schema-training.ts'
import { trainingSettings } from '../../db/schema-training.ts'
import { parseDay } from '../../engine/calendar/weeks.ts'
import { DEFAULT_ZONES } from '../../engine/run/zones.ts'
import { USUAL_OPTIONS } from '../../engine/training/fitness.ts'
import type { ProfileEntry, ZonesProfile } from '../../engine/training/profile.ts'
import { storedZones } from '../settings.ts'

export const DEFAULT_TRAINING: TrainingSettings = {
  sex: null,
  fitnessDays: USUAL_OPTIONS.fitnessDays,
  fatigueDays: USUAL_OPTIONS.fatigueDays,
  fitnessSeed: null,
  referenceHeartRateBpm: null,
  minRunsPerWeek: 3,
  paceZoneBorders: null,
  entries: [],
}

/** null when the runner never set anything. */
function storedTraining(tx: Tx): TrainingSettings | null {
  return tx.select({ data: trainingSettings.data }).from(trainingSettings).get()?.data ?? null
}

export function trainingOrDefault(tx: Tx): TrainingSettings {
  return storedTraining(tx) ?? DEFAULT_TRAINING
}

/** The profile entries, with day numbers for dates. */
export function profileEntries({ entries }: Pick<TrainingSettings, 'entries'>): ProfileEntry[] {
  return entries.map((entry) => ({ ...entry, from: entry.from === null ? null : parseDay(entry.from) }))
}

/** The heart rates that follow from the zones; a maximum derived from the age counts as an estimate. */
export function zonesProfile(tx: Tx): ZonesProfile {
  const stored = storedZones(tx)
  const zones = stored?.zones ?? DEFAULT_ZONES
  const method = stored?.calculationMethod ?? 'AgeBased'
  return {
    maxHeartRateBpm: stored?.maxHeartRateBpm ?? zones[4].maxBpm,
    isMaxSet: method !== 'AgeBased',
    restingHeartRateBpm: stored?.restingHeartRateBpm ?? null,
    lthrBpm: method === 'Custom' ? zones[4].minBpm : null,
  }
}
