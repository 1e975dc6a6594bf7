import { clientOf, type Tx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { Finish } from '../change-run.ts'
import { type PackedRun, packRun } from './capsule.ts'
import { leaveReceipt, type NewReceipt, type Noting, tellReceipt, touchRevision } from './record.ts'

/** The receipt of a change made with `changeRun`, which runs the change on trial first and perhaps repeatedly. */
export interface ReceiptOfChange {
  /**
   * Runs the change once and notes the workout's previous state.
   * @param change as that of `changeRun`
   * @returns the value to return to `changeRun`
   */
  changed(tx: Tx, change: () => Finish | null): Finish | null
  /** Announces the receipt after the change is committed. */
  tell(): void
}

/**
 * The receipt of a repair of one workout, or of its reverting. Recordings do not change with it, so only derived data
 * is kept.
 */
export function receiptOfChange(
  deps: Noting & Pick<Deps, 'events'>,
  workoutId: string,
  about: Omit<NewReceipt, 'workoutId'>,
): ReceiptOfChange {
  let left: string | null = null
  let packed: { readonly capsule: PackedRun | null; readonly writes: number } | null = null
  return {
    changed: (tx, change) => {
      // unless something was written since the trial, its capsule still holds
      const known = packed?.writes === writesSoFar(tx) ? packed.capsule : undefined
      const capsule = deps.author === undefined ? null : (known ?? packRun(tx, workoutId, 'numbers'))
      const finish = change()
      packed = { capsule, writes: writesSoFar(tx) }
      return (
        finish &&
        ((derived, job) => {
          finish(derived, job)
          const revision = touchRevision(tx, workoutId)
          const revisions = { beforeRevision: revision?.before ?? null, afterRevision: revision?.after ?? null }
          left = leaveReceipt(tx, deps, { ...about, workoutId }, [
            { outcome: 'changed', workoutId, capsule, ...revisions },
          ])
        })
      )
    },
    tell: () => tellReceipt(deps, left),
  }
}

/** Rows that this connection has written so far, those of transactions that were rolled back included. */
function writesSoFar(tx: Tx): number {
  return clientOf(tx).query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
}
