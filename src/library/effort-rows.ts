import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workoutBestEfforts } from '../db/schema.ts'
import type { BestEffort } from '../engine/analysis.ts'
import { writeAsked } from './commit.ts'
import { type RunHead, withEffortTimes, withOurs } from './documents/run.ts'
import { currentHead } from './rederive.ts'

/** The best efforts of one run that were computed again. */
export interface EffortDifference {
  /** As it was when they were computed. */
  readonly head: RunHead
  /** New efforts, and those that differ from the stored ones. */
  readonly write: readonly BestEffort[]
  /** Distance indexes of rows to remove. */
  readonly remove: readonly number[]
}

/** With more changed rows than this, the index by rank is dropped and rebuilt, which takes 0.3 s for 100,000 rows. */
const MOST_IN_PLACE = 5000

/** Ids of all runs with samples. */
export function recordedIds(tx: Tx): string[] {
  return tx.$client
    .query<{ id: string }, []>(
      `SELECT DISTINCT run_id AS id FROM naming JOIN samples ON samples.recording_id = naming.recording_id
       WHERE live = 1 ORDER BY run_id`,
    )
    .all()
    .map(({ id }) => id)
}

export function storedEfforts(tx: Tx, workoutId: string): BestEffort[] {
  return tx
    .select({
      distanceIndex: workoutBestEfforts.distanceIndex,
      timeMs: workoutBestEfforts.timeMs,
      startMs: workoutBestEfforts.startMs,
      implausibleReason: workoutBestEfforts.implausibleReason,
    })
    .from(workoutBestEfforts)
    .where(eq(workoutBestEfforts.workoutId, workoutId))
    .all()
}

/**
 * Writes the differences and removes efforts from archives next to samples, all or none, except for runs that were changed
 * meanwhile or are gone. An archive's effort is kept until efforts are computed again (docs/api.md 12.2); where there are
 * no samples with their own times, it stays.
 * @returns number of runs with a difference
 */
export function writeDifferences(db: Db, differences: readonly EffortDifference[], nowMs: number): number {
  const { $client: client } = db
  return db.transaction((tx) => {
    const current = differences.flatMap((difference) => {
      const head = currentHead(tx, difference.head)
      return head === null ? [] : { ...difference, head }
    })
    const rows = current.reduce((sum, { write, remove }) => sum + write.length + remove.length, 0)
    if (rows > MOST_IN_PLACE) client.run('DROP INDEX workout_best_effort_rank')
    const remove = client.prepare('DELETE FROM workout_best_effort WHERE workout_id = ? AND distance_index = ?')
    const write = client.prepare(
      `INSERT INTO workout_best_effort (workout_id, distance_index, time_ms, start_ms, implausible_reason, calculated_at, id)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (workout_id, distance_index) DO UPDATE
         SET time_ms = excluded.time_ms, start_ms = excluded.start_ms, calculated_at = excluded.calculated_at,
           implausible_reason = excluded.implausible_reason, id = excluded.id`,
    )
    const forget = client.prepare('DELETE FROM archived_best_effort WHERE workout_id = ?')
    for (const { head, write: efforts, remove: gone } of current) {
      const { id, asked, body } = head
      for (const index of gone) remove.run(id, index)
      for (const { distanceIndex, timeMs, startMs, implausibleReason } of efforts) {
        write.run(
          id,
          distanceIndex,
          timeMs,
          startMs,
          implausibleReason,
          nowMs,
          body.carried?.effortIds?.[distanceIndex] ?? null,
        )
      }
      const isStated = (body.carried?.efforts?.length ?? 0) > 0
      if (isStated) forget.run(id)
      writeAsked(tx, id, withEffortTimes(isStated ? withOurs(asked, 'bestEfforts') : asked, efforts, nowMs))
    }
    if (rows > MOST_IN_PLACE) {
      client.run('CREATE INDEX workout_best_effort_rank ON workout_best_effort (distance_index, time_ms)')
    }
    return current.length
  })
}
