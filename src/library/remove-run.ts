import { eq } from 'drizzle-orm'
import { notFound } from '../base/errors.ts'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { removeFiles } from './collect.ts'
import { commit, discardRun, type NamedFile } from './commit.ts'
import type { DepsBy } from './deps.ts'
import { runHead } from './documents/run.ts'
import { dayText } from './receipts/known-reason.ts'
import { announceReceipt, beginReceipt } from './receipts/record.ts'

/**
 * Deletes a run. It moves to the trash, while its recordings and files stay. When the trash is off it is deleted for
 * good: rows first, with everything that only it needs, then the files.
 * @param options.isForever skips the trash
 * @throws AppError 404
 */
export async function deleteWorkout(
  deps: DepsBy,
  id: string,
  { isForever = false }: { readonly isForever?: boolean } = {},
): Promise<void> {
  const { receiptId, files } = removed(deps, id, !isForever && deps.config.undoDays > 0)
  deps.events.emit({ event: 'workout.deleted', data: { id } })
  announceReceipt(deps, receiptId)
  await removeFiles(deps, files)
}

interface Removed {
  readonly receiptId: string
  /** Files that nothing names any more. */
  readonly files: readonly NamedFile[]
}

function removed(deps: DepsBy, id: string, isKept: boolean): Removed {
  const { db, by, now } = deps
  const run = db
    .select({ startedAt: workouts.startedAt, offset: workouts.utcOffsetMinutes })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (run === undefined) throw notFound('Workout')
  const receipt = {
    kind: 'delete',
    title: `Deleted the run of ${dayText(run.startedAt, run.offset)}`,
    workoutId: id,
  } as const
  const item = { outcome: 'deleted', workoutId: id } as const
  const discard = (tx: Tx): Removed => {
    const left = beginReceipt(tx, deps, receipt)
    left.write(tx, item)
    left.end(tx)
    return { receiptId: left.id, files: discardRun(tx, id, now()) }
  }
  const trash = (tx: Tx): Removed => {
    const changes = [{ kind: 'run', id, from: runHead(tx, id)?.seq ?? null, to: null }] as const
    return { receiptId: commit(tx, deps, by, { receipt, groups: [{ changes, item }] }), files: [] }
  }
  return db.transaction(isKept ? trash : discard)
}
