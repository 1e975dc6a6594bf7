import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isDiskFull } from '../disk-full.ts'
import { notFound } from '../errors.ts'
import { makeRoom } from './files/room.ts'
import { filesOf, type NamedFile, packRun } from './receipts/capsule.ts'
import { dayText } from './receipts/day-text.ts'
import { rememberDeleted } from './receipts/deleted-runs.ts'
import { unnamedFiles } from './receipts/kept.ts'
import { removeFiles } from './receipts/purge.ts'
import { leaveReceipt, tellReceipt } from './receipts/record.ts'

/**
 * Deletes a workout. It moves to the trash, while its files stay in place. When the trash is off or there is no author,
 * it is deleted for good: rows first, with everything that references them, then the files.
 * @param options.isForever skips the trash
 * @throws AppError 404
 */
export async function deleteWorkout(
  deps: Deps,
  id: string,
  { isForever = false }: { readonly isForever?: boolean } = {},
): Promise<void> {
  const { receiptId, files } = removedRows(deps, id, isForever)
  deps.events.emit({ event: 'workout.deleted', data: { id } })
  tellReceipt(deps, receiptId)
  await removeFiles(deps, files)
}

interface Removed {
  readonly receiptId: string | null
  /** Files that nothing names any more. */
  readonly files: readonly NamedFile[]
}

/** Deleting must work on a full disk: what cannot be kept is deleted for good, without a receipt. */
function removedRows(deps: Deps, id: string, isForever: boolean): Removed {
  const isKept = !isForever && deps.config.undoDays > 0
  try {
    if (deps.author !== undefined) return deps.db.transaction((tx) => removeRows(tx, deps, { id, isKept }))
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  const { author: _, ...silent } = deps
  return makeRoom(deps, (tx) => removeRows(tx, silent, { id, isKept: false }))
}

function removeRows(tx: Tx, deps: Deps, { id, isKept }: { readonly id: string; readonly isKept: boolean }): Removed {
  const run = tx
    .select({ startedAt: workouts.startedAt, offset: workouts.utcOffsetMinutes, revision: workouts.revision })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (run === undefined) throw notFound('Workout')
  const capsule = isKept ? packRun(tx, id, 'whole') : null
  const files = isKept ? [] : filesOf(tx.$client, id)
  rememberDeleted(tx, id, deps.now())
  tx.delete(workouts).where(eq(workouts.id, id)).run()
  const title = `Deleted the run of ${dayText(run.startedAt, run.offset)}`
  const receiptId = leaveReceipt(tx, deps, { kind: 'delete', title, workoutId: id }, [
    { outcome: 'deleted', workoutId: id, capsule, beforeRevision: run.revision },
  ])
  return { receiptId, files: unnamedFiles(tx, files) }
}
