import { type DeviceTotals, NO_TOTALS } from '../../engine/numbers.ts'
import type { FitMessage } from './values.ts'
/**
 * The totals of the session message; zero counts as not stated. Climb is left to the raw data, since every device
 * counts it differently.
 */
export function fitTotals(session: FitMessage | null): DeviceTotals {
  if (session === null) return NO_TOTALS
  const positive = (...fields: readonly string[]) => {
    for (const field of fields) {
      const value = session[field]
      if (typeof value === 'number' && value > 0) return value
    }
    return null
  }
  const cadence = (whole: string, fraction: string) => {
    const rpm = positive(whole)
    return rpm === null ? null : rpm + (positive(fraction) ?? 0)
  }
  return {
    ...NO_TOTALS,
    distanceM: positive('totalDistance'),
    elapsedS: positive('totalElapsedTime'),
    timerS: positive('totalTimerTime'),
    movingS: positive('totalMovingTime'),
    avgHeartRateBpm: positive('avgHeartRate'),
    maxHeartRateBpm: positive('maxHeartRate'),
    minHeartRateBpm: positive('minHeartRate'),
    avgCadenceRpm: cadence('avgCadence', 'avgFractionalCadence'),
    maxCadenceRpm: cadence('maxCadence', 'maxFractionalCadence'),
    avgPowerW: positive('avgPower'),
    maxPowerW: positive('maxPower'),
    caloriesKcal: positive('totalCalories'),
    avgSpeedMps: positive('enhancedAvgSpeed', 'avgSpeed'),
    maxSpeedMps: positive('enhancedMaxSpeed', 'maxSpeed'),
    ...elevations(session),
  }
}

/** Lowest and highest point, when plausible: one device writes 12,517 m for the lowest, another 0 for both. */
function elevations(session: FitMessage): Pick<DeviceTotals, 'minElevM' | 'maxElevM'> {
  const lowest = session.enhancedMinAltitude ?? session.minAltitude
  const highest = session.enhancedMaxAltitude ?? session.maxAltitude
  if (typeof lowest !== 'number' || typeof highest !== 'number') return { minElevM: null, maxElevM: null }
  const areSaid = lowest <= highest && !(lowest === 0 && highest === 0)
  return areSaid ? { minElevM: lowest, maxElevM: highest } : { minElevM: null, maxElevM: null }
}
