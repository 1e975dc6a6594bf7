import { type DeviceTotals, NO_TOTALS } from '../../engine/numbers.ts'
import { type FitMessage, positive, withFraction } from './values.ts'

/** The totals of the session message; zero counts as not stated. Climb is left out: every device counts it differently. */
export function fitTotals(session: FitMessage | null): DeviceTotals {
  if (session === null) return NO_TOTALS
  return {
    ...NO_TOTALS,
    distanceM: positive(session.totalDistance),
    elapsedS: positive(session.totalElapsedTime),
    timerS: positive(session.totalTimerTime),
    movingS: positive(session.totalMovingTime),
    avgHeartRateBpm: positive(session.avgHeartRate),
    maxHeartRateBpm: positive(session.maxHeartRate),
    minHeartRateBpm: positive(session.minHeartRate),
    avgCadenceRpm: withFraction(session.avgCadence, session.avgFractionalCadence),
    maxCadenceRpm: withFraction(session.maxCadence, session.maxFractionalCadence),
    avgPowerW: positive(session.avgPower),
    maxPowerW: positive(session.maxPower),
    caloriesKcal: positive(session.totalCalories),
    avgSpeedMps: positive(session.enhancedAvgSpeed) ?? positive(session.avgSpeed),
    maxSpeedMps: positive(session.enhancedMaxSpeed) ?? positive(session.maxSpeed),
    ...elevations(session),
  }
}

/** Lowest and highest point, when plausible: one device writes 12,517 m for the lowest, another 0 for both. */
function elevations(session: FitMessage): Partial<DeviceTotals> {
  const minElevM = session.enhancedMinAltitude ?? session.minAltitude
  const maxElevM = session.enhancedMaxAltitude ?? session.maxAltitude
  if (typeof minElevM !== 'number' || typeof maxElevM !== 'number') return {}
  return minElevM <= maxElevM && !(minElevM === 0 && maxElevM === 0) ? { minElevM, maxElevM } : {}
}
