import { splitBoundaries } from '../../../engine/run/splits.ts'
import { roundHalfUp } from '../../../engine/units.ts'
import { type Units, unitLengthM } from '../../format.ts'
import { type RunSeries, sectionFigures, sectionMean } from '../charts/series.ts'
import type { Split } from '../types.ts'

const STEPS_PER_TURN = 2

/**
 * Splits in the reader's unit from the samples of a run without a route, whose stored splits the service does not
 * compute again (docs/api.md 7.9). Climb and grade-adjusted pace are unknown.
 * @returns null without distances
 */
export function ownSplits(series: RunSeries, units: Units): Split[] | null {
  if (series.distanceM === null) return null
  const { count, distanceM, timeS } = splitBoundaries(series.elapsedS, series.distanceM, unitLengthM(units))
  return Array.from({ length: count }, (_, idx): Split => {
    const [fromS, toS] = [timeS[idx]!, timeS[idx + 1]!]
    const metres = distanceM[idx + 1]! - distanceM[idx]!
    const { seconds, heartRateBpm } = sectionFigures(series, { fromS, toS }, 'moving')
    const durationS = roundHalfUp(toS) - roundHalfUp(fromS)
    const stepsSpm = sectionMean(series, 'cadence', { fromS, toS }, 'moving')
    return {
      ...{ idx, distanceM: roundHalfUp(metres, 3), durationS, paceS: roundHalfUp((1000 * (toS - fromS)) / metres, 2) },
      ...{ startElapsedS: fromS, endElapsedS: toS, movingTimeS: Math.min(durationS, roundHalfUp(seconds)) },
      ...{ elevGainM: null, elevLossM: null, gapPaceS: null },
      avgHeartRateBpm: heartRateBpm === null ? null : roundHalfUp(heartRateBpm),
      avgCadenceRpm: stepsSpm === null ? null : roundHalfUp(stepsSpm / STEPS_PER_TURN),
    }
  })
}
