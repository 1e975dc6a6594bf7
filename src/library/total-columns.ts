import type { workouts } from '../db/schema.ts'
import type { DeviceTotals } from '../engine/totals.ts'

type Columns = typeof workouts.$inferInsert

/** The column that each total is the source of. */
export const COLUMN_OF = {
  distanceM: 'distanceM',
  elapsedS: 'durationS',
  timerS: 'timerTimeS',
  movingS: 'movingTimeS',
  avgHeartRateBpm: 'avgHeartRateBpm',
  maxHeartRateBpm: 'maxHeartRateBpm',
  minHeartRateBpm: 'minHeartRateBpm',
  avgCadenceRpm: 'avgCadenceRpm',
  maxCadenceRpm: 'maxCadenceRpm',
  avgPowerW: 'avgPowerWatts',
  maxPowerW: 'maxPowerWatts',
  caloriesKcal: 'calories',
  elevGainM: 'elevGainM',
  elevLossM: 'elevLossM',
  minElevM: 'minElevM',
  maxElevM: 'maxElevM',
  avgSpeedMps: 'avgSpeedMps',
  maxSpeedMps: 'maxSpeedMps',
} as const satisfies Record<keyof DeviceTotals, keyof Columns>

export const TOTALS = Object.keys(COLUMN_OF) as readonly (keyof DeviceTotals)[]

/**
 * What makes a recomputation come to the filled columns again: the totals of the file that filled them, or, where the
 * workout keeps samples that do not say it, the columns themselves.
 */
export function filledTotals(
  filled: Partial<Record<keyof Columns, unknown>>,
  totals: DeviceTotals,
  keepsSamples: boolean,
): Partial<DeviceTotals> {
  const found: Record<string, unknown> = {}
  for (const total of TOTALS) {
    const value = filled[COLUMN_OF[total]] ?? null
    if (value !== null) found[total] = totals[total] ?? (keepsSamples ? value : null)
  }
  return found
}
