import type { workouts } from '../db/schema.ts'
import type { DeviceTotals } from '../engine/totals.ts'

type Columns = typeof workouts.$inferInsert

/** Columns and the totals that they are computed from, where there are any. */
const TOTAL_OF: Readonly<Partial<Record<keyof Columns, keyof DeviceTotals>>> = {
  movingTimeS: 'movingS',
  timerTimeS: 'timerS',
  elevGainM: 'elevGainM',
  elevLossM: 'elevLossM',
  minElevM: 'minElevM',
  maxElevM: 'maxElevM',
  maxSpeedMps: 'maxSpeedMps',
  avgSpeedMps: 'avgSpeedMps',
  maxHeartRateBpm: 'maxHeartRateBpm',
  avgHeartRateBpm: 'avgHeartRateBpm',
  minHeartRateBpm: 'minHeartRateBpm',
  maxCadenceRpm: 'maxCadenceRpm',
  avgCadenceRpm: 'avgCadenceRpm',
  maxPowerWatts: 'maxPowerW',
  avgPowerWatts: 'avgPowerW',
  calories: 'caloriesKcal',
}

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
  for (const [column, key] of Object.entries(TOTAL_OF) as [keyof Columns, keyof DeviceTotals][]) {
    const value = filled[column] ?? null
    if (value !== null) found[key] = totals[key] ?? (keepsSamples ? value : null)
  }
  return found
}
