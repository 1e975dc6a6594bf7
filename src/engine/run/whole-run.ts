import type { Analysis, AnalyzeOptions } from '../analysis.ts'
import { METRES_PER_KM, roundedOrNull, roundHalfUp, STEPS_PER_REVOLUTION } from '../units.ts'
import { averageEffort, type RelativeEffort } from './effort.ts'

/** What the samples give, unrounded; null: they do not say. */
export interface FromSamples {
  readonly distanceM: number
  readonly elapsedS: number
  /** Infinity: bounded by the elapsed time only. */
  readonly timerS: number
  readonly hasTimer: boolean
  /** Infinity: as long as the timer. */
  readonly movingS: number | null
  readonly heartRate: Summary | null
  readonly cadence: Summary | null
  readonly power: Summary | null
  readonly maxSpeedMps: number | null
  readonly elevation: Record<'gainM' | 'lossM' | 'minM' | 'maxM', number | null>
  /** Grade-equivalent metres per metre. */
  readonly equivalentShare: number | null
  readonly effort: RelativeEffort | null
}

export interface Summary {
  readonly least: number
  readonly mean: number
  readonly most: number
}

type Numbers = Omit<Analysis, 'splits' | 'bestEfforts' | 'routeIndex' | 'preview'>

/** Totals before samples, rounded as CONTRACT 1.2 says; times never longer than the ones they are part of. */
export function wholeRun(run: FromSamples, { totals, zones }: AnalyzeOptions): Numbers {
  const distanceM = roundHalfUp(told(totals.distanceM) ?? run.distanceM, 2)
  const durationS = roundHalfUp(told(totals.elapsedS) ?? run.elapsedS)
  const timerS = Math.min(durationS, roundHalfUp(told(totals.timerS) ?? run.timerS))
  const movingTimeS = told(totals.movingS) ?? run.movingS
  const hasPace = distanceM > 0 && durationS > 0
  const paceS = hasPace ? (METRES_PER_KM * durationS) / distanceM : 0
  const heartRateBpm = told(totals.avgHeartRateBpm) ?? run.heartRate?.mean ?? null
  const cadenceRpm = told(totals.avgCadenceRpm) ?? run.cadence?.mean ?? null
  const maxCadenceRpm = told(totals.maxCadenceRpm) ?? run.cadence?.most ?? null
  const effort = run.effort ?? (heartRateBpm === null ? null : averageEffort(heartRateBpm, durationS, zones))
  return {
    durationS,
    movingTimeS: movingTimeS === null ? null : Math.min(timerS, roundHalfUp(movingTimeS)),
    timerTimeS: run.hasTimer || told(totals.timerS) !== null ? timerS : null,
    distanceM,
    avgPaceS: roundHalfUp(paceS, 2),
    gapPaceS: hasPace && run.equivalentShare ? roundedOrNull(paceS / run.equivalentShare, 2) : null,
    elevGainM: roundedOrNull(run.elevation.gainM, 1),
    elevLossM: roundedOrNull(run.elevation.lossM, 1),
    minElevM: roundedOrNull(run.elevation.minM, 1),
    maxElevM: roundedOrNull(run.elevation.maxM, 1),
    maxSpeedMps: roundedOrNull(told(totals.maxSpeedMps) ?? run.maxSpeedMps, 3),
    avgSpeedMps: hasPace ? roundHalfUp(distanceM / durationS, 3) : null,
    maxHeartRateBpm: roundedOrNull(told(totals.maxHeartRateBpm) ?? run.heartRate?.most ?? null),
    avgHeartRateBpm: roundedOrNull(heartRateBpm),
    minHeartRateBpm: roundedOrNull(told(totals.minHeartRateBpm) ?? run.heartRate?.least ?? null),
    maxCadenceRpm: roundedOrNull(maxCadenceRpm),
    avgCadenceRpm: roundedOrNull(cadenceRpm),
    maxCadenceSpm: roundedOrNull(maxCadenceRpm === null ? null : STEPS_PER_REVOLUTION * maxCadenceRpm),
    avgCadenceSpm: roundedOrNull(cadenceRpm === null ? null : STEPS_PER_REVOLUTION * cadenceRpm),
    maxPowerWatts: roundedOrNull(told(totals.maxPowerW) ?? run.power?.most ?? null),
    avgPowerWatts: roundedOrNull(told(totals.avgPowerW) ?? run.power?.mean ?? null),
    calories: roundedOrNull(told(totals.caloriesKcal)),
    relativeEffort: effort?.relativeEffort ?? null,
    hrZoneSeconds: effort?.zoneSeconds ?? null,
  }
}

/** A total that a device or a summary really gives: none is written as zero, too. */
function told(total: number | null): number | null {
  return total !== null && total > 0 && total < Infinity ? total : null
}
