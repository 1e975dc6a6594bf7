import type { workoutSplits } from '../../db/schema.ts'
import { METRES_PER_KM, roundHalfUp } from '../../engine/units.ts'
import { numberOf, type Row, uuidOf, wholeOf } from '../format/row-fields.ts'
import type { RestoreReport } from './report.ts'

type SplitRow = typeof workoutSplits.$inferInsert

/** No run has more: 50,000 km in kilometres. */
const MOST_SPLITS = 50_000

/** The splits of one workout by index; one that cannot be read, or comes twice, is an error of its own. */
export function restoredSplits(rows: Iterable<Row>, workoutId: string, report: RestoreReport): SplitRow[] {
  const byIndex = new Map<number, SplitRow>()
  const ids = new Set<string>()
  for (const row of rows) {
    const split = splitOf(row, workoutId)
    if (split === null) report.failed('splits', 'Splits without index, distance or duration', { which: workoutId })
    else if (byIndex.has(split.idx)) report.skipped('splits')
    else if (byIndex.size >= MOST_SPLITS) report.failed('splits', `Splits beyond ${MOST_SPLITS}`, { which: workoutId })
    else {
      byIndex.set(split.idx, ids.has(split.id) ? { ...split, id: Bun.randomUUIDv7() } : split)
      ids.add(split.id)
    }
  }
  return [...byIndex.values()].sort((a, b) => a.idx - b.idx)
}

/** Archives have whole seconds only, so the pace is computed anew (CONTRACT 12.1); seconds per kilometre. */
export function splitPaceS(
  split: Readonly<Record<'distanceM' | 'durationS', number> & Record<'startElapsedS' | 'endElapsedS', number | null>>,
): number {
  const { distanceM, durationS, startElapsedS, endElapsedS } = split
  const seconds = startElapsedS === null || endElapsedS === null ? durationS : endElapsedS - startElapsedS
  return distanceM > 0 && seconds > 0 ? roundHalfUp((METRES_PER_KM * seconds) / distanceM, 2) : 0
}

function splitOf(row: Row, workoutId: string): SplitRow | null {
  const idx = wholeOf(row.idx, 0, 1_000_000)
  const distanceM = numberOf(row.distanceM, 0)
  const durationS = wholeOf(row.durationS, 0)
  if (idx === null || distanceM === null || durationS === null) return null
  const startElapsedS = numberOf(row.startElapsedS, 0)
  const endElapsedS = numberOf(row.endElapsedS, 0)
  return {
    id: uuidOf(row.id) ?? Bun.randomUUIDv7(),
    workoutId,
    idx,
    distanceM,
    durationS,
    paceS: splitPaceS({ distanceM, durationS, startElapsedS, endElapsedS }),
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
