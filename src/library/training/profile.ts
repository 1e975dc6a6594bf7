import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { trainingSettings } from '../../db/schema-training.ts'
import type { TrainingSettings } from '../../db/stored-training.ts'
import { parseDay } from '../../engine/calendar/weeks.ts'
import { DEFAULT_ZONES } from '../../engine/run/zones.ts'
import { USUAL_FATIGUE_DAYS, USUAL_FITNESS_DAYS } from '../../engine/training/fitness.ts'
import type { ProfileEntry, ZonesProfile } from '../../engine/training/profile.ts'
import { storedZones } from '../settings.ts'

const SETTINGS_ID = 1

export const DEFAULT_TRAINING: TrainingSettings = {
  sex: null,
  fitnessDays: USUAL_FITNESS_DAYS,
  fatigueDays: USUAL_FATIGUE_DAYS,
  fitnessSeed: null,
  referenceHeartRateBpm: null,
  minRunsPerWeek: 3,
  paceZoneBorders: null,
  entries: [],
}

/** null when the runner never set anything. */
export function storedTraining(tx: Tx): TrainingSettings | null {
  const { data } = trainingSettings
  return tx.select({ data }).from(trainingSettings).where(eq(trainingSettings.id, SETTINGS_ID)).get()?.data ?? null
}

export function trainingOrDefault(tx: Tx): TrainingSettings {
  return storedTraining(tx) ?? DEFAULT_TRAINING
}

/** Replaces all training settings. */
export function storeTraining(tx: Tx, data: TrainingSettings, nowMs: number): void {
  tx.insert(trainingSettings)
    .values({ id: SETTINGS_ID, data, updatedAt: nowMs })
    .onConflictDoUpdate({ target: trainingSettings.id, set: { data, updatedAt: nowMs } })
    .run()
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
