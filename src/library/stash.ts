import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutSplits, workouts } from '../db/schema.ts'
import { archivedBestEfforts, workoutBestEfforts } from '../db/schema-efforts.ts'
import type { StashedEffort, StashedSplit } from '../db/stored.ts'
import { insertSplits } from './add-workout.ts'
import { hasArchive } from './numbers.ts'
import { effortId, splitId, storedEffortId } from './row-ids.ts'

// What a repair of the samples replaces and only an archive could give again, kept with it until it is reverted.

/** Empty for splits computed here, which reverting computes again; a run of days has thousands. */
export function stashedSplits(tx: Tx, workoutId: string): StashedSplit[] {
  if (!hasArchive(tx, workoutId) && !hasSplitIds(tx, workoutId)) return []
  const rows = tx.select().from(workoutSplits).where(eq(workoutSplits.workoutId, workoutId)).orderBy(workoutSplits.idx)
  return rows.all().map(({ workoutId: _, ...split }) => ({ ...split, id: splitId({ ...split, workoutId }) }))
}

function hasSplitIds(tx: Tx, workoutId: string): boolean {
  const withId = and(eq(workoutSplits.workoutId, workoutId), isNotNull(workoutSplits.id))
  return tx.select({ idx: workoutSplits.idx }).from(workoutSplits).where(withId).limit(1).get() !== undefined
}

/** Efforts that only an archive has, and those from samples, whose ids may come from an archive. */
export function stashedEfforts(tx: Tx, workoutId: string): StashedEffort[] {
  const archived = tx.select().from(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, workoutId)).all()
  const own = tx.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, workoutId)).all()
  const stashed = (isArchived: boolean) => (row: (typeof archived)[number]) => {
    const { id, distanceIndex, timeMs, calculatedAt } = row
    return { id, distanceIndex, timeMs, calculatedAt, isArchived }
  }
  return [...archived.map(stashed(true)), ...own.map((row) => ({ ...row, id: effortId(row) })).map(stashed(false))]
}

/** Puts splits from an archive back as they were; computed splits then reuse their ids. Splits computed here stay. */
export function returnSplits(tx: Tx, workoutId: string, splits: readonly StashedSplit[]): void {
  if (splits.length === 0 && !hasArchive(tx, workoutId)) return
  tx.delete(workoutSplits).where(eq(workoutSplits.workoutId, workoutId)).run()
  insertSplits(
    tx,
    splits.map((split) => ({ ...split, workoutId })),
  )
  tx.update(workouts).set({ splitsCount: splits.length }).where(eq(workouts.id, workoutId)).run()
}

export function returnEfforts(tx: Tx, workoutId: string, efforts: readonly StashedEffort[]): void {
  const { workoutId: ofWorkout, distanceIndex: ofDistance, timeMs: ofTime } = workoutBestEfforts
  for (const { isArchived, ...effort } of efforts) {
    const { id, distanceIndex, timeMs, calculatedAt } = effort
    const archived = tx.insert(archivedBestEfforts).values({ ...effort, workoutId })
    const own = tx
      .update(workoutBestEfforts)
      .set({ id: storedEffortId({ id, workoutId, distanceIndex }), calculatedAt })
    if (isArchived) archived.onConflictDoNothing().run()
    else own.where(and(eq(ofWorkout, workoutId), eq(ofDistance, distanceIndex), eq(ofTime, timeMs))).run()
  }
}
