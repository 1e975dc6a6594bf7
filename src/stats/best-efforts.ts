import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutBestEfforts, workouts } from '../db/schema.ts'
import { STANDARD_DISTANCES } from '../engine/best-efforts.ts'
import { roundHalfUp } from '../engine/units.ts'
import { isoTime } from '../http/time.ts'

/** The record of each standard distance that has one, shortest first; of equal times the earlier workout holds it. */
export function bestEffortRecords(tx: Tx) {
  return STANDARD_DISTANCES.flatMap(({ label, distanceM }, distanceIndex) => {
    const record = tx
      .select({ timeMs: workoutBestEfforts.timeMs, workoutId: workouts.id, startedAt: workouts.startedAt })
      .from(workoutBestEfforts)
      .innerJoin(workouts, eq(workouts.id, workoutBestEfforts.workoutId))
      .where(eq(workoutBestEfforts.distanceIndex, distanceIndex))
      .orderBy(asc(workoutBestEfforts.timeMs), asc(workouts.startedAt), asc(workouts.id))
      .limit(1)
      .get()
    if (record === undefined) return []
    const { timeMs, workoutId, startedAt } = record
    const timeS = roundHalfUp(timeMs / 1000)
    return [{ distance: label, distanceM, timeS, timeMs, workoutId, workoutDate: isoTime(startedAt) }]
  })
}
