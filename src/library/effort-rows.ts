import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { recordings, samples } from '../db/schema.ts'
import { workoutBestEfforts } from '../db/schema-efforts.ts'
import type { BestEffort } from '../engine/analysis.ts'
import { inputRevisions } from './inputs.ts'

/** Changes of the effort rows of one workout. */
export interface EffortDifference {
  readonly workoutId: string
  /** New efforts, and those that differ from the stored ones. */
  readonly write: readonly BestEffort[]
  /** Distance indexes of rows to remove. */
  readonly remove: readonly number[]
}

/** With more changed rows than this, the index by rank is dropped and rebuilt, which takes 0.3 s for 100,000 rows. */
const MOST_IN_PLACE = 5000

/** Ids of all workouts with samples. */
export function recordedIds(tx: Tx): string[] {
  return tx
    .select({ id: recordings.workoutId })
    .from(recordings)
    .innerJoin(samples, eq(samples.recordingId, recordings.id))
    .where(eq(recordings.position, 0))
    .orderBy(asc(recordings.workoutId))
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
 * Writes the differences and removes efforts from archives next to samples, all or none, except for workouts that were
 * changed meanwhile or are gone. An archive's effort is kept until efforts are computed again (docs/api.md 12.2); where
 * there are no samples with their own times, it stays.
 * @param computed.revisions of every workout whose efforts were computed, as its inputs were then
 * @returns number of workouts with a difference
 */
export function writeDifferences(
  db: Db,
  differences: readonly EffortDifference[],
  { revisions, nowMs }: { readonly revisions: ReadonlyMap<string, number>; readonly nowMs: number },
): number {
  const { $client: client } = db
  return db.transaction((tx) => {
    const now = inputRevisions(tx)
    const isCurrent = (id: string) => now.get(id) !== undefined && now.get(id) === revisions.get(id)
    const current = differences.filter(({ workoutId }) => isCurrent(workoutId))
    const rows = current.reduce((sum, { write, remove }) => sum + write.length + remove.length, 0)
    if (rows > MOST_IN_PLACE) client.run('DROP INDEX workout_best_effort_rank')
    const remove = client.prepare('DELETE FROM workout_best_effort WHERE workout_id = ? AND distance_index = ?')
    const write = client.prepare(
      `INSERT INTO workout_best_effort (workout_id, distance_index, time_ms, start_ms, implausible_reason, calculated_at)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (workout_id, distance_index) DO UPDATE
           SET time_ms = excluded.time_ms, start_ms = excluded.start_ms, calculated_at = excluded.calculated_at,
             implausible_reason = excluded.implausible_reason`,
    )
    for (const difference of current) {
      const { workoutId } = difference
      for (const index of difference.remove) remove.run(workoutId, index)
      for (const { distanceIndex, timeMs, startMs, implausibleReason } of difference.write) {
        write.run(workoutId, distanceIndex, timeMs, startMs, implausibleReason, nowMs)
      }
    }
    if (rows > MOST_IN_PLACE) {
      client.run('CREATE INDEX workout_best_effort_rank ON workout_best_effort (distance_index, time_ms)')
    }
    const forget = client.prepare<{ workout_id: string }, [string]>(
      `DELETE FROM archived_best_effort WHERE workout_id = ?1 AND EXISTS (
           SELECT 1 FROM recording WHERE workout_id = ?1 AND position = 0 AND has_estimated_times = 0)
         RETURNING workout_id`,
    )
    const archived = client
      .query<{ id: string }, []>('SELECT DISTINCT workout_id AS id FROM archived_best_effort')
      .all()
    const forgotten = archived.filter(({ id }) => isCurrent(id) && forget.all(id).length > 0)
    return new Set([...current.map(({ workoutId }) => workoutId), ...forgotten.map(({ id }) => id)]).size
  })
}
