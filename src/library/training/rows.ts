import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { insertRow } from '../../db/prepared.ts'
import { workoutTrainings } from '../../db/schema-training.ts'
import { TRAINING_VERSION } from '../../engine/training/run/run-training.ts'
import type { PackedTraining } from '../../workers/training.ts'

/** Stores the training data computed from the samples of a new workout. */
export function insertTraining(tx: Tx, workoutId: string, packed: PackedTraining): void {
  insertRow(tx, workoutTrainings, rowOf(workoutId, packed))
}

/** Replaces the training data of a stored workout where it differs. @returns whether it does */
export function writeTraining(tx: Tx, workoutId: string, packed: PackedTraining): boolean {
  const row = rowOf(workoutId, packed)
  const stored = tx.select().from(workoutTrainings).where(eq(workoutTrainings.workoutId, workoutId)).get()
  if (stored !== undefined && Bun.deepEquals(stored, row)) return false
  if (stored !== undefined) tx.delete(workoutTrainings).where(eq(workoutTrainings.workoutId, workoutId)).run()
  insertRow(tx, workoutTrainings, row)
  return true
}

function rowOf(workoutId: string, packed: PackedTraining): typeof workoutTrainings.$inferInsert {
  const stored = Object.entries(packed).map(([name, value]) => {
    return [name, value instanceof Uint8Array ? Buffer.from(value) : value]
  })
  return { ...Object.fromEntries(stored), workoutId, trainingVersion: TRAINING_VERSION }
}
