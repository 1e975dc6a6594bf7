import type { workoutSplits } from '../../db/schema.ts'
import type { StashedSplit } from '../../db/stored.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { numberOf, type Row, uuidOf, wholeOf } from './row-fields.ts'

/** The members of a split that are read. */
export const SPLIT_FIELDS = [
  ...(['id', 'workoutId', 'idx', 'distanceM', 'durationS', 'startElapsedS', 'endElapsedS', 'movingTimeS'] as const),
  ...(['elevGainM', 'elevLossM', 'avgHeartRateBpm', 'avgCadenceRpm', 'gapPaceS', 'exactPaceS'] as const),
] as const

/** Old readers take whole seconds for the pace; the stored one stands beside it. */
export function splitObject({ paceS, ...row }: typeof workoutSplits.$inferSelect) {
  return {
    id: row.id,
    workoutId: row.workoutId,
    idx: row.idx,
    distanceM: row.distanceM,
    durationS: row.durationS,
    paceS: roundHalfUp(paceS),
    startElapsedS: row.startElapsedS,
    endElapsedS: row.endElapsedS,
    movingTimeS: row.movingTimeS,
    elevGainM: row.elevGainM,
    elevLossM: row.elevLossM,
    avgHeartRateBpm: row.avgHeartRateBpm,
    avgCadenceRpm: row.avgCadenceRpm,
    gapPaceS: row.gapPaceS,
    exactPaceS: paceS,
    workout: null,
  }
}

/** @returns null for a row without index, distance or duration */
export function readSplit(row: Row): StashedSplit | null {
  const idx = wholeOf(row.idx, 0, 1_000_000)
  const distanceM = numberOf(row.distanceM, 0)
  const durationS = wholeOf(row.durationS, 0)
  if (idx === null || distanceM === null || durationS === null) return null
  const startElapsedS = numberOf(row.startElapsedS, 0)
  const endElapsedS = numberOf(row.endElapsedS, 0)
  return {
    id: uuidOf(row.id) ?? Bun.randomUUIDv7(),
    idx,
    distanceM,
    durationS,
    paceS: numberOf(row.exactPaceS, 0) ?? paceS({ distanceM, durationS, startElapsedS, endElapsedS }),
    startElapsedS,
    endElapsedS,
    movingTimeS: wholeOf(row.movingTimeS, 0),
    elevGainM: numberOf(row.elevGainM),
    elevLossM: numberOf(row.elevLossM),
    avgHeartRateBpm: wholeOf(row.avgHeartRateBpm, 0),
    avgCadenceRpm: wholeOf(row.avgCadenceRpm, 0),
    gapPaceS: numberOf(row.gapPaceS, 0),
  }
}

/** Other archives have whole seconds only, so the pace is computed anew (CONTRACT 12.1); seconds per kilometre. */
function paceS(
  split: Readonly<Record<'distanceM' | 'durationS', number> & Record<'startElapsedS' | 'endElapsedS', number | null>>,
): number {
  const { distanceM, durationS, startElapsedS, endElapsedS } = split
  const seconds = startElapsedS === null || endElapsedS === null ? durationS : endElapsedS - startElapsedS
  return distanceM > 0 && seconds > 0 ? roundHalfUp((METRES_PER_KM * seconds) / distanceM, 2) : 0
}
