import type { workoutSplits } from '../../db/schema.ts'
import type { StatedSplit } from '../../db/stored.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { splitId } from '../../library/row-ids.ts'
import { numberOf, type Row, readEach, uuidOf, wholeOf } from './fields.ts'

/** Most splits of a run: 50,000 km in kilometres. */
export const MOST_SPLITS = 50_000

const SPLIT = {
  id: uuidOf,
  idx: (value: unknown) => wholeOf(value, 0, 1_000_000),
  distanceM: (value: unknown) => numberOf(value, 0),
  durationS: (value: unknown) => wholeOf(value, 0),
  startElapsedS: (value: unknown) => numberOf(value, 0),
  endElapsedS: (value: unknown) => numberOf(value, 0),
  movingTimeS: (value: unknown) => wholeOf(value, 0),
  elevGainM: (value: unknown) => numberOf(value),
  elevLossM: (value: unknown) => numberOf(value),
  avgHeartRateBpm: (value: unknown) => wholeOf(value, 0),
  avgCadenceRpm: (value: unknown) => wholeOf(value, 0),
  gapPaceS: (value: unknown) => numberOf(value, 0),
  exactPaceS: (value: unknown) => numberOf(value, 0),
}

/** The members of a split that a restore reads. */
export const SPLIT_FIELDS = ['workoutId', ...Object.keys(SPLIT)]

/** One row of `splits.json`. Other programs expect the pace in whole seconds; the exact one is written beside it. */
export function splitObject(row: typeof workoutSplits.$inferSelect) {
  return { ...row, id: splitId(row), paceS: roundHalfUp(row.paceS), exactPaceS: row.paceS, workout: null }
}

/** @returns null for a row without index, distance or duration */
export function readSplit(row: Row): StatedSplit | null {
  const { id, idx, distanceM, durationS, exactPaceS, ...split } = readEach(row, SPLIT)
  if (idx === null || distanceM === null || durationS === null) return null
  const { startElapsedS, endElapsedS } = split
  // other archives have whole seconds only, so the pace is computed again (docs/api.md 12.1)
  const seconds = startElapsedS === null || endElapsedS === null ? durationS : endElapsedS - startElapsedS
  const computed = distanceM > 0 && seconds > 0 ? roundHalfUp((METRES_PER_KM * seconds) / distanceM, 2) : 0
  return { id: id ?? Bun.randomUUIDv7(), idx, distanceM, durationS, paceS: exactPaceS ?? computed, ...split }
}
