import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutSplits } from '../db/schema.ts'

/** The splits of a workout as the wire has them, by index. */
export function splitObjects(db: Tx, workoutId: string) {
  return db
    .select({
      idx: workoutSplits.idx,
      distanceM: workoutSplits.distanceM,
      durationS: workoutSplits.durationS,
      paceS: workoutSplits.paceS,
      startElapsedS: workoutSplits.startElapsedS,
      endElapsedS: workoutSplits.endElapsedS,
      movingTimeS: workoutSplits.movingTimeS,
      elevGainM: workoutSplits.elevGainM,
      elevLossM: workoutSplits.elevLossM,
      avgHeartRateBpm: workoutSplits.avgHeartRateBpm,
      avgCadenceRpm: workoutSplits.avgCadenceRpm,
      gapPaceS: workoutSplits.gapPaceS,
    })
    .from(workoutSplits)
    .where(eq(workoutSplits.workoutId, workoutId))
    .orderBy(asc(workoutSplits.idx))
    .all()
}
